package io.tagfabric.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowSettings;
import io.tagfabric.flow.FlowState;
import io.tagfabric.flow.SizeClasses;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.ReceiveContext;
import io.tagfabric.path.PathSettings;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageViews;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.TaggedReader;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two endpoints' cores over a wire that can be cut, under a clock moved by hand. */
class HandshakeTest {
  private static final long MS = 1_000_000L;
  private static final long TIMEOUT = 20_000 * MS;
  private static final UUID JOB = new UUID(1, 2);
  private static final long MAX_MESSAGE = 1_000_000;
  private static final FlowSettings SETTINGS =
      new FlowSettings(
          new SizeClasses(1_000, 0, 128 * 1024, 8),
          Map.of(),
          10_000,
          1 << 20,
          64,
          16,
          1 << 20,
          8,
          MS,
          100 * MS,
          8,
          30_000 * MS,
          TIMEOUT);

  private long nowNs = 7_000 * MS;
  private final RandomSource random = new Random(7)::nextLong;
  private final ProgressLoop loop = new ProgressLoop(() -> nowNs);
  private final LoopTimers timers = loop.timers();
  private final Side a = new Side("a", JOB, 1);
  private final List<String> outcomes = new ArrayList<>();

  /** One endpoint, and its half of the wire. */
  private final class Side implements Provider, Wire, Channel, EndpointLog {
    final EndpointAddress address;
    final AddressTable addresses = new AddressTable();
    final List<Long> offeredMs = new ArrayList<>();
    final List<byte[]> onTheWay = new ArrayList<>();
    final List<String> reports = new ArrayList<>();
    final List<String> news = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();
    final List<CompletionEntry> received = new ArrayList<>();
    final CompletionQueue sent = queue();
    final ReceiveContext receives = new ReceiveContext(4, this::receivedNext);
    final ArrivalDesk desk;
    final EndpointCore core;
    Side other;
    boolean cut;
    boolean full;
    boolean broken;

    Side(String name, UUID job, int partition) {
      address = new EndpointAddress(name.hashCode(), 0, name, "node", "vm", Map.of("fake", "x"));
      PacketPool pool = new PacketPool(1024, 16 * 1024);
      FrameServices services = new FrameServices();
      TaggedReader.register(services, receives);
      desk = new ArrivalDesk(loop.steps(), services, HandshakeTest::defect);
      WireTable wires =
          WireTable.open(
              List.of(this),
              new WireContext(
                  null, Optional.empty(), random, loop, 1, 0, "vm", null, pool, desk, 1),
              new PathTable(PathSettings.ONE, 0));
      core =
          new EndpointCore(
              new EndpointContext(
                  new EndpointIdentity(address, job, partition, 9, "", theirs -> List.of()),
                  addresses,
                  wires,
                  SETTINGS,
                  MAX_MESSAGE,
                  pool,
                  new EndpointTimers(timers, loop.steps(), HandshakeTest::defect),
                  () -> nowNs,
                  random,
                  peer -> true,
                  this),
              desk,
              new SendCompletions(sent),
              new CalledReceives(receives, queue().outbox(), loop.steps()),
              loop.steps());
    }

    private CompletionEntry receivedNext() {
      CompletionEntry entry = new CompletionEntry();
      received.add(entry);
      return entry;
    }

    /** Takes a packet as from its wire. */
    void hear(byte[] packet) {
      desk.onPacket(Packet.received(packet.clone()));
    }

    int insert(Side peer) {
      other = peer;
      peer.other = this;
      return addresses.insert(peer.address);
    }

    void deliver() {
      core.flush();
      List<byte[]> packets = List.copyOf(onTheWay);
      onTheWay.clear();
      packets.forEach(other::hear);
    }

    @Override
    public boolean offer(Packet packet) {
      if (full) {
        return false;
      }
      offeredMs.add(nowNs / MS - 7_000);
      if (!cut) {
        onTheWay.add(Arrays.copyOf(packet.array(), packet.length()));
      }
      return true;
    }

    @Override
    public String name() {
      return "fake";
    }

    @Override
    public ProviderCapabilities capabilities() {
      return new ProviderCapabilities("anything", false, 16 * 1024);
    }

    @Override
    public Optional<String> unavailableBecause(WireContext context) {
      return Optional.empty();
    }

    @Override
    public Wire open(WireContext context) {
      return this;
    }

    @Override
    public String address() {
      return "x";
    }

    @Override
    public Optional<String> unreachableBecause(EndpointAddress peer) {
      return Optional.empty();
    }

    @Override
    public Channel connect(EndpointAddress peer) {
      if (broken) {
        throw new IllegalStateException("this address breaks the provider");
      }
      return this;
    }

    @Override
    public String closedBecause() {
      return null;
    }

    @Override
    public void close() {}

    @Override
    public void report(Weight weight, String text) {
      reports.add(text);
      if (weight == Weight.NEWS) {
        news.add(text);
      } else if (weight == Weight.WARNING) {
        warnings.add(text);
      }
    }
  }

  private CompletionQueue queue() {
    return CompletionQueue.open(
        16, loop, ProgressMode.MANUAL, new IdlePolicy(0, 0, 1), behavior -> null);
  }

  private static void defect(RuntimeException failure) {
    throw failure;
  }

  private void sleep(long ms) {
    long endNs = nowNs + ms * MS;
    while (timers.nextDeadlineNs() <= endNs) {
      nowNs = Math.max(nowNs, timers.nextDeadlineNs());
      timers.poll(nowNs);
    }
    nowNs = endNs;
  }

  private void connect(Side from, int peer) {
    from.core.connect(
        peer,
        failure -> outcomes.add(failure == null ? "open" : failure.error() + failure.getMessage()));
  }

  private static FlowState state(Side side) {
    return side.core.flows().get(0).state();
  }

  @Test
  void shouldRepeatItsHelloAtTwiceTheDistanceUntilItGivesUp() {
    a.cut = true;
    int peer = a.insert(new Side("b", JOB, 1));
    connect(a, peer);

    sleep(TIMEOUT / MS - 1);
    assertThat(a.offeredMs)
        .startsWith(0L, 50L, 150L, 350L, 750L, 1550L, 2550L, 3550L)
        .endsWith(18_550L, 19_550L);
    assertThat(outcomes).isEmpty();

    sleep(1_000);
    assertThat(state(a)).isEqualTo(FlowState.LOST);
    assertThat(outcomes).singleElement().asString().contains("TIMED_OUT", "flow.connect-timeout");
    int offered = a.offeredMs.size();
    sleep(10 * TIMEOUT / MS);
    assertThat(a.offeredMs).hasSize(offered);
  }

  @Test
  void shouldConnectWhenTheWireHeals() {
    Side b = new Side("b", JOB, 1);
    int peer = a.insert(b);
    a.cut = true;
    connect(a, peer);
    sleep(1_000);
    a.cut = false;

    sleep(551);
    a.deliver();
    b.deliver();

    assertThat(state(a)).isEqualTo(FlowState.OPEN);
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    assertThat(outcomes).containsExactly("open");
  }

  @Test
  void shouldConnectOnceWhenTheAnswerIsLost() {
    Side b = new Side("b", JOB, 1);
    int peer = a.insert(b);
    b.cut = true;
    connect(a, peer);
    a.deliver();
    b.deliver();
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    assertThat(state(a)).isEqualTo(FlowState.CONNECTING);
    b.cut = false;

    sleep(51);
    a.deliver();
    b.deliver();
    connect(a, peer);

    assertThat(state(a)).isEqualTo(FlowState.OPEN);
    assertThat(a.core.flows()).hasSize(1);
    assertThat(b.core.flows()).hasSize(1);
    assertThat(outcomes).containsExactly("open", "open");
  }

  /** A has given up before its Hello reaches B. */
  private Side answeringTooLate() {
    Side b = new Side("b", JOB, 1);
    connect(a, a.insert(b));
    sleep(TIMEOUT / MS + 1_000);
    assertThat(outcomes).singleElement().asString().contains("TIMED_OUT");
    a.deliver();
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    return b;
  }

  @Test
  void shouldTellAPeerThatAnswersTooLateThatItsFlowHasEnded() {
    Side b = answeringTooLate();

    b.deliver();
    a.deliver();

    assertThat(state(b)).isEqualTo(FlowState.LOST);
    assertThat(b.reports).last().asString().contains("the peer has given this flow up");
  }

  @Test
  void shouldTellItWhenTheChannelHasRoomAgain() {
    Side b = answeringTooLate();
    a.full = true;
    b.deliver();
    sleep(1_000);
    assertThat(a.onTheWay).isEmpty();
    a.full = false;

    sleep(50);
    a.deliver();

    assertThat(state(b)).isEqualTo(FlowState.LOST);
    sleep(1_000);
    assertThat(a.onTheWay).isEmpty();
  }

  @Test
  void shouldFindOutWhomToTellWhenTheAnswerWasLost() {
    Side b = answeringTooLate();
    b.onTheWay.clear();
    boolean accepted = b.core.inject(0, new UnsafeBuffer(new byte[8]), 0, 8, 1);
    assertThat(accepted).isTrue();
    b.core.flush();
    b.onTheWay.clear();

    sleep(200);
    b.deliver();
    a.deliver();
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    b.deliver();
    a.deliver();

    assertThat(state(b)).isEqualTo(FlowState.LOST);
  }

  @Test
  void shouldBeRefusedByAnotherPartitionAndToldWhy() {
    Side b = new Side("b", JOB, 2);
    int peer = a.insert(b);
    connect(a, peer);
    a.deliver();
    b.deliver();

    assertThat(state(a)).isEqualTo(FlowState.LOST);
    assertThat(outcomes)
        .singleElement()
        .asString()
        .contains("KEY_REJECTED", "partition.key of a@node differs from partition.key here")
        .doesNotContain("=1", "=2");
    connect(a, peer);
    assertThat(outcomes).hasSize(2).last().asString().contains("KEY_REJECTED");
  }

  /** The bytes of a key, in either order. */
  private static List<byte[]> bytesOf(UUID key) {
    List<byte[]> bytes = new ArrayList<>();
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      for (long half : new long[] {key.getMostSignificantBits(), key.getLeastSignificantBits()}) {
        bytes.add(ByteBuffer.allocate(Long.BYTES).order(order).putLong(half).array());
      }
    }
    return bytes;
  }

  private static boolean contains(byte[] all, byte[] part) {
    return new String(all, StandardCharsets.ISO_8859_1)
        .contains(new String(part, StandardCharsets.ISO_8859_1));
  }

  @Test
  void shouldTellNobodyTheKeyOfItsJob() {
    UUID secret = new UUID(0x5ec4e7_1234_5678L, 0x5ec4e8_8765_4321L);
    Side b = new Side("b", secret, 1);
    Side c = new Side("c", secret, 2);
    connect(b, b.insert(c));
    b.core.flush();
    List<byte[]> packets = new ArrayList<>(b.onTheWay);
    b.deliver();
    c.core.flush();
    packets.addAll(c.onTheWay);
    c.deliver();

    assertThat(outcomes).singleElement().asString().contains("KEY_REJECTED");
    assertThat(packets).hasSize(2);
    for (byte[] part : bytesOf(secret)) {
      assertThat(packets).noneMatch(packet -> contains(packet, part));
    }
    assertThat(outcomes + " " + b.reports + " " + c.reports)
        .contains("refused [b@node]")
        .doesNotContain(secret.toString(), "5ec4e7");
  }

  @Test
  void shouldAnswerNobodyWithoutTheKeyOfItsJob() {
    Side b = new Side("b", new UUID(9, 9), 1);
    connect(a, a.insert(b));
    b.broken = true;
    a.core.flush();
    List<byte[]> hello = List.copyOf(a.onTheWay);
    for (int i = 0; i < 100; i++) {
      hello.forEach(b::hear);
      sleep(30);
    }
    b.core.flush();

    assertThat(b.core.strangers()).isEqualTo(100);
    assertThat(b.core.flows()).isEmpty();
    assertThat(b.addresses.snapshot().lookup(0)).isNull();
    assertThat(b.onTheWay).isEmpty();
    assertThat(b.reports).hasSize(100);
    assertThat(b.warnings)
        .hasSizeBetween(1, 4)
        .last()
        .asString()
        .contains("without proof", "tagfabric.job.key", "heldBack=")
        .doesNotContain("a@node");

    sleep(TIMEOUT / MS);
    assertThat(outcomes)
        .singleElement()
        .asString()
        .contains("TIMED_OUT", "a peer with another tagfabric.job.key");
  }

  @Test
  void shouldDropEveryGreetingOfWhichOneByteIsChanged() {
    Side b = new Side("b", JOB, 1);
    connect(a, a.insert(b));
    a.core.flush();
    byte[] hello = a.onTheWay.get(0);
    int proven = Packet.HEADER_LENGTH;
    int frameEnd = proven + ByteBuffer.wrap(hello).order(ByteOrder.LITTLE_ENDIAN).getInt(proven);
    for (int i = proven; i < frameEnd; i++) {
      byte[] forged = hello.clone();
      forged[i] ^= 0x10;
      b.hear(forged);
    }
    assertThat(b.core.flows()).isEmpty();
    b.core.flush();
    assertThat(b.onTheWay).isEmpty();
    b.hear(hello);
    assertThat(b.core.flows()).hasSize(1);

    Side c = new Side("c", JOB, 1);
    connect(c, c.insert(a));
    c.deliver();
    a.core.flush();
    byte[] welcome = a.onTheWay.get(a.onTheWay.size() - 1);
    for (int i = proven; i < welcome.length; i++) {
      byte[] forged = welcome.clone();
      forged[i] ^= 0x10;
      c.hear(forged);
    }
    assertThat(state(c)).isEqualTo(FlowState.CONNECTING);
    c.hear(welcome);
    assertThat(state(c)).isEqualTo(FlowState.OPEN);
  }

  @Test
  void shouldRefuseAHelloThatWasUsedBefore() {
    Side b = new Side("b", JOB, 1);
    int peer = a.insert(b);
    connect(a, peer);
    a.core.flush();
    byte[] hello = a.onTheWay.get(0);
    a.deliver();
    b.deliver();
    assertThat(state(b)).isEqualTo(FlowState.OPEN);

    // the same once more is a repeated question, and is answered
    b.hear(hello);
    assertThat(b.core.flows()).hasSize(1);

    // the flow ends, and b gives the peer another chance
    a.core.finishClose();
    int index = b.core.flows().get(0).peer();
    b.core.peerGone(index, FabricError.CONNECTION_RESET, false, "gone");
    b.addresses.remove(index);
    b.onTheWay.clear();
    b.hear(hello);

    assertThat(b.core.flows()).as("no flow comes of it").hasSize(1);
    assertThat(b.reports).last().asString().contains("this Hello was used before");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldWarnOfAPeerThatIsLostButNotOfOneWhoseNodeLeaves(boolean orderly) {
    Side b = new Side("b", JOB, 1);
    int peer = a.insert(b);
    connect(a, peer);
    a.deliver();
    b.deliver();
    a.deliver();
    assertThat(state(a)).isEqualTo(FlowState.OPEN);

    a.core.peerGone(peer, FabricError.CONNECTION_RESET, orderly, "its node is gone");

    String line = "peer [" + b.address + "] lost: its node is gone";
    assertThat(orderly ? a.news : a.warnings).containsExactly(line);
    assertThat(orderly ? a.warnings : a.news).isEmpty();
  }

  @Test
  void shouldNotBringAHelloToAnotherIncarnation() {
    Side b = new Side("b", JOB, 1);
    connect(a, a.insert(b));
    a.core.flush();
    byte[] hello = a.onTheWay.get(0);
    Side restarted = new Side("bb", JOB, 1);
    restarted.hear(hello);

    assertThat(restarted.core.flows()).isEmpty();
    assertThat(restarted.onTheWay).isEmpty();
    assertThat(restarted.core.strangers()).isEqualTo(1);
    assertThat(restarted.warnings).singleElement().asString().contains("meant for incarnation=");
  }

  @Test
  void shouldOutliveAPeersAddressThatBreaksAProvider() {
    Side b = new Side("b", JOB, 1);
    int peer = a.insert(b);
    b.broken = true;
    connect(a, peer);
    a.deliver();
    b.deliver();
    assertThat(b.core.flows()).isEmpty();
    assertThat(b.warnings).singleElement().asString().contains("cannot answer [a@node]");

    b.broken = false;
    sleep(51);
    a.deliver();
    b.deliver();
    assertThat(outcomes).containsExactly("open");
  }

  @Test
  void shouldFailWhoAsksForAnAddressThatBreaksAProvider() {
    a.broken = true;
    connect(a, a.insert(new Side("b", JOB, 1)));

    assertThat(outcomes)
        .singleElement()
        .asString()
        .contains("HOST_UNREACHABLE", "fake=its address is of no use", "breaks the provider");
  }

  @Test
  void shouldKeepWhatAPeerSaysOnOneLine() {
    Side b = new Side("b\n12:00 ERROR forged", JOB, 2);
    connect(b, b.insert(a));
    b.deliver();

    assertThat(a.warnings)
        .singleElement()
        .asString()
        .contains("refused [b\\u000a12:00 ERROR forged@node]")
        .doesNotContain("\n");
  }

  /** A receive of 100 bytes in the middle of a buffer, whose bytes b has been asked for. */
  private Flow transferTo(Side b, UnsafeBuffer buffer) {
    connect(a, a.insert(b));
    a.deliver();
    b.deliver();
    a.receives.post(new PostedReceive(TagSelector.any(), buffer, 200, 100, null));
    forge(
        b,
        writer ->
            packet ->
                writer.requestToSend(
                    packet, MessageViews.of(1, null, new byte[100]), 1, false, null));
    a.deliver();
    return a.core.flows().get(0);
  }

  private long forged;

  /** Brings a frame to a as from b. */
  private void forge(Side b, Function<FrameWriter, Consumer<Packet>> frame) {
    Packet packet = new PacketPool(1024, 1024).acquire(500);
    FrameWriter writer = new FrameWriter();
    frame.apply(writer).accept(packet);
    writer.sealUncounted(packet, b.address.incarnation(), b.core.isolation());
    new PacketHeaderEncoder()
        .wrap(packet.buffer(), 8)
        .sequence(++forged)
        .highestSent(forged)
        .flow(0);
    a.hear(Arrays.copyOf(packet.array(), packet.length()));
  }

  private void forgeData(Side b, long position, int length) {
    byte[] ones = new byte[length];
    Arrays.fill(ones, (byte) 1);
    forge(
        b, writer -> packet -> writer.data(packet, 1, position, new UnsafeBuffer(ones), 0, length));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 15, -1, 1, 100, 1L << 32})
  void shouldLoseWhoSendsBytesThatAreNotTheNext(long position) {
    Side b = new Side("b", JOB, 1);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[500]);
    Flow flow = transferTo(b, buffer);

    forgeData(b, position, 16);

    assertThat(buffer.byteArray()).containsOnly(0);
    assertThat(flow.state()).isEqualTo(FlowState.LOST);
    assertThat(a.received).hasSize(1);
    assertThat(a.received.get(0).error()).isEqualTo(FabricError.PROTOCOL);
    assertThat(a.received.get(0).detail())
        .contains("bytes at position=" + position + " of message=1");
    // it is told, and others can still come
    a.deliver();
    assertThat(state(b)).isEqualTo(FlowState.LOST);
    Side c = new Side("c", JOB, 1);
    connect(c, c.insert(a));
    c.deliver();
    assertThat(a.core.flows()).hasSize(2).last().extracting(Flow::state).isEqualTo(FlowState.OPEN);
  }

  @Test
  void shouldLoseWhoSendsTheSameBytesTwice() {
    Side b = new Side("b", JOB, 1);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[500]);
    Flow flow = transferTo(b, buffer);

    forgeData(b, 0, 50);
    assertThat(flow.state()).isEqualTo(FlowState.OPEN);
    assertThat(Arrays.copyOfRange(buffer.byteArray(), 200, 250)).containsOnly(1);
    forgeData(b, 0, 50);

    assertThat(flow.state()).isEqualTo(FlowState.LOST);
    assertThat(a.received).hasSize(1);
    assertThat(a.received.get(0).error()).isEqualTo(FabricError.PROTOCOL);
  }

  @Test
  void shouldSetUpNothingMoreOnceThePeersAreFixed() {
    Side b = new Side("b", JOB, 1);
    int peer = a.insert(b);
    a.core.fixPeers("it is not listed");
    connect(a, peer);

    assertThat(a.core.flows()).isEmpty();
    assertThat(outcomes)
        .singleElement()
        .asString()
        .contains("BAD_STATE", "peer [b@node] is not connected: it is not listed");

    // a peer may still ask
    connect(b, b.insert(a));
    b.deliver();
    a.deliver();
    connect(a, peer);
    assertThat(outcomes).endsWith("open", "open");
  }

  @Test
  void shouldTellThoseWhoWaitThatTheEndpointIsClosed() {
    int peer = a.insert(new Side("b", JOB, 1));
    a.cut = true;
    connect(a, peer);
    a.core.finishClose();

    assertThat(outcomes).singleElement().asString().contains("CANCELED");
    connect(a, peer);
    assertThat(outcomes).hasSize(2);
  }

  @Test
  void shouldNameAPeerThatIsUnknown() {
    connect(a, 5);

    assertThat(outcomes).singleElement().asString().contains("peer=5 is not in the address vector");
  }
}
