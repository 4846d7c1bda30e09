package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.Protocols;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.support.Await;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Greeting;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.SetUpFrames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody without the job's key asks three thousand times, from as many addresses: nothing is
 * opened, nothing is answered, and the endpoint goes on.
 */
class StrangersHellosTest {
  private static final int HELLOS = 3_000;
  private static final String KEY = "tagfabric.job.key = 11111111-1111-1111-1111-111111111111";
  private static final UUID WRONG_KEY = new UUID(2, 2);

  /** What the stranger hears. */
  private static final class Silence implements WireListener {
    final AtomicInteger heard = new AtomicInteger();

    @Override
    public void onPacket(Packet packet) {
      heard.incrementAndGet();
      packet.release();
    }

    @Override
    public void onInjected(long flow, MessageView message) {
      heard.incrementAndGet();
    }

    @Override
    public void onFrames(long flow, Packet frames) {
      heard.incrementAndGet();
    }

    @Override
    public void onChannelClosed() {}
  }

  /**
   * Open files and sockets. The JVM opens a jar when it first needs a class of it, and keeps it.
   */
  private static long descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(each -> !isJar(each)).count();
    }
  }

  private static boolean isJar(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().endsWith(".jar");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  /** Kinds of threads: pools of Akka grow and shrink as they like. */
  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(thread -> thread.getName().replaceAll("[0-9]+", "n"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Files below /dev/shm that this process has mapped. */
  private static Set<String> sharedMemory() throws IOException {
    try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
      return mappings
          .filter(each -> each.contains("/dev/shm"))
          .map(each -> each.substring(each.indexOf('/')))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "aeron", "artery"})
  void shouldCostNothingAndHearNothing(String provider) throws Exception {
    ActorSystem<Void> home = ContractSystems.start(provider, "home", KEY);
    ActorSystem<Void> away = ContractSystems.start(provider, "away", KEY);
    // Another job does not even reach the memory of this one: here it has found the directory.
    ActorSystem<Void> strange =
        ContractSystems.start(
            provider, "strange", provider.equals("shm") ? KEY : "tagfabric.job.key = " + WRONG_KEY);
    List<ActorSystem<Void>> systems = List.of(home, away, strange);
    try {
      Domain domain = Fabric.get(home).openDomain("home", ProgressMode.AUTO);
      Side victim = new Side(domain, "victim", 16, domain.endpointDefaults());
      Domain friends = Fabric.get(away).openDomain("away", ProgressMode.AUTO);
      Side friend = new Side(friends, "friend", 16, friends.endpointDefaults());
      int toVictim = friend.indexOf(victim);
      exchange(friend, toVictim, victim);
      Domain strangers = Fabric.get(strange).openDomain("strange", ProgressMode.AUTO);
      Silence silence = new Silence();
      Wire wire = onLoop(strangers, () -> open(provider, strange, strangers, silence, victim));
      Channel channel = onLoop(strangers, () -> connect(wire, victim));
      send(strangers, wire, channel, hello(victim, strange, 0), victim, 1);

      // Over shm a domain maps the memory of each domain of its job's directory that writes to it.
      int ownMemory = provider.equals("shm") ? 2 : 0;
      long descriptorsBefore = descriptors();
      Set<String> threadsBefore = threads();
      Set<String> memoryBefore = sharedMemory();
      for (int i = 1; i < HELLOS; i++) {
        send(strangers, wire, channel, hello(victim, strange, i), victim, i + 1);
      }

      Await.until(
          "descriptors as before",
          () -> quietly(StrangersHellosTest::descriptors) <= descriptorsBefore + ownMemory);
      assertThat(threadsBefore).containsAll(threads());
      assertThat(memoryBefore).as("what others have left may go").containsAll(sharedMemory());
      assertThat(silence.heard).hasValue(0);
      Endpoint.Flows flows = Await.get(victim.endpoint.futures().flows());
      assertThat(flows.flows()).as("the friend's").hasSize(1);
      assertThat(flows.strangerPackets()).isGreaterThanOrEqualTo(HELLOS);
      assertThat(domain.addressVector().snapshot().limit()).isEqualTo(1);
      exchange(friend, toVictim, victim);
      onLoop(
          strangers,
          () -> {
            wire.close();
            return null;
          });
      List.of(domain, friends, strangers).forEach(each -> each.close(Duration.ZERO));
    } finally {
      ContractSystems.stop(systems);
    }
  }

  @FunctionalInterface
  private interface Call<T> {
    T call() throws Exception;
  }

  private static <T> T quietly(Call<T> call) {
    try {
      return call.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static <T> T onLoop(Domain domain, Call<T> call) {
    CompletableFuture<T> done = new CompletableFuture<>();
    domain
        .loop()
        .execute(
            () -> {
              try {
                done.complete(call.call());
              } catch (Exception | AssertionError e) {
                done.completeExceptionally(e);
              }
            });
    return Await.get(done);
  }

  private static Channel connect(Wire wire, Side victim) {
    assertThat(wire.unreachableBecause(victim.endpoint.address())).isEmpty();
    return wire.connect(victim.endpoint.address());
  }

  private static Wire open(
      String name, ActorSystem<Void> system, Domain domain, WireListener listener, Side victim) {
    Provider provider =
        Provider.installed().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    return provider.open(
        new WireContext(
            Settings.of(system.settings().config()),
            Optional.of(new WireActors(system, Props.empty(), Optional.empty())),
            RandomSource.SYSTEM,
            domain.loop(),
            77,
            900,
            victim.endpoint.address().vm(),
            new KeyProof(WRONG_KEY, "tagfabric set-up of flows"),
            new PacketPool(2_048, 64 * 1024),
            listener,
            1));
  }

  /** A Hello by the wrong key; each says that it comes from somewhere else. */
  private static byte[] hello(Side victim, ActorSystem<Void> system, int number) {
    String[] hosts = {"127.0.0.1", "10.1.2.3", "nohost.invalid", "[::::]", "999.1.1.1"};
    String host = hosts[number % hosts.length];
    EndpointAddress claimed =
        new EndpointAddress(
            number,
            number,
            "stranger\n" + number,
            system.address().toString(),
            victim.endpoint.address().vm(),
            Map.of(
                "local", "",
                "shm", "/dev/shm/stranger-" + number + "#1",
                "aeron", host + ":" + (1 + number),
                "artery", "akka://x@" + host + ":" + (1 + number) + "/user/x#1"));
    EndpointAddress there = victim.endpoint.address();
    Packet packet = new PacketPool(2_048, 64 * 1024).single(1_500);
    new SetUpFrames(new KeyProof(WRONG_KEY, "tagfabric set-up of flows"))
        .hello(
            packet,
            number,
            new Greeting.Hello(
                new Greeting.Question(
                    Protocols.OWN,
                    number,
                    there.endpoint(),
                    new Greeting.Nonce(number, 1),
                    there.incarnation(),
                    claimed.encode()),
                Greeting.Limits.NONE,
                0,
                0,
                ""));
    new FrameWriter().sealUncounted(packet, number, number);
    byte[] bytes = new byte[packet.length()];
    packet.buffer().getBytes(0, bytes);
    return bytes;
  }

  /** Offers a packet until it has come; a network may lose it. */
  private static void send(
      Domain domain, Wire wire, Channel channel, byte[] bytes, Side victim, int number) {
    long before = strangerPackets(victim);
    onLoop(
        domain,
        () -> {
          channel.offer(Packet.received(bytes.clone()));
          return wire.flush();
        });
    if (number == 1 || number % 500 == 0) {
      Await.until(
          "a packet of the stranger is counted",
          () -> {
            onLoop(
                domain,
                () -> {
                  channel.offer(Packet.received(bytes.clone()));
                  return wire.flush();
                });
            return strangerPackets(victim) > before && strangerPackets(victim) >= number;
          });
    }
  }

  private static long strangerPackets(Side victim) {
    return Await.get(victim.endpoint.futures().flows()).strangerPackets();
  }

  private static void exchange(Side from, int peer, Side to) {
    byte[] buffer = to.post(8, 5);
    from.send(peer, Side.pattern(8, 3), 5, CompletionLevel.DELIVERY);
    assertThat(from.endpoint.transmitQueue().readBlocking(Duration.ofSeconds(60)))
        .isInstanceOf(Completion.Sent.class);
    assertThat(to.endpoint.receiveQueue().readBlocking(Duration.ofSeconds(60)))
        .isInstanceOf(Completion.Received.class);
    assertThat(buffer).isEqualTo(Side.pattern(8, 3));
  }
}
