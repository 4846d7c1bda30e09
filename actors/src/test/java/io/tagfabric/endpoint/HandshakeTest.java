package io.tagfabric.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowSettings;
import io.tagfabric.flow.SizeClasses;
import io.tagfabric.match.InboundTransfer;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.ReceiveContext;
import io.tagfabric.match.TransferListener;
import io.tagfabric.path.PathSettings;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameBatchPool;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.MessageViews;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two endpoints' cores over a wire that can be cut, under a clock moved by hand. */
class HandshakeTest {
  private static final long MS = 1_000_000L;
  private static final long TIMEOUT = 20_000 * MS;
  private static final UUID JOB = new UUID(1, 2);
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

  private final LoopTimers timers = new LoopTimers();
  private long nowNs = 7_000 * MS;
  private final Side a = new Side("a", JOB, 1);
  private final List<String> outcomes = new ArrayList<>();

  /** One endpoint, and its half of the wire. */
  private final class Side implements Provider, Wire, Channel, EndpointOutput {
    final EndpointAddress address;
    final AddressTable addresses = new AddressTable();
    final List<Long> offeredMs = new ArrayList<>();
    final List<byte[]> onTheWay = new ArrayList<>();
    final List<String> reports = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();
    final EndpointCore core;
    Side other;
    boolean cut;
    boolean broken;

    Side(String name, UUID job, int partition) {
      address = new EndpointAddress(name.hashCode(), 0, name, "node", "vm", Map.of("fake", "x"));
      FrameBatchPool pool = new FrameBatchPool(1024, 16 * 1024);
      core =
          new EndpointCore(
              new EndpointContext(
                  new EndpointIdentity(address, job, partition, 9, "", theirs -> List.of()),
                  addresses,
                  WireTable.open(
                      List.of(this),
                      new WireContext(null, null, 1, 0, "vm", null, pool, null, 1),
                      new PathTable(PathSettings.ONE, 0)),
                  SETTINGS,
                  pool,
                  timers,
                  () -> nowNs,
                  peer -> true),
              this);
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
      packets.forEach(packet -> other.core.packet(FrameBatch.received(packet)));
    }

    @Override
    public boolean offer(FrameBatch packet) {
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
    public void sent(SendOperation send) {}

    @Override
    public void sendFailed(SendOperation send, FabricError error, String detail) {
      reports.add("send failed: " + error + " " + detail);
    }

    @Override
    public void arrived(FrameBatch batch) {}

    @Override
    public void arrived(FrameOrigin origin, MessageView message) {}

    @Override
    public void transferEnded(InboundTransfer transfer, FabricError error, String detail) {
      reports.add("transfer ended: " + error + " " + detail);
    }

    @Override
    public void channelClosed(Flow flow, String detail) {}

    @Override
    public void peerLost(int peer, FabricError error, String detail) {}

    @Override
    public void report(boolean warning, String text) {
      reports.add(text);
      if (warning) {
        warnings.add(text);
      }
    }
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

  private static Flow.State state(Side side) {
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
    assertThat(state(a)).isEqualTo(Flow.State.LOST);
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

    assertThat(state(a)).isEqualTo(Flow.State.OPEN);
    assertThat(state(b)).isEqualTo(Flow.State.OPEN);
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
    assertThat(state(b)).isEqualTo(Flow.State.OPEN);
    assertThat(state(a)).isEqualTo(Flow.State.CONNECTING);
    b.cut = false;

    sleep(51);
    a.deliver();
    b.deliver();
    connect(a, peer);

    assertThat(state(a)).isEqualTo(Flow.State.OPEN);
    assertThat(a.core.flows()).hasSize(1);
    assertThat(b.core.flows()).hasSize(1);
    assertThat(outcomes).containsExactly("open", "open");
  }

  @Test
  void shouldBeRefusedByAnotherPartitionAndToldWhy() {
    Side b = new Side("b", JOB, 2);
    int peer = a.insert(b);
    connect(a, peer);
    a.deliver();
    b.deliver();

    assertThat(state(a)).isEqualTo(Flow.State.LOST);
    assertThat(outcomes)
        .singleElement()
        .asString()
        .contains("KEY_REJECTED", "partition.key of a@node differs from partition.key here")
        .doesNotContain("=1", "=2");
    connect(a, peer);
    assertThat(outcomes).hasSize(2).last().asString().contains("KEY_REJECTED");
  }

  @Test
  void shouldTellNobodyTheKeyOfItsJob() {
    UUID secret = new UUID(0x5ec4e7, 0x5ec4e8);
    Side b = new Side("b", secret, 1);
    connect(a, a.insert(b));
    a.deliver();
    assertThat(b.onTheWay).isNotEmpty();
    assertThat(b.onTheWay)
        .noneMatch(
            packet -> new String(packet, StandardCharsets.ISO_8859_1).contains(secret.toString()));
    b.deliver();

    assertThat(outcomes).singleElement().asString().contains("job.key of a@node differs");
    assertThat(outcomes + " " + a.reports + " " + b.reports)
        .contains("refused [a@node]")
        .doesNotContain(secret.toString(), JOB.toString());
  }

  @Test
  void shouldOutliveAStrangersAddressThatBreaksAProvider() {
    Side b = new Side("b", new UUID(9, 9), 1);
    connect(a, a.insert(b));
    b.broken = true;
    a.core.flush();
    List<byte[]> hello = List.copyOf(a.onTheWay);
    for (int i = 0; i < 100; i++) {
      hello.forEach(packet -> b.core.packet(FrameBatch.received(packet)));
      sleep(30);
    }

    assertThat(b.core.strangers()).isGreaterThanOrEqualTo(100);
    assertThat(b.reports).hasSizeGreaterThan(100);
    assertThat(b.warnings)
        .hasSizeBetween(1, 4)
        .last()
        .asString()
        .contains("cannot answer [a@node]", "breaks the provider", "heldBack=");

    b.broken = false;
    a.deliver();
    b.deliver();
    assertThat(outcomes).singleElement().asString().contains("KEY_REJECTED");
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
  void shouldKeepWhatAStrangerSaysOnOneLine() {
    Side b = new Side("b\n12:00 ERROR forged", new UUID(9, 9), 1);
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
    Flow flow = a.core.flows().get(0);
    ReceiveContext receives =
        new ReceiveContext(
            4,
            CompletionEntry::new,
            new TransferListener() {
              @Override
              public void onMatched(InboundTransfer transfer) {
                a.core.clear(transfer);
              }

              @Override
              public void onAborted(FrameOrigin origin, long message, FabricError error) {}
            });
    receives.post(new PostedReceive(TagSelector.any(), buffer, 200, 100, null));
    FrameBatch packet = new FrameBatchPool(1024, 1024).acquire(500);
    FrameWriter writer = new FrameWriter();
    writer.requestToSend(packet, MessageViews.of(1, null, new byte[100]), 1, false, null);
    writer.seal(packet).sequence(1);
    packet.origin(flow);
    receives.arrived(packet);
    return flow;
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 15, -1, 1, 100, 1L << 32})
  void shouldLoseWhoSendsBytesThatAreNotTheNext(long position) {
    Side b = new Side("b", JOB, 1);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[500]);
    Flow flow = transferTo(b, buffer);
    byte[] ones = new byte[16];
    Arrays.fill(ones, (byte) 1);

    a.core.onData(flow, 1, position, new UnsafeBuffer(ones), 0, 16);

    assertThat(buffer.byteArray()).containsOnly(0);
    assertThat(flow.state()).isEqualTo(Flow.State.LOST);
    assertThat(a.reports)
        .anyMatch(
            each ->
                each.startsWith("transfer ended: PROTOCOL")
                    && each.contains("bytes at position=" + position + " of message=1"));
    // it is told, and others can still come
    a.deliver();
    assertThat(state(b)).isEqualTo(Flow.State.LOST);
    Side c = new Side("c", JOB, 1);
    connect(c, c.insert(a));
    c.deliver();
    assertThat(a.core.flows()).hasSize(2).last().extracting(Flow::state).isEqualTo(Flow.State.OPEN);
  }

  @Test
  void shouldLoseWhoSendsTheSameBytesTwice() {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[500]);
    Flow flow = transferTo(new Side("b", JOB, 1), buffer);
    byte[] ones = new byte[50];
    Arrays.fill(ones, (byte) 1);

    a.core.onData(flow, 1, 0, new UnsafeBuffer(ones), 0, 50);
    assertThat(flow.state()).isEqualTo(Flow.State.OPEN);
    assertThat(Arrays.copyOfRange(buffer.byteArray(), 200, 250)).containsOnly(1);
    a.core.onData(flow, 1, 0, new UnsafeBuffer(ones), 0, 50);

    assertThat(flow.state()).isEqualTo(Flow.State.LOST);
    assertThat(a.reports).noneMatch(each -> each.startsWith("transfer ended: null"));
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
