package io.tagfabric.trials.fuzz;

import io.tagfabric.address.Protocols;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.wire.AccessWriter;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Greeting.Hello;
import io.tagfabric.wire.Greeting.Limits;
import io.tagfabric.wire.Greeting.Nonce;
import io.tagfabric.wire.Greeting.Question;
import io.tagfabric.wire.Greeting.Refusal;
import io.tagfabric.wire.Greeting.Welcome;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.SetUpFrames;
import io.tagfabric.wire.sbe.ActiveLongEncoder;
import io.tagfabric.wire.sbe.ActiveNextEncoder;
import io.tagfabric.wire.sbe.ActiveReplyEncoder;
import io.tagfabric.wire.sbe.ActiveRequestEncoder;
import io.tagfabric.wire.sbe.DataDecoder;
import io.tagfabric.wire.sbe.MessageHeaderEncoder;
import io.tagfabric.wire.sbe.NoteEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.agrona.concurrent.UnsafeBuffer;

/** Right packets to be made wrong. */
final class Packets {
  static final int MAX_BYTES = 16 * 1024;

  /** What {@link #hello} is proven by. */
  static final KeyProof PROOFS = new KeyProof(new UUID(1, 2), "test");

  private Packets() {}

  /** One of each frame that carries or steers messages. */
  static byte[] full() {
    FrameWriter writer = new FrameWriter();
    Packet packet = new PacketPool(2048, MAX_BYTES).acquire(4000);
    MessageView message = new MessageView();
    UnsafeBuffer payload = new UnsafeBuffer(new byte[100]);
    payload.setMemory(0, 100, (byte) 7);
    message.show(5, payload, 0, 13);
    writer.eager(packet, message);
    message.show(6, payload, 0, 100);
    writer.requestToSend(packet, message, 1, true, null);
    writer.clearToSend(packet, 2, 3, 400, 200, null);
    writer.data(packet, 4, 64, payload, 0, 21);
    writer.eagerFirst(packet, message, 8, 50);
    writer.eagerNext(packet, 8, 50, payload, 50, 50);
    writer.finish(packet, 9, 0);
    writer.abort(packet, 10, 125);
    writer.placed(packet, 11, 0, 30);
    note(packet, payload, 19);
    AccessWriter accesses = writer.accesses();
    message.show(0, payload, 0, 60);
    accesses.write(packet, 13, 1, 2, 24, message, AccessWriter.WANTS_END, 40);
    accesses.writeNext(packet, 40, 0, message, 20);
    accesses.read(packet, 14, 1, 2, 8, 30);
    accesses.readData(packet, 15, 0, payload, 0, 30);
    message.show(0, payload, 0, 16);
    accesses.atomic(packet, 16, 1, 2, 8, 2, 2, 6, AccessWriter.FETCH, message);
    accesses.flush(packet, 17);
    accesses.end(packet, 18, 13, 64, 1, 60, 8);
    accesses.fill(packet, 21, 1, 2, 16, 9, (byte) 3, AccessWriter.WANTS_END);
    message.show(0, payload, 0, 2 * AccessWriter.PIECE_HEADER);
    accesses.readSlices(packet, 22, 1, 2, 16, message);
    active(packet, payload);
    writer.goodbye(packet, 108);
    writer
        .seal(packet)
        .incarnation(77)
        .sequence(1)
        .acknowledged(0)
        .grantedBytes(1000)
        .grantedMessages(10)
        .grantedReplies(10)
        .isolation(99)
        .flow(3)
        .flags((short) 0);
    return bytes(packet);
  }

  private static void note(Packet packet, UnsafeBuffer payload, int length) {
    int at = packet.length();
    int overhead = MessageHeaderEncoder.ENCODED_LENGTH + NoteEncoder.BLOCK_LENGTH;
    new NoteEncoder()
        .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
        .channel(12)
        .position(0)
        .total(length);
    packet.buffer().putBytes(at + overhead, payload, 0, length);
    packet.append(overhead + length);
  }

  /** A request in two parts, a reply, and a long request that brings its bytes. */
  private static void active(Packet packet, UnsafeBuffer payload) {
    int at = packet.length();
    int overhead = MessageHeaderEncoder.ENCODED_LENGTH + ActiveRequestEncoder.BLOCK_LENGTH;
    new ActiveRequestEncoder()
        .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
        .number(19)
        .handler(3)
        .arguments(2)
        .total(30)
        .flags((short) 0);
    packet.buffer().putBytes(at + overhead, payload, 0, 2 * Integer.BYTES + 11);
    packet.append(overhead + 2 * Integer.BYTES + 11);
    at = packet.length();
    overhead = MessageHeaderEncoder.ENCODED_LENGTH + ActiveReplyEncoder.BLOCK_LENGTH;
    new ActiveReplyEncoder()
        .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
        .request(20)
        .errorCode(0)
        .arguments(1)
        .total(5);
    packet.buffer().putBytes(at + overhead, payload, 0, Integer.BYTES + 5);
    packet.append(overhead + Integer.BYTES + 5);
    at = packet.length();
    overhead = MessageHeaderEncoder.ENCODED_LENGTH + ActiveNextEncoder.BLOCK_LENGTH;
    new ActiveNextEncoder()
        .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
        .number(19)
        .position(11)
        .flags((short) 0);
    packet.buffer().putBytes(at + overhead, payload, 0, 19);
    packet.append(overhead + 19);
    at = packet.length();
    overhead = MessageHeaderEncoder.ENCODED_LENGTH + ActiveLongEncoder.BLOCK_LENGTH;
    new ActiveLongEncoder()
        .wrapAndApplyHeader(packet.buffer(), at, new MessageHeaderEncoder())
        .number(21)
        .handler(3)
        .arguments(1)
        .flags(4)
        .length(9)
        .key(5)
        .generation(6)
        .regionAt(7);
    packet.buffer().putBytes(at + overhead, payload, 0, Integer.BYTES + 9);
    packet.append(overhead + Integer.BYTES + 9);
  }

  /** What begins a flow. */
  static byte[] hello() {
    SetUpFrames frames = new SetUpFrames(PROOFS);
    Nonce nonce = new Nonce(3, 4);
    Limits limits = new Limits(100, 50);
    Question question = new Question(Protocols.OWN, 0, 0, nonce, 78, "an address");
    Hello hello = new Hello(question, limits, 1, 5, "objects");
    Packet packet = new PacketPool(2048, MAX_BYTES).acquire(SetUpFrames.helloLength(hello));
    frames.hello(packet, 77, hello);
    frames.refuse(packet, 77, new Refusal(Protocols.OWN, 0, nonce, 1, "no"), 0);
    frames.welcome(packet, 77, new Welcome(7, 0, -1, nonce, nonce, limits), 0);
    new FrameWriter().sealUncounted(packet, 77, 99);
    return bytes(packet);
  }

  private static byte[] bytes(Packet packet) {
    byte[] bytes = new byte[packet.length()];
    packet.buffer().getBytes(0, bytes);
    return bytes;
  }

  /** A number in the block of the frame that a cursor stands on. */
  static long number(FrameCursor cursor, int offset) {
    return cursor.buffer().getLong(cursor.blockAt() + offset, DataDecoder.BYTE_ORDER);
  }

  /** Kinds of frames as the project itself reads them; null if a packet is malformed. */
  static List<Integer> templates(byte[] packet) {
    FrameCursor cursor = new FrameCursor();
    if (!cursor.wrap(Packet.received(packet))) {
      return null;
    }
    List<Integer> templates = new ArrayList<>();
    int template;
    while ((template = cursor.nextFrame()) != 0) {
      templates.add(template);
    }
    return cursor.isMalformed() ? null : templates;
  }

  /** The same as this package reads them. */
  static List<Integer> mapped(byte[] packet) {
    return PacketMap.frames(new UnsafeBuffer(packet), packet.length).stream()
        .map(frame -> frame.kind().template())
        .toList();
  }
}
