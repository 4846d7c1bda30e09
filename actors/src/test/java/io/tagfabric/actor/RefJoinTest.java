package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.support.Await;
import io.tagfabric.support.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** References between nodes that are on their way into a cluster, which waits for a third one. */
class RefJoinTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final String key = UUID.randomUUID().toString();
  private final TestCluster cluster = new TestCluster();
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.tagfabric");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    cluster.close();
  }

  private ActorSystem<?> start(String more) {
    Config config =
        ConfigFactory.parseString(
                "tagfabric.job.key = \""
                    + key
                    + "\"\n"
                    + "tagfabric.provider.use = [shm]\n"
                    + "akka.cluster.role.rank-0.min-nr-of-members = 3\n"
                    + more)
            .withFallback(ConfigFactory.defaultApplication());
    return cluster.start(config, FabricSetup.create());
  }

  @Test
  void shouldReachActorsOfANodeThatIsNotUpYet() {
    ActorSystem<?> near = start("");
    ActorSystem<?> far = start("");
    requireJoining();
    Acquaintance.make(near, far);
    TestProbe<String> got = TestProbe.create(far);
    ActorRef<String> ref =
        ActorRefResolver.get(near)
            .resolveActorRef(ActorRefResolver.get(far).toSerializationFormat(got.getRef()));
    List.of("one", "two").forEach(ref::tell);

    List.of("one", "two").forEach(text -> got.expectMessage(LONG, text));
    assertThat(FabricActors.get(near).counters())
        .matches(counters -> counters.sent() == 2 && counters.byArtery() == 0);
    requireNoWarning();
  }

  @Test
  void shouldExposeAndFindActorsWhenTheLastNodeHasCome() {
    ActorSystem<?> near = start("tagfabric.flow.connect-timeout = 60 s");
    ActorSystem<?> far = start("tagfabric.flow.connect-timeout = 60 s");
    requireJoining();
    TestProbe<String> got = TestProbe.create(far);
    CompletionStage<FabricActors.Exposure> exposed =
        FabricActors.get(far).expose("orders", got.getRef(), String.class);
    CompletionStage<ActorRef<String>> found =
        FabricActors.get(near).ref("orders", String.class, LONG);
    start("");

    FabricActors.Exposure exposure = Await.get(exposed);
    assertThat(exposure.name()).isEqualTo("orders");
    assertThat(exposure.lost().toCompletableFuture()).isNotDone();
    Await.get(found).tell("hello");
    got.expectMessage(LONG, "hello");
    requireNoWarning();
  }

  @Test
  void shouldNameTheStateWhenTheLastNodeDoesNotCome() {
    ActorSystem<?> near = start("tagfabric.flow.connect-timeout = 100 ms");
    TestProbe<String> got = TestProbe.create(near);
    FabricActors actors = FabricActors.get(near);

    assertThat(Await.failure(actors.expose("orders", got.getRef(), String.class)))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.TIMED_OUT))
        .hasMessageContaining("this node has not joined its cluster yet");
    assertThat(Await.failure(actors.ref("other", String.class)))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.NO_ENTRY))
        .hasMessageStartingWith("no actor was exposed as [other] within 100 ms")
        .hasMessageContaining("this node has not joined its cluster yet");
  }

  private void requireJoining() {
    cluster.awaitMet();
    for (int i = 0; i < 2; i++) {
      assertThat(Cluster.get(cluster.system(i)).selfMember().status())
          .isEqualTo(MemberStatus.joining());
    }
  }

  private void requireNoWarning() {
    assertThat(lines.list)
        .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
        .isEmpty();
  }
}
