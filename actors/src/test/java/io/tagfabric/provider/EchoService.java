package io.tagfabric.provider;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.flow.send.OutgoingFrame;
import io.tagfabric.link.EndpointService;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.MutableDirectBuffer;

/**
 * Two kinds of frames that main code knows nothing of: a request with bytes, and the reply that
 * brings them back. Found by the service loader.
 */
public final class EchoService implements EndpointService {
  private static final int REQUEST = 200;
  private static final int REPLY = 201;
  private static final int UNKNOWN = 202;
  private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

  /** Held by their endpoints only. */
  private static final Map<EndpointAddress, WeakReference<Echo>> OPEN = new ConcurrentHashMap<>();

  static Echo of(Endpoint endpoint) {
    return OPEN.get(endpoint.address()).get();
  }

  @Override
  public void open(Context context) {
    Echo echo = new Echo(context);
    context.register(REQUEST, echo::onRequest);
    context.register(REPLY, echo::onReply);
    OPEN.put(context.address(), new WeakReference<>(echo));
  }

  /** The service of one endpoint. */
  static final class Echo {
    private final Context context;
    private final List<Long> answers = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();

    Echo(Context context) {
      this.context = context;
    }

    List<Long> answers() {
      return answers;
    }

    List<String> failures() {
      return failures;
    }

    void ask(Domain domain, int peer, long number, int length) {
      send(domain, peer, OutgoingFrame.Credit.REQUEST, REQUEST, number, length);
    }

    void sendUnknown(Domain domain, int peer) {
      send(domain, peer, OutgoingFrame.Credit.REQUEST, UNKNOWN, 0, 0);
    }

    private void send(
        Domain domain, int peer, OutgoingFrame.Credit credit, int kind, long number, int length) {
      domain.loop().execute(() -> context.sender().send(peer, frame(credit, kind, number, length)));
    }

    private OutgoingFrame frame(OutgoingFrame.Credit credit, int kind, long number, int length) {
      byte[] bytes = Side.pattern(length, number);
      return new OutgoingFrame(credit, HEADER + Long.BYTES + length) {
        @Override
        protected void write(Packet packet) {
          MutableDirectBuffer buffer = packet.buffer();
          int at = packet.length();
          new MessageHeaderEncoder()
              .wrap(buffer, at)
              .blockLength((short) Long.BYTES)
              .templateId((short) kind)
              .schemaId(PacketHeaderEncoder.SCHEMA_ID)
              .version(PacketHeaderEncoder.SCHEMA_VERSION);
          buffer.putLong(at + HEADER, number);
          buffer.putBytes(at + HEADER + Long.BYTES, bytes);
          packet.append(HEADER + Long.BYTES + length);
        }

        @Override
        public void onFailed(FabricError error, String detail) {
          failures.add(error + " " + detail);
        }
      };
    }

    private void onRequest(FrameOrigin origin, FrameCursor frame) {
      if (frame.hasBlock(Long.BYTES) && origin.admit(0, frame.payloadLength())) {
        long number = frame.buffer().getLong(frame.blockAt());
        check(number, frame);
        context
            .sender()
            .send(
                origin.peer(),
                frame(OutgoingFrame.Credit.REPLY, REPLY, number, frame.payloadLength()));
        origin.consumed();
      }
    }

    private void onReply(FrameOrigin origin, FrameCursor frame) {
      if (frame.hasBlock(Long.BYTES) && origin.admitReply()) {
        long number = frame.buffer().getLong(frame.blockAt());
        check(number, frame);
        answers.add(number);
        origin.consumedReply();
      }
    }

    private void check(long number, FrameCursor frame) {
      byte[] bytes = new byte[frame.payloadLength()];
      frame.buffer().getBytes(frame.payloadAt(), bytes);
      if (!java.util.Arrays.equals(bytes, Side.pattern(bytes.length, number))
          || frame.frameLength() != HEADER + Long.BYTES + bytes.length
          || PacketLayout.aligned(frame.frameAt()) != frame.frameAt()) {
        failures.add("number=" + number + " has other bytes");
      }
    }
  }
}
