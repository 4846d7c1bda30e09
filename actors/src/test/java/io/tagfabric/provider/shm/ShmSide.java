package io.tagfabric.provider.shm;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireListener;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A domain with one endpoint over shared memory and what it has received; nothing above it. */
final class ShmSide implements WireListener, AutoCloseable {
  static final int ENDPOINT = 7;
  static final long INCARNATION = 1;

  /** A message that came by itself; data is null if it has none. */
  record Injected(int flow, long tag, Long data, List<Byte> payload) {}

  /** Frames that came without a packet's header. */
  record Bare(int flow, List<Byte> frames) {}

  final ProgressLoop loop;
  private final Settings settings;
  final List<byte[]> received = new ArrayList<>();
  final List<Injected> injected = new ArrayList<>();
  final List<Bare> bare = new ArrayList<>();
  int closures;
  Runnable whenPacket = () -> {};
  Wire wire;
  ShmDomain domain;

  ShmSide(TimeSource time, Path directory, Map<String, String> settings) {
    loop = new ProgressLoop(time);
    this.settings = settings(directory, settings);
    onLoop(this::openWire);
  }

  /** Opens the endpoint, again if it was closed. */
  void openWire() {
    domain =
        ShmDomain.enter(
            loop, INCARNATION, new KeyProof(new UUID(0, 0), "test"), RandomSource.SYSTEM, settings);
    wire = new ShmWire(domain, ENDPOINT, this);
  }

  static Settings settings(Path directory, Map<String, String> more) {
    Config config =
        ConfigFactory.parseMap(Map.of("tagfabric.launch.directory", directory.toString()))
            .withFallback(ConfigFactory.load());
    for (Map.Entry<String, String> each : more.entrySet()) {
      config =
          ConfigFactory.parseMap(Map.of("tagfabric.provider.shm." + each.getKey(), each.getValue()))
              .withFallback(config);
    }
    return Settings.of(config, Map.of());
  }

  /** Runs something as if an actor of the domain did. */
  final void onLoop(Runnable task) {
    RuntimeException[] failure = new RuntimeException[1];
    loop.execute(
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            failure[0] = e;
          }
        });
    loop.advance();
    if (failure[0] != null) {
      throw failure[0];
    }
  }

  EndpointAddress address() {
    return addressOf(wire.address());
  }

  static EndpointAddress addressOf(String shm) {
    return new EndpointAddress(INCARNATION, ENDPOINT, "e", "node", "vm", Map.of("shm", shm));
  }

  Path file() {
    return Path.of(wire.address().substring(0, wire.address().indexOf('#')));
  }

  Channel connect(ShmSide peer) {
    return connect(peer.address());
  }

  Channel connect(EndpointAddress peer) {
    Channel[] channel = new Channel[1];
    onLoop(
        () -> {
          wire.unreachableBecause(peer)
              .ifPresent(
                  reason -> {
                    throw new IllegalStateException(reason);
                  });
          channel[0] = wire.connect(peer);
        });
    return channel[0];
  }

  static Packet packet(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (seed + i * 7);
    }
    return Packet.received(bytes);
  }

  @Override
  public void onPacket(Packet packet) {
    byte[] bytes = new byte[packet.length()];
    packet.buffer().getBytes(0, bytes);
    received.add(bytes);
    whenPacket.run();
  }

  @Override
  public void onInjected(long flow, MessageView message) {
    List<Byte> bytes = new ArrayList<>();
    for (int i = 0; i < message.length(); i++) {
      bytes.add(message.buffer().getByte(message.offset() + i));
    }
    injected.add(
        new Injected((int) flow, message.tag(), message.hasData() ? message.data() : null, bytes));
  }

  @Override
  public void onFrames(long flow, Packet frames) {
    List<Byte> bytes = new ArrayList<>();
    for (int i = 0; i < frames.length(); i++) {
      bytes.add(frames.buffer().getByte(i));
    }
    bare.add(new Bare((int) flow, bytes));
  }

  @Override
  public void onChannelClosed() {
    closures++;
  }

  @Override
  public void close() {
    onLoop(wire::close);
  }
}
