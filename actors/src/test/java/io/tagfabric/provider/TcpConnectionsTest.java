package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.tcp.TcpAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dials that fail, connections that break, and what becomes of messages then. */
class TcpConnectionsTest {
  private static final long ANY = ~0L;
  private static final String REMOTE =
      """
      akka.actor.provider = remote
      akka.remote.artery {
        transport = tcp
        canonical { hostname = "127.0.0.1", port = 0 }
      }
      """;

  private final List<ActorSystem<Void>> systems = new ArrayList<>();
  final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    ContractSystems.stop(systems);
  }

  Side open(String providers, String name, String settings) {
    ActorSystem<Void> system = start(providers, name, settings);
    Domain domain = Fabric.get(system).openDomain(name, ProgressMode.AUTO);
    opened.add(0, () -> domain.close(Duration.ofSeconds(5)));
    return new Side(domain, name, Side.QUEUE_SIZE, domain.endpointDefaults());
  }

  private ActorSystem<Void> start(String providers, String name, String settings) {
    ActorSystem<Void> system =
        ContractSystems.start(
            providers, name, (providers.contains("artery") ? REMOTE : "") + settings + common());
    systems.add(system);
    return system;
  }

  /** More settings of all systems. */
  String common() {
    return "";
  }

  /** Places to cut a connection at while it is set up. */
  IntStream cuts() {
    return IntStream.iterate(
        0, bytes -> bytes < 300, bytes -> bytes + (bytes > 210 && bytes < 260 ? 3 : 13));
  }

  /** Why what listens is not the peer. */
  String isSomethingElse() {
    return "does not prove this job's key";
  }

  static void await(BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the deadline").isLessThan(deadlineNs);
      Thread.onSpinWait();
    }
  }

  static List<Endpoint.FlowInfo> flows(Side side) {
    return side.endpoint.futures().flows().toCompletableFuture().join().flows();
  }

  static void exchange(Side near, Side far, int count) {
    int toFar = near.indexOf(far);
    int toNear = far.indexOf(near);
    for (int i = 0; i < count; i++) {
      byte[] there = far.post(toNear, 64, i, 0);
      byte[] back = near.post(toFar, 64, i, 0);
      near.send(toFar, new byte[] {1, (byte) i}, i);
      far.send(toNear, new byte[] {2, (byte) i}, i);
      int ended = i + 1;
      await(() -> near.poll() + far.poll() >= 0 && near.hasEnded(ended) && far.hasEnded(ended));
      assertThat(there).startsWith(1, i);
      assertThat(back).startsWith(2, i);
    }
    assertThat(near.sent).allMatch(Completion.Sent.class::isInstance);
    assertThat(far.sent).allMatch(Completion.Sent.class::isInstance);
  }

  /** Has the near side dial; the far one may not. */
  private static void dial(Side near, Side far) {
    byte[] got = far.post(far.indexOf(near), 64, 12345, 0);
    near.send(near.indexOf(far), new byte[] {5}, 12345);
    await(() -> near.poll() + far.poll() >= 0 && !far.received.isEmpty());
    assertThat(got).startsWith(5);
    near.sent.clear();
    far.received.clear();
  }

  /** A port at which nobody listens. */
  static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void shouldGoByOneConnectionInBothDirections() {
    Side near = open("tcp,artery", "near", "");
    Side far = open("tcp,artery", "far", "");

    exchange(near, far, 3);

    assertThat(flows(near)).extracting(Endpoint.FlowInfo::provider).containsExactly("tcp");
    assertThat(flows(far)).extracting(Endpoint.FlowInfo::provider).containsExactly("tcp");
  }

  @Test
  void shouldConnectANodeWithItself() {
    ActorSystem<Void> system = start("tcp", "one", "");
    Domain domain = Fabric.get(system).openDomain("one", ProgressMode.AUTO);
    opened.add(() -> domain.close(Duration.ofSeconds(5)));
    Side one = new Side(domain, "one", Side.QUEUE_SIZE, domain.endpointDefaults());
    Side other = new Side(domain, "other", Side.QUEUE_SIZE, domain.endpointDefaults());

    exchange(one, other, 3);
    byte[] own = one.post(one.indexOf(one), 64, 77, 0);
    one.send(one.indexOf(one), new byte[] {9}, 77);
    await(() -> one.poll() >= 0 && one.received.size() == 4);

    assertThat(own).startsWith(9);
  }

  @Test
  void shouldGoByTheNextProviderWhenADialIsRefused() throws IOException {
    Side near = open("tcp,artery", "near", "tagfabric.tcp.canonical-port = " + closedPort());
    Side far = open("tcp,artery", "far", "tagfabric.tcp.canonical-port = " + closedPort());

    exchange(near, far, 3);

    assertThat(flows(near)).extracting(Endpoint.FlowInfo::provider).containsExactly("artery");
    assertThat(flows(near).get(0).because())
        .contains("not tcp (it could not be dialled", "refused");
    assertThat(flows(far)).extracting(Endpoint.FlowInfo::provider).containsExactly("artery");
  }

  @Test
  void shouldGoByTheNextProviderWhenADialIsDropped() throws Exception {
    // The system drops what finds no room in the backlog of a listener that accepts nothing.
    ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    opened.add(deaf);
    List<Socket> crowd = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Socket one = new Socket();
      crowd.add(one);
      opened.add(one);
      try {
        one.connect(new InetSocketAddress(deaf.getInetAddress(), deaf.getLocalPort()), 100);
      } catch (IOException full) {
        break;
      }
    }
    String told =
        "tagfabric.tcp { dial-timeout = 300 ms, canonical-port = " + deaf.getLocalPort() + " }";
    Side near = open("tcp,artery", "near", told);
    Side far = open("tcp,artery", "far", told);

    exchange(near, far, 3);

    assertThat(crowd).hasSizeGreaterThan(1);
    assertThat(flows(near)).extracting(Endpoint.FlowInfo::provider).containsExactly("artery");
    assertThat(flows(near).get(0).because()).contains("no answer within");
  }

  @Test
  void shouldGoByTheNextProviderWhenSomethingElseListens() throws Exception {
    ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    opened.add(other);
    Thread answers =
        new Thread(
            () -> {
              try {
                while (true) {
                  try (Socket socket = other.accept()) {
                    socket
                        .getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().write(new byte[200]);
                    socket.getOutputStream().flush();
                    socket.shutdownOutput();
                    socket.getInputStream().readAllBytes();
                  }
                }
              } catch (IOException closed) {
                // the test has ended
              }
            });
    answers.setDaemon(true);
    answers.start();
    String told = "tagfabric.tcp.canonical-port = " + other.getLocalPort();
    Side near = open("tcp,artery", "near", told);
    Side far = open("tcp,artery", "far", told);

    exchange(near, far, 3);

    assertThat(flows(near)).extracting(Endpoint.FlowInfo::provider).containsExactly("artery");
    assertThat(flows(near).get(0).because()).contains(isSomethingElse());
  }

  @Test
  void shouldBeDialledByTheSideThatCannotBe() throws IOException {
    Side hidden =
        open(
            "tcp,artery",
            "hidden",
            "tagfabric.tcp { dial = never, canonical-port = " + closedPort() + " }");
    Side open = open("tcp,artery", "open", "");
    int toHidden = open.indexOf(hidden);
    byte[] got = hidden.post(hidden.indexOf(open), 64, 0, ANY);

    open.send(toHidden, new byte[] {7}, 1);
    await(() -> open.poll() + hidden.poll() >= 0 && !hidden.received.isEmpty());

    assertThat(got).startsWith(7);
    assertThat(flows(hidden)).extracting(Endpoint.FlowInfo::provider).containsExactly("tcp");
    assertThat(flows(open)).extracting(Endpoint.FlowInfo::provider).containsExactly("tcp");
  }

  @Test
  void shouldLoseAndDoubleNothingWhenTheConnectionBreaks() throws IOException {
    Relay relay = new Relay();
    opened.add(relay);
    Side near = open("tcp", "near", "tagfabric.tcp.dial = never");
    Side far = openBehind(relay, "far");
    dial(near, far);
    Random random = new Random(7);
    int toFar = near.indexOf(far);
    int toNear = far.indexOf(near);
    int count = 400;
    List<byte[]> there = new ArrayList<>();
    List<byte[]> back = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      there.add(far.post(toNear, 100_000, i, 0));
      back.add(near.post(toFar, 100_000, i, 0));
    }

    List<byte[]> sentThere = new ArrayList<>();
    List<byte[]> sentBack = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (i % 20 == 0) {
        relay.cutAfter(random.nextInt(300_000));
      }
      sentThere.add(bytes(random));
      sentBack.add(bytes(random));
      near.send(toFar, sentThere.get(i), i, CompletionLevel.TRANSMIT);
      far.send(toNear, sentBack.get(i), i, CompletionLevel.TRANSMIT);
      near.poll();
      far.poll();
    }
    await(() -> near.poll() + far.poll() >= 0 && near.hasEnded(count) && far.hasEnded(count));

    assertThat(near.sent).allMatch(Completion.Sent.class::isInstance);
    assertThat(far.sent).allMatch(Completion.Sent.class::isInstance);
    for (int i = 0; i < count; i++) {
      assertThat(Arrays.copyOf(there.get(i), sentThere.get(i).length)).isEqualTo(sentThere.get(i));
      assertThat(Arrays.copyOf(back.get(i), sentBack.get(i).length)).isEqualTo(sentBack.get(i));
    }
    assertThat(relay.connections()).isGreaterThan(3);
    assertThat(flows(near)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldLoseNothingWhereverTheFirstSetUpBreaks(boolean bothSend) throws IOException {
    Relay relay = new Relay();
    opened.add(relay);
    int port = closedPort();
    relay.to(port);
    String far = "tagfabric.tcp { ports = " + port + ", canonical-port = " + relay.port() + " }";
    ActorSystem<Void> nearSystem = start("tcp,artery", "near", "");
    ActorSystem<Void> farSystem = start("tcp,artery", "far", far);
    for (int bytes : cuts().toArray()) {
      Domain nearDomain = Fabric.get(nearSystem).openDomain("near", ProgressMode.AUTO);
      Domain farDomain = Fabric.get(farSystem).openDomain("far", ProgressMode.AUTO);
      Side from = new Side(nearDomain, "near", Side.QUEUE_SIZE, nearDomain.endpointDefaults());
      Side to = new Side(farDomain, "far", Side.QUEUE_SIZE, farDomain.endpointDefaults());
      relay.cutAfter(bytes);
      if (bothSend) {
        exchange(from, to, 2);
      } else {
        byte[] got = to.post(64, 7);
        from.send(from.indexOf(to), new byte[] {9}, 7, CompletionLevel.DELIVERY);
        await(() -> from.poll() + to.poll() >= 0 && from.sent.size() + to.received.size() == 2);
        assertThat(from.sent).allMatch(Completion.Sent.class::isInstance);
        assertThat(got).startsWith(9);
        from.sent.clear();
        to.received.clear();
        exchange(from, to, 2);
      }
      nearDomain.close(Duration.ofSeconds(5));
      farDomain.close(Duration.ofSeconds(5));
    }
  }

  @Test
  void shouldGoByTheNextProviderWhenThePeersKeyIsAnother() {
    Side near = open("tcp,artery", "near", "tagfabric.job.key = " + new UUID(1, 1));
    Side far = open("tcp,artery", "far", "tagfabric.job.key = " + new UUID(2, 2));

    near.send(near.indexOf(far), new byte[] {1}, 1);

    await(() -> near.poll() + far.poll() >= 0 && flows(near).get(0).provider().equals("artery"));
    assertThat(flows(near).get(0).because()).contains("tagfabric.job.key is another");
    assertThat(flows(far)).as("nor does artery bring a stranger").isEmpty();
  }

  @Test
  void shouldGoByTheNextProviderWhenAnotherNodeListensAtItsPlace() throws IOException {
    Side other = open("tcp", "other", "");
    String place = other.endpoint.address().providers().get("tcp");
    int port = TcpAddress.parse(place).orElseThrow().port();
    Side near = open("tcp,artery", "near", "tagfabric.tcp.dial = never");
    Side far = open("tcp,artery", "far", "tagfabric.tcp.canonical-port = " + port);
    byte[] got = far.post(far.indexOf(near), 64, 7, 0);

    near.send(near.indexOf(far), new byte[] {9}, 7);

    await(() -> near.poll() + far.poll() >= 0 && !far.received.isEmpty());
    assertThat(got).startsWith(9);
    assertThat(flows(near)).extracting(Endpoint.FlowInfo::provider).containsExactly("artery");
    assertThat(flows(near).get(0).because()).contains("another node listens there now");
    assertThat(flows(other)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldBringAllThatWasAcceptedWhenTheDomainCloses(boolean breaks) throws IOException {
    Relay relay = new Relay();
    opened.add(relay);
    Side near = open("tcp", "near", "tagfabric.tcp.dial = never");
    Side far = openBehind(relay, "far");
    dial(near, far);
    int count = 200;
    List<byte[]> got = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      got.add(far.post(far.indexOf(near), 100_000, i, 0));
    }
    if (breaks) {
      relay.cutAfter(300_000);
    }
    for (int i = 0; i < count; i++) {
      near.send(near.indexOf(far), Side.pattern(i % 7 == 0 ? 90_000 : 900, i), i);
    }

    near.domain.close(Duration.ofSeconds(60));

    await(() -> far.poll() >= 0 && far.received.size() == count);
    assertThat(far.received).allMatch(Completion.Received.class::isInstance);
    for (int i = 0; i < count; i++) {
      byte[] sent = Side.pattern(i % 7 == 0 ? 90_000 : 900, i);
      assertThat(Arrays.copyOf(got.get(i), sent.length)).isEqualTo(sent);
    }
    assertThat(relay.connections()).isEqualTo(breaks ? 2 : 1);
  }

  private static byte[] bytes(Random random) {
    int[] lengths = {1, 8, 100, 3_000, 20_000, 90_000};
    byte[] bytes = new byte[lengths[random.nextInt(lengths.length)]];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Opens a side that its peers dial by a relay. */
  private Side openBehind(Relay relay, String name) throws IOException {
    int port = closedPort();
    relay.to(port);
    return open(
        "tcp",
        name,
        "tagfabric.tcp { ports = " + port + ", canonical-port = " + relay.port() + " }");
  }

  @Test
  void shouldLoseThePeerAtOnceWhenNobodyListensAnyMore() throws IOException {
    Relay relay = new Relay();
    String hidden = "tagfabric.tcp { resume = 1 h, dial = never }";
    Side near = open("tcp", "near", hidden);
    Side far = openBehind(relay, "far");
    dial(near, far);
    exchange(near, far, 1);

    relay.close();
    int toFar = near.indexOf(far);
    near.post(toFar, 64, 99, 0);
    await(() -> near.poll() >= 0 && near.received.size() == 2);

    Completion.Failed failed = (Completion.Failed) near.received.get(1);
    assertThat(failed.error()).isEqualTo(FabricError.CONNECTION_RESET);
    assertThat(failed.detail()).contains("its connection has broken", "refused");
  }
}
