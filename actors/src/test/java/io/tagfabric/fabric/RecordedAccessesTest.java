package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.access.Access;
import io.tagfabric.access.MemoryFutures;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionReach;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.trace.Recording;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.TraceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What domains record of accesses to memory and of datagrams, on both sides. */
class RecordedAccessesTest {
  private static final Duration DRAIN = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private ActorSystem<Void> system;
  private Domain near;
  private Domain far;

  @BeforeEach
  void open() {
    system =
        ActorSystem.create(
            Behaviors.empty(),
            "recorded-accesses",
            ConfigFactory.parseString(
                    "tagfabric.provider.use = [local]\n"
                        + "akka.loglevel = OFF\n"
                        + ("tagfabric.trace.directory = \"" + directory + "\"\n"))
                .withFallback(ConfigFactory.load()));
    near = Fabric.get(system).openDomain("near", ProgressMode.AUTO);
    far = Fabric.get(system).openDomain("far", ProgressMode.AUTO);
  }

  @AfterEach
  void stop() throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** Closes the domains, and reads what one of them has written. */
  private List<TraceEvent> events(String domain) throws IOException {
    near.close(Duration.ZERO);
    far.close(Duration.ZERO);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Recording recording = Recording.read(file);
        if (recording.owner().domain().equals(domain)) {
          return recording.events();
        }
      }
    }
    throw new AssertionError("no recording of " + domain);
  }

  private static TraceEvent only(List<TraceEvent> events, Predicate<TraceEvent> wanted) {
    List<TraceEvent> found = events.stream().filter(wanted).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static Predicate<TraceEvent> is(TraceKind kind, int how) {
    return event -> event.kind() == kind && event.how() == how;
  }

  @Test
  void shouldRecordWhatIsAskedOfAPeerAndWhatThatDoes() throws IOException {
    Region region = far.register(new UnsafeBuffer(new byte[64]), RegionRight.all());
    Endpoint owner = far.openEndpoint("owner");
    Endpoint asker = near.openEndpoint("asker");
    RemoteRegion there =
        new RemoteRegion(near.addressVector().insert(owner.address()), region.descriptor());
    MemoryFutures memory = asker.memory().futures();
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[5]);

    Await.get(memory.write(there, 1, bytes));
    Await.get(memory.read(there, 2, bytes));
    Await.get(memory.fetch(there, 8, AtomicOp.SUM, 1));
    Await.get(memory.start(Access.fill(there, 40, 7, (byte) 1)));
    Await.get(memory.start(Access.write(there, 3, bytes).signal()));
    Await.get(memory.flush(there.peer()));

    List<TraceEvent> asked = events("near");
    List<TraceEvent> done = events("far");
    expect(asked, done, TraceKind.Access.WRITE, 1, 5);
    expect(asked, done, TraceKind.Access.READ, 2, 5);
    expect(asked, done, TraceKind.Access.ATOMIC, 8, 8);
    expect(asked, done, TraceKind.Access.FILL, 40, 7);
    expect(asked, done, TraceKind.Access.WRITE_WITH_SIGNAL, 3, 5);
    TraceEvent flush = only(asked, is(TraceKind.ACCESS_POSTED, TraceKind.Access.FLUSH.code()));
    assertThat(asked)
        .as("one end for each, and none of a send")
        .noneMatch(event -> event.kind() == TraceKind.SEND_POSTED)
        .noneMatch(event -> event.kind() == TraceKind.SEND_COMPLETED)
        .anyMatch(
            event ->
                event.kind() == TraceKind.ACCESS_COMPLETED
                    && event.operation() == flush.operation());
    assertThat(only(asked, is(TraceKind.ACCESS_POSTED, TraceKind.Access.READ.code())).number())
        .isEqualTo(region.descriptor().key());
  }

  private static void expect(
      List<TraceEvent> asked,
      List<TraceEvent> done,
      TraceKind.Access what,
      long offset,
      long length) {
    TraceEvent posted = only(asked, is(TraceKind.ACCESS_POSTED, what.code()));
    assertThat(posted.tag()).as("place of %s", what).isEqualTo(offset);
    assertThat(posted.length()).as("length of %s", what).isEqualTo(length);
    TraceEvent ended =
        only(
            asked,
            event ->
                event.kind() == TraceKind.ACCESS_COMPLETED
                    && event.operation() == posted.operation());
    assertThat(ended.length()).isEqualTo(length);
    TraceEvent served = only(done, is(TraceKind.ACCESS_SERVED, what.code()));
    assertThat(served.tag()).isEqualTo(offset);
    assertThat(served.length()).isEqualTo(length);
    assertThat(served.number()).isEqualTo(posted.number());
  }

  @Test
  void shouldRecordWhyAnAccessFailsAtBothSides() throws IOException {
    Region region = far.register(new UnsafeBuffer(new byte[64]), RegionRight.all());
    Endpoint owner = far.openEndpoint("owner");
    Endpoint asker = near.openEndpoint("asker");
    RemoteRegion there =
        new RemoteRegion(near.addressVector().insert(owner.address()), region.descriptor());
    Await.get(region.close());

    assertThatThrownBy(
            () -> Await.get(asker.memory().futures().read(there, 0, new UnsafeBuffer(new byte[4]))))
        .isNotNull();

    int code = FabricError.NO_KEY.code();
    List<TraceEvent> asked = events("near");
    TraceEvent posted = only(asked, is(TraceKind.ACCESS_POSTED, TraceKind.Access.READ.code()));
    TraceEvent failed = only(asked, is(TraceKind.ACCESS_FAILED, code));
    assertThat(failed.operation()).isEqualTo(posted.operation());
    assertThat(only(events("far"), is(TraceKind.ACCESS_REFUSED, code)).length()).isEqualTo(4);
  }

  @Test
  void shouldRecordDatagramsAndThoseThatNobodyTakes() throws IOException {
    Endpoint receiver = far.openEndpoint("receiver");
    Endpoint sender =
        near.openEndpoint(
            "sender",
            EndpointBindings.to(near.openCompletionQueue(8), near.openCompletionQueue(8))
                .sendingDatagrams());
    int peer = near.addressVector().insert(receiver.address());
    var received = receiver.futures().receiveTagged(TagSelector.exact(7));

    Await.get(sender.futures().sendTagged(peer, new byte[3], 7));
    Await.get(received);
    Await.get(sender.futures().sendTagged(peer, new byte[4], 8));
    int back = far.addressVector().insert(sender.address());
    assertThat(
            far.await(() -> Await.get(receiver.flowCounters(back)).datagramsDropped() == 1, DRAIN))
        .isTrue();

    List<TraceEvent> sent = events("near").stream().filter(is(TraceKind.DATAGRAM_SENT, 0)).toList();
    assertThat(sent).extracting(TraceEvent::tag).containsExactly(7L, 8L);
    assertThat(sent).extracting(TraceEvent::length).containsExactly(3L, 4L);
    List<TraceEvent> came = events("far");
    assertThat(came.stream().filter(is(TraceKind.DATAGRAM_ARRIVED, 0)).map(TraceEvent::tag))
        .containsExactly(7L, 8L);
    only(came, is(TraceKind.DATAGRAM_DROPPED, 0));
  }

  @Test
  void shouldRecordWhatTheCallerDoesItself() throws IOException {
    // No other thread has the loop, or the access would be told to it.
    Domain alone = Fabric.get(system).openDomain("alone", ProgressMode.MANUAL);
    Endpoint asker = alone.openEndpoint("asker");
    var memory = alone.allocate(64);
    Region region = alone.register(memory, RegionRight.all(), RegionOptions.DEFAULT);
    RemoteRegion there =
        new RemoteRegion(alone.addressVector().insert(asker.address()), region.descriptor());
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[5]);

    Await.get(asker.memory().futures().flush(there.peer())); // until there is a flow

    asker.memory().write(there, 9, bytes, 0, 5, SendOptions.DEFAULT, null);
    asker.memory().read(there, 10, bytes, 0, 5, null);

    assertThat(region.reach()).isEqualTo(RegionReach.DIRECT);
    List<TraceEvent> reached =
        events("alone").stream().filter(e -> e.kind() == TraceKind.ACCESS_REACHED).toList();
    assertThat(reached)
        .extracting(TraceEvent::how)
        .containsExactly(TraceKind.Access.WRITE.code(), TraceKind.Access.READ.code());
    assertThat(reached).extracting(TraceEvent::tag).containsExactly(9L, 10L);
    assertThat(reached).allMatch(event -> event.length() == 5);
    assertThat(reached).allMatch(event -> event.number() == region.descriptor().key());
  }
}
