package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameBatchPool;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.PacketLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;

/** One end of a simulated pair: a flow, a program that sends, and one that receives. */
final class FlowSide implements FlowEvents {
  static final int INCARNATION = 77;
  static final int SMALL_PACKET = 512;

  /** A message that has arrived and no receive has taken. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Waiting(int number, byte[] bytes, long length, long message) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Transfer(int number, byte[] bytes, int[] arrived) {}

  final Flow flow;
  final LossyWire out;
  final FrameBatchPool pool;
  final List<SimulatedSend> sends = new ArrayList<>();
  FlowSide other;
  int lost;
  FabricError lostError;
  String lostDetail;

  private final FlowSettings settings;
  private final FrameCursor cursor = new FrameCursor();
  private final FrameCursor tagged = new FrameCursor();
  private final ArrayDeque<Waiting> unexpected = new ArrayDeque<>();
  private final Map<Long, Transfer> transfers = new HashMap<>();
  private final BitSet matched = new BitSet();
  private final BitSet received = new BitSet();
  private int arrivals;
  private long unexpectedBytes;
  private long nextReceive = 1;
  private boolean dirty;

  FlowSide(
      TimeSource time, FlowSettings settings, int largestPacket, LossyWire out, boolean reliable) {
    this.settings = settings;
    this.out = out;
    pool = new FrameBatchPool(SMALL_PACKET, largestPacket);
    FlowContext context = new FlowContext(INCARNATION, 5, time, pool, new FrameWriter(), this);
    EndpointAddress address =
        new EndpointAddress(INCARNATION, 0, "peer", "akka://x", "vm", Map.of());
    flow = new Flow(context, settings, 0, 3, address, "lossy", out, reliable);
  }

  /** What Hello and Welcome do. */
  void establish() {
    flow.established(0);
    flow.offerGreeting(pool.acquire(0));
  }

  SimulatedSend send(int length, CompletionLevel level) {
    SimulatedSend send = SimulatedSend.of(sends.size(), length, level);
    sends.add(send);
    flow.submit(send);
    return send;
  }

  void hear(FrameBatch packet) {
    out.senderHears(packet);
    assertThat(cursor.wrap(packet)).isTrue();
    flow.onPacket(packet, cursor);
  }

  /** Flushes as the endpoint does at the end of a pass. */
  int flushIfNeeded() {
    if (!dirty) {
      return 0;
    }
    dirty = false;
    return flow.flush();
  }

  boolean isDirty() {
    return dirty;
  }

  /** Posts a receive for the oldest message that waits. */
  boolean receive(int capacity) {
    Waiting waiting = unexpected.pollFirst();
    if (waiting == null) {
      return false;
    }
    matched.set(waiting.number);
    if (waiting.bytes != null) {
      unexpectedBytes -= waiting.bytes.length;
      check(waiting.number, waiting.bytes, waiting.bytes.length);
      flow.consumedEager(waiting.bytes.length);
    } else {
      flow.consumedRequest();
      int wanted = (int) Math.min(waiting.length, capacity);
      long receive = nextReceive++;
      if (wanted == 0) {
        received.set(waiting.number);
      } else {
        transfers.put(receive, new Transfer(waiting.number, new byte[wanted], new int[1]));
      }
      flow.clearToSend(waiting.message, receive, wanted);
    }
    return true;
  }

  private void check(int number, byte[] bytes, int length) {
    assertThat(received.get(number)).as("message %d received before", number).isFalse();
    received.set(number);
    for (int i = 0; i < length; i++) {
      if (bytes[i] != SimulatedSend.byteAt(number, i)) {
        throw new AssertionError("message " + number + " differs at byte " + i + " of " + length);
      }
    }
  }

  @Override
  public void onTaggedFrames(Flow from, FrameBatch batch) {
    assertThat(batch.origin()).isSameAs(flow);
    assertThat(tagged.wrap(batch)).isTrue();
    int template;
    while ((template = tagged.nextFrame()) != 0) {
      if (template == FrameCursor.EAGER) {
        var eager = tagged.eager();
        byte[] bytes = new byte[eager.length()];
        batch.buffer().getBytes(tagged.eagerPayloadAt(), bytes);
        unexpectedBytes += bytes.length;
        arrived(eager.tag(), eager.flags(), eager.data());
        unexpected.addLast(new Waiting((int) eager.tag(), bytes, bytes.length, 0));
      } else if (template == FrameCursor.REQUEST_TO_SEND) {
        var request = tagged.requestToSend();
        arrived(request.tag(), request.flags(), request.data());
        unexpected.addLast(
            new Waiting((int) request.tag(), null, request.length(), request.message()));
      }
    }
    assertThat(unexpectedBytes).isLessThanOrEqualTo(settings.eagerCreditBytes());
    assertThat(unexpected.size()).isLessThanOrEqualTo(settings.messageCredits());
  }

  private void arrived(long tag, int flags, long data) {
    assertThat(tag).as("next message in order").isEqualTo(arrivals);
    boolean hasData = arrivals % 3 == 0;
    assertThat(flags).isEqualTo(hasData ? PacketLayout.HAS_DATA : 0);
    assertThat(data).isEqualTo(hasData ? ~arrivals : 0);
    arrivals++;
  }

  @Override
  public void onData(
      Flow from, long receive, long position, DirectBuffer payload, int offset, int length) {
    Transfer transfer = transfers.get(receive);
    assertThat(transfer).as("transfer %d", receive).isNotNull();
    assertThat(position).isEqualTo(transfer.arrived[0]);
    payload.getBytes(offset, transfer.bytes, (int) position, length);
    transfer.arrived[0] += length;
    if (transfer.arrived[0] == transfer.bytes.length) {
      transfers.remove(receive);
      check(transfer.number, transfer.bytes, transfer.bytes.length);
    }
  }

  @Override
  public void onSendCompleted(PendingSend send) {
    SimulatedSend ended = (SimulatedSend) send;
    ended.completions++;
    assertThat(ended.ends()).as("ends of message %d", ended.number).isEqualTo(1);
    if (ended.level() == CompletionLevel.MATCH) {
      assertThat(other.matched.get(ended.number)).as("matched before the sender knows").isTrue();
    } else if (ended.level() != CompletionLevel.INJECT) {
      assertThat(other.has(ended.number)).as("at the peer before the sender knows").isTrue();
    }
    ended.overwrite();
  }

  private boolean has(int number) {
    return received.get(number)
        || unexpected.stream().anyMatch(each -> each.number == number && each.bytes != null);
  }

  @Override
  public void onSendFailed(PendingSend send, FabricError error, String detail) {
    SimulatedSend ended = (SimulatedSend) send;
    ended.failures++;
    ended.error = error;
    ended.detail = detail;
    assertThat(ended.ends()).as("ends of message %d", ended.number).isEqualTo(1);
    ended.overwrite();
  }

  @Override
  public void onLost(Flow from, FabricError error, String detail) {
    lost++;
    lostError = error;
    lostDetail = detail;
    transfers.clear();
  }

  @Override
  public void onChannelClosed(Flow from, String detail) {
    flow.lose(FabricError.SHUTDOWN, detail);
  }

  @Override
  public void onFlushNeeded(Flow from) {
    dirty = true;
  }

  @Override
  public String toString() {
    long ended = sends.stream().filter(send -> send.ends() == 1).count();
    return flow.state()
        + " sends="
        + sends.size()
        + " ended="
        + ended
        + " arrivals="
        + arrivals
        + " unexpected="
        + unexpected.size()
        + " transfers="
        + transfers.size()
        + " received="
        + received.cardinality()
        + " unfinished="
        + flow.hasUnfinishedSends()
        + " needsTick="
        + flow.needsTick()
        + " dirty="
        + dirty
        + " "
        + settings
        + " "
        + flow.counters().snapshot();
  }

  int arrivals() {
    return arrivals;
  }

  int receivedMessages() {
    return received.cardinality();
  }

  /** Whether all sends have ended and the other side has received all messages. */
  boolean isDone() {
    return sends.stream().allMatch(send -> send.ends() == 1)
        && other.received.cardinality() == sends.size()
        && !flow.hasUnfinishedSends();
  }
}
