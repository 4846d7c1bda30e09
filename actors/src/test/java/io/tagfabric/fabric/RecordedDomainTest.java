package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.Recording;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.TraceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a domain records of messages, from the call to the completion. */
class RecordedDomainTest {
  private static final int EVENTS = 600;

  @TempDir private Path directory;
  private ActorSystem<Void> system;

  private Domain open(String traceDirectory) {
    system =
        ActorSystem.create(
            Behaviors.empty(),
            "recorded-domain",
            ConfigFactory.parseString(
                    "tagfabric.provider.use = [local]\n"
                        + "akka.loglevel = OFF\n"
                        + ("tagfabric.trace.directory = \"" + traceDirectory + "\"\n")
                        + ("tagfabric.trace.events = " + EVENTS + "\n"))
                .withFallback(ConfigFactory.load()));
    return Fabric.get(system).openDomain("d", ProgressMode.MANUAL);
  }

  @AfterEach
  void stop() throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /**
   * Of two endpoints of the domain one sends to the other, who has posted before or posts after.
   */
  private static void exchange(Domain domain, int length, int tag, boolean posted) {
    Endpoint near = domain.openEndpoint("near-" + tag);
    Endpoint far = domain.openEndpoint("far-" + tag);
    int toFar = domain.addressVector().insert(far.address());
    var received = posted ? far.futures().receiveTagged(TagSelector.exact(tag)) : null;
    Await.get(near.futures().sendTagged(toFar, new byte[length], tag));
    while (!posted && Await.get(far.futures().matcherState()).unexpectedMessages() == 0) {
      domain.loop().advance();
    }
    var taken = posted ? received : far.futures().receiveTagged(TagSelector.exact(tag));
    assertThat(Await.get(taken).payload().length()).isEqualTo(length);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static TraceEvent only(Recording recording, TraceKind kind, long tag) {
    List<TraceEvent> found =
        recording.events().stream()
            .filter(event -> event.kind() == kind && event.tag() == tag)
            .toList();
    assertThat(found).as(kind + " of tag " + tag).hasSize(1);
    return found.get(0);
  }

  @Test
  void shouldRecordAMessageFromTheCallToTheCompletion() throws IOException {
    Domain domain = open(directory.toString());
    assertThat(domain.loop().recorder().isOn()).isTrue();
    exchange(domain, 9, 7, true);
    exchange(domain, 11, 8, false);
    domain.close(Duration.ZERO);

    assertThat(files()).hasSize(1);
    Recording recording = Recording.read(files().get(0));
    assertThat(recording.owner().process()).isEqualTo(ProcessHandle.current().pid());
    assertThat(recording.closed()).isTrue();
    assertThat(recording.dropped()).isZero();
    for (int tag = 7; tag <= 8; tag++) {
      TraceEvent sent = only(recording, TraceKind.SENT, tag);
      TraceEvent came = only(recording, TraceKind.ARRIVED, tag);
      assertThat(came.flow()).as("the name of the flow at both ends").isEqualTo(sent.flow());
      assertThat(came.number()).isEqualTo(sent.number());
      assertThat(came.timeNs()).isGreaterThanOrEqualTo(sent.timeNs());
      TraceEvent posted = only(recording, TraceKind.RECEIVE_POSTED, tag);
      TraceEvent asked = only(recording, TraceKind.SEND_POSTED, tag);
      assertThat(asked.timeNs()).isLessThanOrEqualTo(sent.timeNs());
      assertThat(posted.timeNs() <= came.timeNs()).isEqualTo(tag == 7);
      assertThat(recording.events())
          .anyMatch(
              event ->
                  event.kind() == TraceKind.SEND_COMPLETED
                      && event.operation() == asked.operation())
          .anyMatch(
              event ->
                  event.kind() == TraceKind.RECEIVE_COMPLETED
                      && event.operation() == posted.operation());
    }
    assertThat(recording.events().stream().filter(event -> event.kind() == TraceKind.KEPT))
        .as("messages that came before their receive")
        .hasSize(1);
  }

  @Test
  void shouldKeepTheLastEventsAndCountTheOthers() throws IOException {
    Domain domain = open(directory.toString());
    for (int tag = 0; tag < 150; tag++) {
      exchange(domain, 9, tag, true);
    }
    domain.close(Duration.ZERO);

    Recording recording = Recording.read(files().get(0));
    assertThat(recording.dropped()).isPositive();
    assertThat(recording.events().stream().filter(event -> event.kind() != TraceKind.SLEPT))
        .as("all but the one that would be overwritten next")
        .hasSize(EVENTS - 1);
    only(recording, TraceKind.SENT, 149);
    assertThat(recording.events())
        .noneMatch(event -> event.kind() == TraceKind.SENT && event.tag() == 0);
  }

  @Test
  void shouldRecordNothingUnlessTold() throws IOException {
    Domain domain = open("");
    exchange(domain, 9, 7, true);

    assertThat(domain.loop().recorder()).isSameAs(Recorder.OFF);
    assertThat(files()).isEmpty();
  }

  @Test
  void shouldWorkWithoutARecordWhereThereCanBeNone() throws IOException {
    Path file = Files.createFile(directory.resolve("occupied"));
    Domain domain = open(file.toString());

    exchange(domain, 9, 7, true);

    assertThat(domain.loop().recorder().isOn()).isFalse();
  }
}
