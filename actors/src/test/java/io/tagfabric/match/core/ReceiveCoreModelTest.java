package io.tagfabric.match.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.Claim;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.Probe;
import io.tagfabric.match.ProbeKind;
import io.tagfabric.match.ProbeListener;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.match.core.NaiveReceives.Kind;
import io.tagfabric.match.core.NaiveReceives.Message;
import io.tagfabric.match.core.NaiveReceives.Wanted;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.MessageViews;
import io.tagfabric.wire.Packet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Random programs and arrivals, step by step beside {@link NaiveReceives}: the same events in the
 * same order, and every byte where it belongs. A failure prints the seed.
 */
class ReceiveCoreModelTest {
  private static final int PEERS = NaiveReceives.PEERS;

  /** A receive's buffer and name, given as the context of the receive. */
  @SuppressWarnings("ArrayRecordComponent") // compared by identity of the context
  private record Slot(String name, byte[] buffer, int offset, int capacity) {}

  private final List<CompletionEntry> entries = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private ScriptedOrigin[] origins = {};
  private final Map<String, Object> contexts = new HashMap<>();
  private final NaiveReceives model = new NaiveReceives();
  private final ReceiveCore receives = new ReceiveCore(2, this::entry);
  private final ArrivingPackets packets = new ArrivingPackets(receives);
  private Random random = new Random(0);
  private int numbers;

  /** Messages, receives and probes without a tag. */
  private final Set<Integer> untaggedMessages = new HashSet<>();

  private final Set<String> untaggedNames = new HashSet<>();
  private final Claim[] claims = {new Claim(), new Claim(), new Claim()};

  /** Events before this one have been compared. */
  private int compared;

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void shouldDoAsTheModelDoes(@ForAll long seed) {
    ReceiveCoreModelTest fresh = new ReceiveCoreModelTest();
    fresh.random = new Random(seed);
    fresh.run();
  }

  private void run() {
    boolean shares = random.nextBoolean();
    if (shares) {
      receives.share(model::reaches);
    }
    origins = new ScriptedOrigin[shares ? 2 * PEERS : PEERS];
    for (int i = 0; i < origins.length; i++) {
      ScriptedOrigin origin = new ScriptedOrigin(i % PEERS);
      origin.announced.windowBytes = 1 + random.nextInt(25);
      origin.announced.windows = 1 + random.nextInt(3);
      origin.announced.onClear = this::cleared;
      origin.announced.onFinish = this::finished;
      origins[i] = origin;
      model.peers.add(
          new NaiveReceives.Peer(origin.announced.windowBytes, origin.announced.windows));
    }
    int steps = 20 + random.nextInt(150);
    for (int i = 0; i < steps; i++) {
      step(random.nextInt(100));
      compare();
    }
    int posted = model.posted.size();
    model.close();
    assertThat(receives.close()).isEqualTo(posted);
    compare();
    for (int i = 0; i < 10; i++) {
      step(random.nextInt(100));
      compare();
    }
    while (!model.moving.isEmpty()) {
      data();
      compare();
    }
    for (ScriptedOrigin origin : origins) {
      assertThat(origin.announced.settledBytes).isEqualTo(origin.announced.askedBytes);
    }
  }

  private void step(int dice) {
    if (dice < 32) {
      post();
    } else if (dice < 64) {
      arrive();
    } else if (dice < 82) {
      if (!model.moving.isEmpty()) {
        data();
      }
    } else if (dice < 85) {
      abort();
    } else if (dice < 89) {
      cancel();
    } else if (dice < 93) {
      String name = "subscription" + numbers++;
      TagSelector selector = selector();
      int maxLength = 5 + random.nextInt(40);
      contexts.put(name, name);
      model.subscribe(name, selector, maxLength);
      receives.subscribe(
          new Subscription(selector, name, maxLength, message -> delivered(name, message)));
    } else if (dice < 97) {
      String name = "subscription" + random.nextInt(numbers + 1);
      model.unsubscribe(name);
      receives.unsubscribe(name);
    } else if (dice == 97) {
      loseFlow(random.nextInt(origins.length));
    }
    if (random.nextInt(4) == 0) {
      probe();
    }
    if (random.nextInt(8) == 0) {
      datagram();
    }
  }

  private TagSelector selector() {
    long ignore = new long[] {0, 0, 0, 1, 3, -1}[random.nextInt(6)];
    return new TagSelector(random.nextInt(6), ignore, random.nextInt(PEERS + 2) % (PEERS + 1) - 1);
  }

  private Wanted wanted(String name) {
    boolean untagged = random.nextInt(4) == 0;
    if (untagged) {
      untaggedNames.add(name);
      return new Wanted(true, new TagSelector(0, 0, selector().source()));
    }
    return Wanted.tagged(selector());
  }

  private static TaggedReceive receiveOf(Wanted wanted) {
    TagSelector selector = wanted.selector();
    return wanted.untagged()
        ? TaggedReceive.untagged(selector.source())
        : TaggedReceive.of(selector);
  }

  private void post() {
    int capacity = random.nextInt(40);
    if (random.nextInt(3) == 0) {
      String name = "whole" + numbers++;
      Wanted wanted = wanted(name);
      contexts.put(name, name);
      model.post(name, wanted, capacity);
      receives.post(
          PostedReceive.ofMessage(receiveOf(wanted).atMost(capacity), name, listener(name)));
    } else {
      String name = "receive" + numbers++;
      Wanted wanted = wanted(name);
      int offset = random.nextInt(3);
      byte[] buffer = new byte[offset + capacity + 2];
      Arrays.fill(buffer, (byte) 0x77);
      Slot slot = new Slot(name, buffer, offset, capacity);
      contexts.put(name, slot);
      model.post(name, wanted, capacity);
      TagSelector selector = wanted.selector();
      UnsafeBuffer view = new UnsafeBuffer(buffer);
      if (wanted.untagged() || random.nextBoolean()) {
        receives.post(
            PostedReceive.into(receiveOf(wanted).into(view, offset, capacity), slot, null));
      } else {
        receives.post(
            null,
            view,
            offset,
            capacity,
            selector.tag(),
            selector.ignore(),
            selector.source(),
            false,
            slot);
      }
    }
  }

  /** A probe, or what ends a claim, which may hold nothing. */
  private void probe() {
    String name = "probe" + numbers++;
    int number = random.nextInt(claims.length);
    String claim = "claim" + number;
    boolean toQueue = random.nextBoolean();
    ProbeListener listener = toQueue ? null : probeListener(name);
    Slot slot = new Slot(name, new byte[0], 0, 0);
    switch (random.nextInt(5)) {
      case 0 -> {
        model.discard(name, claim);
        receives.probe(Probe.discard(claims[number]), slot, listener);
      }
      case 1 -> postClaimed(name, claim, claims[number], toQueue);
      default -> {
        ProbeKind kind = probeKind();
        Wanted wanted = wanted(name);
        model.probe(name, kind, wanted, claim);
        receives.probe(probeOf(kind, wanted, claims[number]), slot, listener);
      }
    }
  }

  private static Probe probeOf(ProbeKind kind, Wanted wanted, Claim claim) {
    TagSelector selector = wanted.selector();
    int source = selector.source();
    return switch (kind) {
      case PEEK -> wanted.untagged() ? Probe.peekUntagged(source) : Probe.peek(selector);
      case CLAIM ->
          wanted.untagged() ? Probe.claimUntagged(source, claim) : Probe.claim(selector, claim);
      case DISCARD -> wanted.untagged() ? Probe.discardUntagged(source) : Probe.discard(selector);
    };
  }

  private ProbeKind probeKind() {
    return switch (random.nextInt(3)) {
      case 0 -> ProbeKind.PEEK;
      case 1 -> ProbeKind.CLAIM;
      default -> ProbeKind.DISCARD;
    };
  }

  private void postClaimed(String name, String modelled, Claim claim, boolean toQueue) {
    int capacity = 1 + random.nextInt(40);
    model.postClaimed(name, modelled, capacity);
    PostedReceive receive;
    if (toQueue) {
      byte[] buffer = new byte[capacity];
      Slot slot = new Slot(name, buffer, 0, capacity);
      receive =
          PostedReceive.into(
              TaggedReceive.of(claim).into(new UnsafeBuffer(buffer), 0, capacity), slot, null);
    } else {
      receive =
          PostedReceive.ofMessage(TaggedReceive.of(claim).atMost(capacity), name, listener(name));
    }
    receives.post(receive);
  }

  private ProbeListener probeListener(String name) {
    return new ProbeListener() {
      @Override
      public void onFound(MessageInfo message) {
        drainEntries();
        events.add(
            name
                + " found "
                + message.source()
                + " "
                + (message.tagged() ? message.tag() : "untagged")
                + " "
                + message.lengthBytes());
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        drainEntries();
        assertThat(failure.tagged()).isEqualTo(!untaggedNames.contains(name));
        events.add(name + " failed " + failure.error());
      }
    };
  }

  /** One packet with one to three frames of one peer. */
  private void arrive() {
    int flow = random.nextInt(origins.length);
    if (!model.lostFlows.contains(flow)) {
      packets.bring(
          origins[flow],
          packet -> {
            int count = 1 + random.nextInt(3);
            for (int i = 0; i < count; i++) {
              writeFrame(packet, flow);
            }
          });
    }
  }

  private void datagram() {
    int flow = random.nextInt(origins.length);
    boolean untagged = random.nextInt(4) == 0;
    int number = ++numbers;
    int length = random.nextInt(45);
    Message sent =
        new Message(
            number, flow, untagged, untagged ? 0 : random.nextInt(6), length, Kind.WHOLE, false);
    MessageView message = MessageViews.of(sent.tag(), (long) number, payload(number, length));
    if (untagged) {
      untaggedMessages.add(number);
      message.showUntagged();
    }
    int dropped = origins[flow].droppedDatagrams;
    boolean taken = model.datagram(sent);
    receives.datagram(origins[flow], message);
    assertThat(origins[flow].droppedDatagrams - dropped).isEqualTo(taken ? 0 : 1);
  }

  private void writeFrame(Packet packet, int flow) {
    NaiveReceives.Partial partial = model.peers.get(flow).partial;
    if (partial != null && random.nextBoolean()) {
      int count = random.nextInt(partial.message.length() - partial.arrived + 1);
      UnsafeBuffer bytes = payloadOf(partial.message);
      long number = partial.message.number();
      packets.writer.eagerNext(packet, number, partial.arrived, bytes, partial.arrived, count);
      model.part(flow, count);
      return;
    }
    int number = ++numbers;
    int length = random.nextInt(4) == 0 ? 0 : random.nextInt(45);
    Kind kind = kind(partial == null);
    boolean untagged = random.nextInt(4) == 0;
    long tag = untagged ? 0 : random.nextInt(6);
    Message sent = new Message(number, flow, untagged, tag, length, kind, random.nextBoolean());
    Long data = number % 2 == 0 ? (long) number : null;
    MessageView message = MessageViews.of(tag, data, payload(number, length));
    if (untagged) {
      untaggedMessages.add(number);
      message.showUntagged();
    }
    model.arrive(sent);
    switch (kind) {
      case WHOLE -> packets.writer.eager(packet, message);
      case ANNOUNCED ->
          packets.writer.requestToSend(packet, message, number, sent.wantsFinish(), null);
      case IN_PARTS -> {
        int count = random.nextInt(length + 1);
        packets.writer.eagerFirst(packet, message, number, count);
        model.part(flow, count);
      }
    }
  }

  private Kind kind(boolean mayBegin) {
    return switch (random.nextInt(mayBegin ? 3 : 2)) {
      case 0 -> Kind.WHOLE;
      case 1 -> Kind.ANNOUNCED;
      default -> Kind.IN_PARTS;
    };
  }

  /** Bytes that were asked for, in one or two frames. */
  private void data() {
    List<Integer> moving = new ArrayList<>(model.moving.keySet());
    int number = moving.get(random.nextInt(moving.size()));
    Message message = model.moving.get(number).message;
    packets.bring(
        origins[message.flow()],
        packet -> {
          for (int i = 0; i < 2 && model.moving.containsKey(number); i++) {
            NaiveReceives.Moving each = model.moving.get(number);
            int count = 1 + random.nextInt(each.underWay());
            packets.writer.data(
                packet, each.receive, each.arrived, payloadOf(message), each.arrived, count);
            model.data(number, count);
          }
        });
  }

  /** A message is given up by its number, which may be over. */
  private void abort() {
    int flow = random.nextInt(origins.length);
    if (model.lostFlows.contains(flow)) {
      return;
    }
    List<Integer> unfinished = new ArrayList<>(List.of(random.nextInt(numbers + 1)));
    model.moving.keySet().forEach(unfinished::add);
    model.unexpected.stream().filter(Message::isAnnounced).forEach(m -> unfinished.add(m.number()));
    model.claimed.values().stream()
        .filter(Message::isAnnounced)
        .forEach(m -> unfinished.add(m.number()));
    NaiveReceives.Partial partial = model.peers.get(flow).partial;
    if (partial != null) {
      unfinished.add(partial.message.number());
    }
    int number = unfinished.get(random.nextInt(unfinished.size()));
    model.abort(flow, number);
    packets.bring(
        origins[flow], packet -> packets.writer.abort(packet, number, FabricError.CANCELED.code()));
  }

  private static UnsafeBuffer payloadOf(Message message) {
    return new UnsafeBuffer(payload(message.number(), message.length()));
  }

  private static byte[] payload(int number, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (number * 13 + i);
    }
    return bytes;
  }

  private void cancel() {
    List<String> names = new ArrayList<>(contexts.keySet());
    if (!names.isEmpty()) {
      String name = names.get(random.nextInt(names.size()));
      boolean waits = model.posted.stream().anyMatch(each -> each.name.equals(name));
      model.cancel(name);
      assertThat(receives.cancel(contexts.get(name))).as(name).isEqualTo(waits);
    }
  }

  private void loseFlow(int flow) {
    if (model.lostFlows.contains(flow)) {
      return;
    }
    origins[flow].lost = true;
    boolean ofPeer = random.nextInt(3) > 0;
    model.flowLost(flow, ofPeer);
    if (ofPeer) {
      receives.peerLost(flow % PEERS, FabricError.CONNECTION_RESET, "lost", true);
    } else {
      receives.flowLost(flow % PEERS, FabricError.CONNECTION_RESET, "lost");
    }
    drainEntries();
    // Transfers end in no certain order.
    List<String> expected = model.events.subList(compared, model.events.size());
    List<String> actual = events.subList(compared, events.size());
    assertThat(actual).containsExactlyInAnyOrderElementsOf(expected);
    actual.clear();
    events.addAll(expected);
  }

  // ---- what the context tells ----

  private CompletionEntry entry() {
    drainEntries();
    CompletionEntry entry = new CompletionEntry();
    entries.add(entry);
    return entry;
  }

  private void cleared(ScriptedAnnounced.Clear clear) {
    drainEntries();
    assertThat(clear.target()).isNull();
    events.add(
        "clear "
            + clear.message()
            + " for "
            + clear.receive()
            + " "
            + clear.wanted()
            + " to "
            + clear.clearedTo());
  }

  private void finished(ScriptedAnnounced.Finish finish) {
    drainEntries();
    assertThat(finish.errorCode()).isZero();
    events.add("finish " + finish.message());
  }

  private ReceiveListener listener(String name) {
    return new ReceiveListener() {
      @Override
      public void onReceived(TaggedMessage message) {
        delivered(name, message);
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        drainEntries();
        assertThat(failure.context()).isEqualTo(name);
        assertThat(untaggedNames.contains(name) && failure.tagged()).isFalse();
        events.add(name + " failed " + words(failure));
      }
    };
  }

  private static String words(Completion.Failed failure) {
    boolean truncated = failure.error() == FabricError.TRUNCATED;
    return failure.error()
        + (truncated ? " " + failure.length() + "+" + failure.overflowLength() : "");
  }

  private void delivered(String name, TaggedMessage message) {
    drainEntries();
    byte[] bytes = message.payload().array();
    int number = numberOf(name, message.hasData(), message.data(), bytes);
    assertThat(bytes).isEqualTo(payload(number, bytes.length));
    events.add(name + " got " + number + " of " + bytes.length);
  }

  /** Every second message says its number; of the others the first byte tells, or the model. */
  private int numberOf(String name, boolean hasData, long data, byte[] bytes) {
    if (hasData) {
      return (int) data;
    }
    String got = name + " got ";
    long before = events.stream().skip(compared).filter(event -> event.startsWith(got)).count();
    String expected =
        model.events.stream()
            .skip(compared)
            .filter(event -> event.startsWith(got))
            .skip(before)
            .findFirst()
            .orElseThrow(() -> new AssertionError(got + "a message that the model does not give"));
    int number = Integer.parseInt(expected.replaceAll(".* got (\\d+) of.*", "$1"));
    assertThat(bytes.length == 0 || bytes[0] == (byte) (number * 13)).isTrue();
    return number;
  }

  private void drainEntries() {
    for (CompletionEntry entry : entries) {
      Slot slot = (Slot) entry.context();
      int placed = (int) entry.length();
      if (slot.name.startsWith("probe")
          && entry.kind() == CompletionEntry.Kind.RECEIVED
          && slot.buffer.length == 0) {
        String tag = entry.tagged() ? String.valueOf(entry.tag()) : "untagged";
        events.add(slot.name + " found " + entry.peer() + " " + tag + " " + placed);
      } else if (entry.kind() == CompletionEntry.Kind.RECEIVED) {
        byte[] bytes = Arrays.copyOfRange(slot.buffer, slot.offset, slot.offset + placed);
        int number = numberOf(slot.name, entry.hasData(), entry.data(), bytes);
        assertThat(bytes).isEqualTo(payload(number, placed));
        assertThat(entry.tagged()).isEqualTo(!untaggedMessages.contains(number));
        events.add(slot.name + " got " + number + " of " + placed);
      } else {
        assertThat(untaggedNames.contains(slot.name) && entry.tagged()).isFalse();
        events.add(slot.name + " failed " + words((Completion.Failed) entry.toCompletion()));
      }
      for (int i = 0; i < slot.buffer.length; i++) {
        if (i < slot.offset || i >= slot.offset + slot.capacity) {
          assertThat(slot.buffer[i]).as("outside of %s at %d", slot, i).isEqualTo((byte) 0x77);
        }
      }
    }
    entries.clear();
  }

  private void compare() {
    drainEntries();
    assertThat(events.subList(compared, events.size()))
        .isEqualTo(model.events.subList(compared, model.events.size()));
    compared = events.size();
    assertThat(receives.state().postedReceives()).isEqualTo(model.posted.size());
    assertThat(receives.state().unexpectedMessages()).isEqualTo(model.unexpected.size());
    assertThat(receives.state().claimedMessages()).isEqualTo(model.claimed.size());
    long bytes = model.heldBytes();
    assertThat(receives.state().unexpectedBytes()).isEqualTo(bytes);
    assertThat(receives.state().peakUnexpectedBytes()).isGreaterThanOrEqualTo(bytes);
    DroppedMessages.Count dropped = receives.dropped();
    assertThat(new DroppedMessages.Count(dropped.whole(), dropped.refused(), null))
        .isEqualTo(model.dropped());
    assertThat(dropped.first() == null).isEqualTo(dropped.whole() + dropped.refused() == 0);
    for (int flow = 0; flow < origins.length; flow++) {
      ScriptedOrigin origin = origins[flow];
      NaiveReceives.Peer peer = model.peers.get(flow);
      assertThat(origin.breaches).isEmpty();
      assertThat(origin.admittedMessages).isEqualTo(peer.admitted);
      assertThat(origin.admittedBytes).isEqualTo(peer.admittedBytes);
      assertThat(origin.consumedMessages).isEqualTo(peer.consumed);
      assertThat(origin.consumedBytes).isEqualTo(peer.consumedBytes);
      assertThat(origin.announced.askedBytes).isEqualTo(peer.asked);
      assertThat(origin.announced.settledBytes).isEqualTo(peer.settled);
    }
  }
}
