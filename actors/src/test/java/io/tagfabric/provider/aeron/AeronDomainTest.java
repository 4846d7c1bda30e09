package io.tagfabric.provider.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.Posted;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Domains over UDP in one process. */
class AeronDomainTest {
  private static final String SMALL =
      "tagfabric.aeron { mtu = 1408, receive-window = 64 KiB, term-length = 512 KiB }";

  @TempDir private Path directory;
  private final List<ActorSystem<Void>> systems = new ArrayList<>();
  private final List<Integer> received = new ArrayList<>();

  private Path shared() {
    return HostDirectory.below(directory).path();
  }

  private Domain open(String name, ProgressMode mode, String more) {
    var config =
        ConfigFactory.parseString(more).withFallback(EchoPeer.config("127.0.0.1", directory));
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), name, config);
    systems.add(system);
    return Fabric.get(system).openDomain(name, mode);
  }

  @AfterEach
  void stop() {
    systems.forEach(ActorSystem::terminate);
    systems.forEach(system -> Await.get(system.getWhenTerminated()));
    systems.clear();
  }

  private static void send(Endpoint endpoint, int peer, int number, int length) {
    UnsafeBuffer message = new UnsafeBuffer(new byte[length]);
    message.putInt(0, number);
    assertThat(endpoint.sendTagged(peer, message, 0, length, 5, null)).isEqualTo(Posted.POSTED);
  }

  private static void post(Endpoint endpoint, int count, int length) {
    for (int i = 0; i < count; i++) {
      UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
      assertThat(endpoint.postReceive(buffer, 0, length, 5, 0, -1, buffer))
          .isEqualTo(Posted.POSTED);
    }
  }

  private void read(CompletionEntry entry) {
    assertThat(entry.kind()).as(entry.toString()).isEqualTo(CompletionEntry.Kind.RECEIVED);
    received.add(((UnsafeBuffer) entry.context()).getInt(0));
  }

  /** Drives both until the second has received a number of messages. */
  private void exchange(Domain near, Endpoint receiver, int count) {
    Await.until(
        count + " received",
        () -> {
          near.loop().advance();
          receiver.receiveQueue().read(this::read, Integer.MAX_VALUE);
          return received.size() == count;
        });
  }

  @Test
  void shouldLetNobodyElseReadItsBuffers() throws IOException {
    Domain near = open("near", ProgressMode.MANUAL, SMALL);
    Domain far = open("far", ProgressMode.MANUAL, SMALL);
    Endpoint receiver = far.openEndpoint("receiver");
    Endpoint sender = near.openEndpoint("sender");
    post(receiver, 1, 8);
    send(sender, near.addressVector().insert(receiver.address()), 0, 8);

    exchange(near, receiver, 1);

    try (Stream<Path> all = Files.walk(shared())) {
      assertThat(all)
          .anyMatch(path -> path.endsWith("cnc.dat"))
          .anyMatch(path -> path.getParent().endsWith("images"))
          .anyMatch(path -> path.getParent().endsWith("publications"))
          .allSatisfy(
              path ->
                  assertThat(Files.getPosixFilePermissions(path))
                      .as(path.toString())
                      .doesNotContainAnyElementsOf(PosixFilePermissions.fromString("---rwxrwx")));
    }
  }

  @Test
  void shouldOpenAnotherEndpointWhenReadsHaveDriven() {
    Domain near = open("near", ProgressMode.MANUAL, "");
    Domain far = open("far", ProgressMode.MANUAL, "");
    Endpoint receiver = far.openEndpoint("receiver");
    Endpoint sender = near.openEndpoint("sender");
    post(receiver, 1, 8);
    send(sender, near.addressVector().insert(receiver.address()), 0, 8);
    exchange(near, receiver, 1);
    for (int i = 0; i < 100; i++) {
      receiver.receiveQueue().read(this::read, 1); // an idle pass, and looks after it
    }

    Endpoint another = far.openEndpoint("another");
    post(another, 1, 8);
    send(sender, near.addressVector().insert(another.address()), 1, 8);
    exchange(near, another, 2);

    assertThat(received).containsExactly(0, 1);
  }

  /** Runs an action in a look of the loop, before its transports are polled. */
  private static final class InALook implements ProgressLoop.Step {
    private final ProgressLoop loop;
    private Runnable action;

    /** Must be made before the first endpoint is opened: polls run in the order they came. */
    InALook(ProgressLoop loop) {
      this.loop = loop;
      loop.addPoll(this);
    }

    @Override
    public int run() {
      if (action != null && loop.isLookingOn()) {
        action.run();
        action = null;
      }
      return 0;
    }

    /** The work of the pass and the look. */
    int after(Runnable newAction) {
      action = newAction;
      int[] work = new int[1];
      Await.until(
          "an idle pass",
          () -> {
            work[0] = loop.advance(1);
            return action == null;
          });
      return work[0];
    }
  }

  /** Two endpoints that have exchanged message 0, and looks of the receiving one. */
  private record Looked(Domain near, Endpoint sender, int peer, Endpoint receiver, InALook look) {}

  private Looked looked(int posted, int bytes) {
    Domain near = open("near", ProgressMode.MANUAL, "");
    Domain far = open("far", ProgressMode.MANUAL, "");
    InALook look = new InALook(far.loop());
    Endpoint receiver = far.openEndpoint("receiver");
    Endpoint sender = near.openEndpoint("sender");
    int peer = near.addressVector().insert(receiver.address());
    post(receiver, posted, bytes);
    send(sender, peer, 0, 8);
    exchange(near, receiver, 1);
    return new Looked(near, sender, peer, receiver, look);
  }

  @Test
  void shouldTakeInALookWhatHasComeSinceThePass() {
    Looked looked = looked(4, 2_000);
    InALook look = looked.look();

    assertThat(look.after(() -> {})).as("nothing has come").isZero();
    for (int number = 1; number < 4; number++) {
      int sent = number;
      int work =
          look.after(
              () -> {
                send(looked.sender(), looked.peer(), sent, sent * 500);
                looked.near().loop().advance();
              });
      assertThat(work).as("message %d", number).isPositive();
      looked.receiver().receiveQueue().read(this::read, 1);
      assertThat(received).hasSize(number + 1);
    }
    assertThat(received).containsExactly(0, 1, 2, 3);
  }

  @Test
  void shouldDropInALookWhatNoDriverHasSent() throws IOException {
    Looked looked = looked(2, 8);
    Domain near = looked.near();
    Endpoint receiver = looked.receiver();
    InALook look = looked.look();
    InetSocketAddress port =
        AeronAddress.parse(receiver.address().providers().get("aeron"))
            .orElseThrow()
            .toSocketAddress();
    Random random = new Random(7);

    try (DatagramSocket stranger = new DatagramSocket()) {
      for (int length : new int[] {0, 1, 7, 8, 31, 32, 40, 160, 1_500, 60_000}) {
        for (int kind = 0; kind < 8; kind++) {
          byte[] bytes = new byte[length];
          random.nextBytes(bytes);
          int frameKind = kind;
          look.after(() -> sendFrom(stranger, bytes, frameKind, port));
        }
      }
    }

    send(looked.sender(), looked.peer(), 1, 8);
    exchange(near, receiver, 2);
    assertThat(received).containsExactly(0, 1);
  }

  /** Sends random bytes that begin as a frame of Aeron, of version 0, if there is room for it. */
  private static void sendFrom(
      DatagramSocket stranger, byte[] bytes, int kind, InetSocketAddress port) {
    if (bytes.length >= 8) {
      UnsafeBuffer frame = new UnsafeBuffer(bytes);
      frame.putInt(0, bytes.length);
      frame.putByte(4, (byte) 0);
      frame.putShort(6, (short) kind);
    }
    try {
      stranger.send(new DatagramPacket(bytes, bytes.length, port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long images() {
    try (Stream<Path> all = Files.walk(shared())) {
      return all.filter(path -> path.getParent().endsWith("images")).count();
    } catch (IOException | UncheckedIOException e) {
      return Long.MAX_VALUE; // files go meanwhile
    }
  }

  @Test
  void shouldGiveUpASilentStreamWhenItNeverSends() {
    String impatient = "tagfabric.aeron.stream-timeout = 1 s";
    Domain near = open("near", ProgressMode.MANUAL, impatient);
    Domain far = open("far", ProgressMode.MANUAL, impatient);
    Endpoint receiver = far.openEndpoint("receiver");
    Endpoint sender = near.openEndpoint("sender");
    post(receiver, 1, 8);
    send(sender, near.addressVector().insert(receiver.address()), 0, 8);
    exchange(near, receiver, 1);
    long before = images();

    // Nobody drives the sender, so its own image of the receiver's stream stays.
    Await.until(
        "an image less than " + before,
        () -> {
          receiver.receiveQueue().read(this::read, 1);
          return images() < before;
        });
  }

  @Test
  void shouldHearThatAPeerHasGoneWhenReadsAloneDrive() {
    Domain near = open("near", ProgressMode.MANUAL, "");
    Domain far = open("far", ProgressMode.MANUAL, "");
    Endpoint receiver = far.openEndpoint("receiver");
    Endpoint sender = near.openEndpoint("sender");
    post(receiver, 1, 8);
    int peer = near.addressVector().insert(receiver.address());
    send(sender, peer, 0, 8);
    Await.until(
        "1 received",
        () -> {
          sender.receiveQueue().read(entry -> {}, 1);
          receiver.receiveQueue().read(this::read, 1);
          return received.size() == 1;
        });

    systems.get(1).terminate();
    Await.get(systems.get(1).getWhenTerminated());
    List<Completion> failed = new ArrayList<>();
    assertThat(sender.postReceive(new UnsafeBuffer(new byte[8]), 0, 8, 5, 0, peer, "waits"))
        .isEqualTo(Posted.POSTED);
    Await.until(
        "the peer is lost",
        () -> {
          failed.addAll(sender.receiveQueue().read(1));
          return !failed.isEmpty();
        });

    assertThat(failed.get(0)).isInstanceOf(Completion.Failed.class);
  }

  @Test
  void shouldReadWhatAPeerSaidLastBeforeItBelievesThatItsPortIsClosed() {
    int messages = 40;
    Domain near = open("near", ProgressMode.MANUAL, "");
    Domain far = open("far", ProgressMode.MANUAL, "tagfabric.endpoint.close-timeout = 200 ms");
    Endpoint receiver = near.openEndpoint("receiver");
    Endpoint sender = far.openEndpoint("sender");
    post(receiver, messages, 8);
    int peer = far.addressVector().insert(receiver.address());
    send(sender, peer, 0, 8);
    exchange(far, receiver, 1);
    int back = near.addressVector().insert(sender.address());

    for (int number = 1; number < messages; number++) {
      send(sender, peer, number, 8);
      far.loop().advance(); // each in a datagram of its own
    }
    systems.get(1).terminate();
    Await.get(systems.get(1).getWhenTerminated());
    List<Completion> failed = new ArrayList<>();
    assertThat(receiver.postReceive(new UnsafeBuffer(new byte[8]), 0, 8, 6, 0, back, "waits"))
        .isEqualTo(Posted.POSTED);
    Await.until(
        "the peer is lost",
        () -> {
          near.loop().advance();
          for (Completion each : receiver.receiveQueue().read(messages)) {
            if (each instanceof Completion.Failed) {
              failed.add(each);
            } else {
              received.add(((UnsafeBuffer) each.context()).getInt(0));
            }
          }
          return !failed.isEmpty();
        });

    assertThat(received).hasSize(messages);
    assertThat(failed)
        .singleElement()
        .isInstanceOfSatisfying(
            Completion.Failed.class,
            lost -> {
              assertThat(lost.error()).isEqualTo(FabricError.SHUTDOWN);
              assertThat(lost.detail()).contains("the peer's endpoint closed");
            });
  }

  @Tag("exhaustive")
  @Test
  void shouldKeepTheOrderWhenTheReceiverPushesBack() {
    int messages = 400;
    int length = 8 * 1024;
    Domain near = open("near", ProgressMode.MANUAL, SMALL);
    Domain far = open("far", ProgressMode.MANUAL, SMALL);
    Endpoint sender = near.openEndpoint("sender");
    Endpoint receiver = far.openEndpoint("receiver");
    int peer = near.addressVector().insert(receiver.address());
    post(receiver, messages, length);
    send(sender, peer, 0, length);
    exchange(near, receiver, 1);

    for (int i = 1; i < messages; i++) {
      send(sender, peer, i, length);
    }
    // The receiver does not look meanwhile, so its window and then the sender's term fill up.
    assertThat(near.await(() -> false, Duration.ofMillis(50))).isFalse();
    exchange(near, receiver, messages);

    assertThat(received).isSorted().doesNotHaveDuplicates().hasSize(messages);
  }

  @Test
  void shouldLoseNothingWhenAStreamBeginsAnewAfterALongSilence() {
    String impatient = "tagfabric.aeron.stream-timeout = 1 s";
    Domain near = open("near", ProgressMode.MANUAL, impatient);
    Domain far = open("far", ProgressMode.MANUAL, impatient);
    Endpoint sender = near.openEndpoint("sender");
    Endpoint receiver = far.openEndpoint("receiver");
    int peer = near.addressVector().insert(receiver.address());
    post(receiver, 100, 8);
    send(sender, peer, 0, 8);
    exchange(near, receiver, 1);

    // Both compute for so long that each gives the other's stream up.
    assertThat(near.await(() -> false, Duration.ofMillis(1500))).isFalse();
    for (int i = 1; i < 50; i++) {
      send(sender, peer, i, 8);
    }
    assertThat(near.await(() -> false, Duration.ofMillis(1500))).isFalse();
    for (int i = 50; i < 100; i++) {
      send(sender, peer, i, 8);
    }
    exchange(near, receiver, 100);

    assertThat(received).isSorted().doesNotHaveDuplicates().hasSize(100);
  }

  @Test
  void shouldShareOnePortAndDirectoryWhenADomainHasTwoEndpoints() throws IOException {
    Domain domain = open("near", ProgressMode.AUTO, "");

    Endpoint one = domain.openEndpoint("one");
    Endpoint two = domain.openEndpoint("two");
    Set<String> addresses =
        Stream.of(one, two)
            .map(endpoint -> endpoint.address().providers().get("aeron"))
            .collect(Collectors.toSet());

    assertThat(addresses).hasSize(1);
    try (Stream<Path> jobs = Files.list(shared().resolve("jobs"))) {
      assertThat(jobs).hasSize(1);
    }
    int peer = domain.addressVector().insert(two.address());
    var echo = two.futures().receiveTagged(TagSelector.any());
    Await.get(one.futures().sendTagged(peer, new byte[] {3}, 1));
    assertThat(Await.get(echo).payload().array()).containsExactly(3);
    Await.get(one.close(Duration.ofSeconds(5)));
    assertThat(shared()).as("two is still open").isDirectory();
    domain.close();
    assertThat(shared()).doesNotExist();
  }

  @Test
  void shouldStartNoThreadWhenTheApplicationDrives() {
    Domain domain = open("near", ProgressMode.MANUAL, "");
    domain.loop().advance();
    Set<Thread> before = Thread.getAllStackTraces().keySet();

    domain.openEndpoint("one");

    assertThat(Thread.getAllStackTraces().keySet().stream().filter(Thread::isAlive))
        .extracting(Thread::getName)
        .filteredOn(name -> before.stream().noneMatch(old -> old.getName().equals(name)))
        .noneMatch(name -> name.contains("aeron") || name.contains("driver"))
        .noneMatch(name -> name.contains("conductor") || name.contains("async-task"));
  }

  @Test
  void shouldSayWhichSettingHelpsWhenThePortIsTaken() throws IOException {
    try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      Domain domain =
          open("near", ProgressMode.AUTO, "tagfabric.aeron.port = " + taken.getLocalPort());

      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(() -> domain.openEndpoint("one"))
          .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.HOST_UNREACHABLE))
          .withMessageContaining("provider aeron cannot start")
          .withMessageContaining("127.0.0.1:" + taken.getLocalPort())
          .withMessageContaining("tagfabric.aeron.port");
    }
    assertThat(shared()).doesNotExist();
  }

  @Test
  void shouldBeLeftOutWithAReasonWhenTheHostIsNotThisOne() {
    Domain elsewhere = open("near", ProgressMode.AUTO, "tagfabric.aeron.host = 192.0.2.1");
    Domain anywhere = open("far", ProgressMode.AUTO, "tagfabric.aeron.host = 0.0.0.0");

    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> elsewhere.openEndpoint("one"))
        .withMessageContaining("tagfabric.aeron.host=192.0.2.1 is no address of this host");
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> anywhere.openEndpoint("one"))
        .withMessageContaining("tagfabric.aeron.host=0.0.0.0 is no address that peers could reach");
  }
}
