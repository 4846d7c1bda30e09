package io.tagfabric.provider.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireActors;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * A node with one endpoint, whose loop runs when the test says so, by a clock that the test moves.
 * Its packets are a number and bytes that follow from it. Thread: one.
 */
final class TestNode implements WireListener, AutoCloseable {
  static final UUID KEY = new UUID(7, 7);
  private static final int ENDPOINT = 5;
  private static final AtomicLong INCARNATIONS = new AtomicLong(100);

  final AtomicLong clock;
  final ProgressLoop loop;
  final EndpointAddress address;
  final long incarnation = INCARNATIONS.incrementAndGet();

  /** Numbers of the packets that have come, in order. */
  final List<Integer> received = new ArrayList<>();

  final Map<EndpointAddress, Channel> channels = new HashMap<>();
  private final Wire wire;

  TestNode(AtomicLong clock, UUID key, String settings) {
    this(clock, List.of(key), settings, Optional.empty());
  }

  /** One whose connections are encrypted if the remoting of these actors' system is. */
  TestNode(AtomicLong clock, List<UUID> keys, String settings, Optional<WireActors> actors) {
    this.clock = clock;
    loop = new ProgressLoop(clock::get);
    Config config = ConfigFactory.parseString(settings).withFallback(ConfigFactory.load());
    WireContext context =
        new WireContext(
            Settings.of(config, Map.of()),
            actors,
            RandomSource.SYSTEM,
            loop,
            incarnation,
            ENDPOINT,
            "vm",
            proofs(keys),
            new PacketPool(2_048, 64 * 1024),
            this,
            1);
    TcpProvider provider = new TcpProvider();
    assertThat(provider.unavailableBecause(context)).isEmpty();
    wire = provider.open(context);
    address =
        new EndpointAddress(
            incarnation, ENDPOINT, "test", "node", "vm", Map.of("tcp", wire.address()));
  }

  TestNode(AtomicLong clock) {
    this(clock, KEY, "");
  }

  private static KeyProof proofs(List<UUID> keys) {
    return new KeyProof(keys, "test");
  }

  /** What proves the set-up of connections. */
  static KeyProof connectionProofs(UUID key) {
    return Proof.of(proofs(List.of(key)));
  }

  TcpAddress place() {
    return TcpAddress.parse(wire.address()).orElseThrow();
  }

  Proof.NodeId id() {
    return new Proof.NodeId(incarnation, place().token());
  }

  /** The address of this one's endpoint, where it is dialled elsewhere. */
  EndpointAddress at(int port) {
    TcpAddress told = place();
    TcpAddress other =
        new TcpAddress(told.token(), told.dialled(), told.scope(), told.host(), port);
    return new EndpointAddress(
        incarnation, ENDPOINT, "test", "node", "vm", Map.of("tcp", other.encode()));
  }

  /** Does something on the loop. */
  void act(Runnable task) {
    loop.execute(task);
    loop.advance();
  }

  /** Some passes. */
  void run(int passes) {
    for (int i = 0; i < passes; i++) {
      loop.advance();
    }
  }

  /** The channel to a peer. */
  Channel to(EndpointAddress peer) {
    act(() -> channels.computeIfAbsent(peer, wire::connect));
    return channels.get(peer);
  }

  Optional<String> unreachableBecause(EndpointAddress peer) {
    return wire.unreachableBecause(peer);
  }

  /** Offers a packet of a number; false if there is no room. */
  boolean offer(EndpointAddress peer, int number, int bytes) {
    Channel channel = to(peer);
    boolean[] taken = {false};
    act(
        () -> {
          Packet packet = packet(number, bytes);
          taken[0] = channel.offer(packet);
          packet.release();
        });
    return taken[0];
  }

  private static Packet packet(int number, int bytes) {
    byte[] content = new byte[bytes];
    for (int at = 4; at < bytes; at++) {
      content[at] = (byte) (number + at);
    }
    Packet packet = Packet.received(content);
    packet.buffer().putInt(0, number);
    return packet;
  }

  @Override
  public void onPacket(Packet packet) {
    int number = packet.buffer().getInt(0);
    for (int at = 4; at < packet.length(); at++) {
      if (packet.buffer().getByte(at) != (byte) (number + at)) {
        throw new AssertionError("byte " + at + " of packet " + number + " is wrong");
      }
    }
    received.add(number);
  }

  @Override
  public void onInjected(long flow, MessageView message) {}

  @Override
  public void onFrames(long flow, Packet frames) {}

  @Override
  public void onChannelClosed() {}

  /** Runs all of them until something is so. */
  static void await(String what, BooleanSupplier condition, TestNode... nodes) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadlineNs);
      for (TestNode node : nodes) {
        node.run(1);
      }
      Thread.onSpinWait();
    }
  }

  /** Closes its endpoint, and with it the node. */
  @Override
  public void close() {
    act(wire::close);
    run(3);
  }
}
