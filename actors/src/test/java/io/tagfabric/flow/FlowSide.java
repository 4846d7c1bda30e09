package io.tagfabric.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.PendingAccess;
import io.tagfabric.flow.send.PendingSend;
import io.tagfabric.flow.window.ActiveSettings;
import io.tagfabric.flow.window.ActiveShare;
import io.tagfabric.flow.window.FlowContext;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.PacketBudget;
import io.tagfabric.flow.window.PeerLink;
import io.tagfabric.flow.window.SizeClasses;
import io.tagfabric.flow.window.UnexpectedBudget;
import io.tagfabric.match.Arrival;
import io.tagfabric.progress.PassCount;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.trace.Recorder;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Greeting;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.TaggedArrivals;
import io.tagfabric.wire.TaggedReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;

/** One end of a simulated pair: a flow, a program that sends, and one that receives. */
final class FlowSide implements FlowEvents, TaggedArrivals {
  static final int INCARNATION = 77;
  static final int SMALL_PACKET = 512;

  /** A kind of frame that is taken, and nothing comes of it. */
  static final int IDLE_KIND = 250;

  /** A message that has arrived; bytes is null if it only announced itself. */
  private static final class Waiting {
    final int number;
    final byte[] bytes;
    final long length;
    final long message;
    final boolean wantsFinish;
    int arrived;
    boolean taken;

    Waiting(int number, byte[] bytes, long length, long message, boolean wantsFinish) {
      this.number = number;
      this.bytes = bytes;
      this.length = length;
      this.message = message;
      this.wantsFinish = wantsFinish;
      arrived = bytes == null ? 0 : bytes.length;
    }

    boolean isWhole() {
      return bytes != null && arrived == bytes.length;
    }
  }

  /** An announced message that a receive has taken. */
  private static final class Transfer {
    final Waiting message;
    final byte[] bytes;
    int clearedTo;
    int arrived;

    Transfer(Waiting message, int wanted) {
      this.message = message;
      this.bytes = new byte[wanted];
    }
  }

  final Flow flow;
  final LossyWire out;
  final PassCount passes = new PassCount();
  final PacketPool pool;
  final UnexpectedBudget budget;
  boolean matcherLags;
  final List<SimulatedSend> sends = new ArrayList<>();
  FlowSide other;
  int lost;

  /** How accesses to memory have ended. */
  final List<String> accessEnds = new ArrayList<>();

  FabricError lostError;
  String lostDetail;

  /** What could not be said. */
  FabricError goodbyeUnsaid;

  private final FlowSettings settings;
  private final FrameCursor cursor = new FrameCursor();
  private final ArrayDeque<Waiting> unexpected = new ArrayDeque<>();
  private final Map<Long, Transfer> transfers = new HashMap<>();
  private final BitSet matched = new BitSet();
  private final BitSet received = new BitSet();

  /** Those received of which a receive took all that it had room for, at least a byte if any. */
  private final BitSet arrived = new BitSet();

  private final BitSet aborted = new BitSet();
  private final ArrayDeque<Arrival> handedOn = new ArrayDeque<>();
  private Waiting partial;
  private int arrivals;
  private long unexpectedBytes;
  private long nextReceive = 1;
  private boolean dirty;

  FlowSide(
      TimeSource time,
      FlowSettings settings,
      int largestPacket,
      LossyWire out,
      boolean reliable,
      long maxMessage,
      PacketBudget packets) {
    this.settings = settings;
    this.out = out;
    pool = new PacketPool(SMALL_PACKET, largestPacket);
    budget = new UnexpectedBudget(settings.unexpectedBudgetBytes());
    FrameServices services = new FrameServices();
    TaggedReader.register(services, Arrival.copying(this::arrived));
    services.add(IDLE_KIND, (origin, frame) -> {});
    FlowContext context =
        new FlowContext(
            INCARNATION,
            1,
            5,
            maxMessage,
            time,
            passes,
            pool,
            new FrameWriter(),
            budget,
            packets,
            services,
            this,
            Recorder.OFF,
            new ActiveShare(new ActiveSettings(4, 0, 1, 1024, 512, 1_000)));
    EndpointAddress address =
        new EndpointAddress(INCARNATION, 0, "peer", "akka://x", "vm", Map.of());
    flow =
        new Flow(
            context,
            this,
            settings,
            0,
            3,
            new PeerLink(address, "lossy", "", out, reliable, false, 64 * 1024));
  }

  /** What Hello and Welcome do. */
  void establish() {
    flow.established(0, other == null ? Greeting.Limits.NONE : other.flow.limits());
    greet();
  }

  /** Offers a packet that carries credits, as a Hello does. */
  void greet() {
    Packet greeting = pool.acquire(0);
    flow.setUp().seal(greeting);
    flow.setUp().offer(greeting);
    greeting.release();
  }

  SimulatedSend send(int length, CompletionLevel level) {
    SimulatedSend send = SimulatedSend.of(sends.size(), length, level);
    sends.add(send);
    flow.submit(send);
    return send;
  }

  SimulatedSend sendFenced(int length, CompletionLevel level) {
    SimulatedSend send = SimulatedSend.of(sends.size(), length, level);
    send.fence();
    sends.add(send);
    flow.submit(send);
    return send;
  }

  void hear(Packet packet) {
    out.senderHears(packet);
    assertThat(cursor.wrap(packet)).isTrue();
    flow.onPacket(packet, cursor);
  }

  /** Flushes as the endpoint does at the end of a pass. */
  int flushIfNeeded() {
    if (!dirty) {
      return 0;
    }
    // As a pass does: it flushes when all that it has handed on is handled.
    runMatcher();
    dirty = false;
    return flow.flush();
  }

  boolean isDirty() {
    return dirty;
  }

  /** Takes a send back as the program's cancel does; false if it is too late. */
  boolean cancel(int number) {
    SimulatedSend send = sends.get(number);
    PendingSend taken = flow.withdraw(each -> each == send);
    if (taken == null) {
      return false;
    }
    assertThat(taken).isSameAs(send);
    send.cancelled = true;
    onSendFailed(send, FabricError.CANCELED, "cancelled");
    return true;
  }

  /** Posts a receive for the oldest message that waits. */
  boolean receive(int capacity) {
    Waiting waiting = unexpected.pollFirst();
    if (waiting == null) {
      return false;
    }
    matched.set(waiting.number);
    waiting.taken = true;
    if (waiting.bytes != null) {
      unexpectedBytes -= waiting.bytes.length;
      if (waiting.isWhole()) {
        check(waiting.number, waiting.bytes, waiting.bytes.length);
      }
      flow.origin().consumed(waiting.bytes.length);
    } else {
      flow.origin().consumed();
      int wanted = (int) Math.min(waiting.length, capacity);
      long receive = nextReceive++;
      if (wanted == 0) {
        received.set(waiting.number);
        arrived.set(waiting.number, waiting.length == 0);
        flow.origin().announced().clear(waiting.message, receive, 0, 0, 0, null);
      } else {
        Transfer transfer = new Transfer(waiting, wanted);
        transfers.put(receive, transfer);
        askForMore(transfer, receive);
      }
    }
    return true;
  }

  private void askForMore(Transfer transfer, long receive) {
    SizeClasses sizes = settings.sizes();
    int underWay = transfer.clearedTo - transfer.arrived;
    long more = (sizes.bytesUnderWay() - underWay) / sizes.windowBytes() * sizes.windowBytes();
    int before = transfer.clearedTo;
    transfer.clearedTo = (int) Math.min(transfer.bytes.length, before + more);
    if (transfer.clearedTo > before) {
      flow.origin()
          .announced()
          .clear(
              transfer.message.message,
              receive,
              transfer.bytes.length,
              transfer.clearedTo,
              transfer.clearedTo - before,
              null);
    }
  }

  private void check(int number, byte[] bytes, int length) {
    assertThat(received.get(number)).as("message %d received before", number).isFalse();
    received.set(number);
    arrived.set(number);
    SimulatedSend send = other.sends.get(number);
    assertThat(send.failures == 0 || send.mayHaveArrived())
        .as("message %d was said not to arrive", number)
        .isTrue();
    for (int i = 0; i < length; i++) {
      if (bytes[i] != SimulatedSend.byteAt(number, i)) {
        throw new AssertionError("message " + number + " differs at byte " + i + " of " + length);
      }
    }
  }

  /** Something was handed on: it is taken at once, or a matcher that lags takes it later. */
  private void arrived(Arrival arrival) {
    handedOn.addLast(arrival);
    if (!matcherLags) {
      runMatcher();
    }
  }

  /** Takes what was handed on. */
  void runMatcher() {
    Arrival arrival;
    while ((arrival = handedOn.pollFirst()) != null) {
      arrival.tell(this);
    }
    assertThat(unexpectedBytes)
        .isLessThanOrEqualTo(
            Math.min(settings.eagerCreditBytes(), settings.unexpectedBudgetBytes()));
    assertThat(unexpected.size()).isLessThanOrEqualTo(settings.messageCredits());
  }

  @Override
  public void datagram(FrameOrigin origin, MessageView message) {
    throw new AssertionError("a datagram came that nobody sent");
  }

  @Override
  public void whole(FrameOrigin origin, MessageView message) {
    byte[] bytes = new byte[message.length()];
    message.buffer().getBytes(message.offset(), bytes);
    arrived(message);
    keep(new Waiting((int) message.tag(), bytes, bytes.length, 0, false));
  }

  @Override
  public void first(FrameOrigin origin, MessageView part, long message, long total) {
    assertThat(partial).as("message begun before").isNull();
    arrived(part);
    byte[] bytes = new byte[(int) total];
    partial = new Waiting((int) part.tag(), bytes, bytes.length, message, false);
    partial.arrived = 0;
    keep(partial);
    origin.awaitsRest(true);
    addPart(part.buffer(), part.offset(), part.length());
  }

  @Override
  public void next(
      FrameOrigin origin, long message, long position, DirectBuffer bytes, int offset, int length) {
    assertThat(message).isEqualTo(partial.message);
    assertThat(position).isEqualTo(partial.arrived);
    addPart(bytes, offset, length);
  }

  @Override
  public void announced(
      FrameOrigin origin,
      MessageView envelope,
      long message,
      long length,
      boolean wantsFinish,
      MemoryKey memory) {
    arrived(envelope);
    keep(new Waiting((int) envelope.tag(), null, length, message, wantsFinish));
  }

  @Override
  public void aborted(FrameOrigin origin, long message, int errorCode) {
    assertThat(errorCode).isEqualTo(FabricError.CANCELED.code());
    abort(message);
  }

  private void keep(Waiting waiting) {
    unexpected.addLast(waiting);
    unexpectedBytes += waiting.bytes == null ? 0 : waiting.bytes.length;
  }

  private void addPart(DirectBuffer bytes, int at, int length) {
    bytes.getBytes(at, partial.bytes, partial.arrived, length);
    partial.arrived += length;
    if (partial.isWhole()) {
      if (partial.taken) {
        check(partial.number, partial.bytes, partial.bytes.length);
      }
      flow.origin().awaitsRest(false);
      partial = null;
    }
  }

  private void abort(long message) {
    if (partial != null && partial.message == message) {
      aborted.set(partial.number);
      if (unexpected.remove(partial)) {
        unexpectedBytes -= partial.bytes.length;
        flow.origin().consumed(partial.bytes.length);
      }
      flow.origin().awaitsRest(false);
      partial = null;
      return;
    }
    for (Waiting waiting : unexpected) {
      if (waiting.message == message && waiting.bytes == null) {
        unexpected.remove(waiting);
        aborted.set(waiting.number);
        flow.origin().consumed();
        return;
      }
    }
    for (Map.Entry<Long, Transfer> each : transfers.entrySet()) {
      Transfer transfer = each.getValue();
      if (transfer.message.message == message) {
        transfers.remove(each.getKey());
        aborted.set(transfer.message.number);
        flow.origin().announced().settled(transfer.clearedTo - transfer.arrived);
        return;
      }
    }
    // Taken by a receive that wanted no byte of it; the sender did not know yet.
    assertThat(received.cardinality()).isPositive();
  }

  private void arrived(MessageView message) {
    while (arrivals < other.sends.size() && other.sends.get(arrivals).wasNeverSent()) {
      arrivals++;
    }
    assertThat(message.tag()).as("next message in order").isEqualTo(arrivals);
    boolean hasData = arrivals % 3 == 0;
    assertThat(message.hasData()).isEqualTo(hasData);
    assertThat(message.data()).isEqualTo(hasData ? ~arrivals : 0);
    arrivals++;
  }

  @Override
  public void data(
      FrameOrigin origin, long receive, long position, DirectBuffer bytes, int offset, int length) {
    flow.origin().announced().settled(length);
    Transfer transfer = transfers.get(receive);
    assertThat(transfer).as("transfer %d", receive).isNotNull();
    assertThat(position).isEqualTo(transfer.arrived);
    assertThat(position + length).as("bytes asked for").isLessThanOrEqualTo(transfer.clearedTo);
    bytes.getBytes(offset, transfer.bytes, (int) position, length);
    transfer.arrived += length;
    if (transfer.arrived < transfer.bytes.length) {
      askForMore(transfer, receive);
      return;
    }
    transfers.remove(receive);
    check(transfer.message.number, transfer.bytes, transfer.bytes.length);
    if (transfer.message.wantsFinish) {
      flow.origin().announced().finish(transfer.message.message, 0);
    }
  }

  @Override
  public void placed(FrameOrigin origin, long receive, long position, int length) {
    throw new AssertionError("no memory is shared");
  }

  @Override
  public void onSendCompleted(PendingSend send) {
    if (send instanceof PendingAccess) {
      accessEnds.add("done");
      return;
    }
    SimulatedSend ended = (SimulatedSend) send;
    ended.completions++;
    assertThat(ended.ends()).as("ends of message %d", ended.number).isEqualTo(1);
    switch (ended.level()) {
      case MATCH ->
          assertThat(other.received.get(ended.number))
              .as("received before the sender knows")
              .isTrue();
      case DELIVERY, TRANSMIT ->
          assertThat(other.has(ended.number)).as("at the peer before the sender knows").isTrue();
      default -> {
        // says nothing about the peer
      }
    }
    ended.overwrite();
  }

  private boolean has(int number) {
    return received.get(number)
        || unexpected.stream().anyMatch(each -> each.number == number && each.isWhole());
  }

  @Override
  public void onSendFailed(PendingSend send, FabricError error, String detail) {
    if (send instanceof PendingAccess) {
      accessEnds.add(error.name());
      return;
    }
    SimulatedSend ended = (SimulatedSend) send;
    ended.failures++;
    assertThat(send.mayHaveArrived() || !other.arrived.get(ended.number))
        .as("message %d is said not to have arrived", ended.number)
        .isTrue();
    ended.error = error;
    ended.detail = detail;
    assertThat(ended.ends()).as("ends of message %d", ended.number).isEqualTo(1);
    ended.overwrite();
  }

  @Override
  public void onGoodbyeUnsaid(Flow from, FabricError error) {
    goodbyeUnsaid = error;
  }

  @Override
  public void onLost(Flow from, FabricError error, String detail) {
    lost++;
    lostError = error;
    lostDetail = detail;
    runMatcher();
    transfers.clear();
  }

  @Override
  public void onChannelClosed(Flow from, String detail) {
    flow.end().lose(FabricError.SHUTDOWN, detail);
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
        + flow.timer().isNeeded()
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

  int abortedMessages() {
    return aborted.cardinality();
  }

  /** Whether all sends have ended and the other side has received all that were not cancelled. */
  boolean isDone() {
    return !flow.hasUnfinishedSends()
        && sends.stream()
            .allMatch(
                send ->
                    send.ends() == 1
                        && (other.received.get(send.number)
                            || other.aborted.get(send.number)
                            || send.wasNeverSent()));
  }
}
