package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.Kill;
import akka.actor.PoisonPill;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.progress.GuardedMailbox;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What anybody who reaches Artery's port can tell the actors of a domain does not end them. */
class StrangersMessagesTest {
  private static final String REMOTE =
      """
      akka.loglevel = ERROR
      akka.log-dead-letters = off
      akka.actor.provider = remote
      akka.remote.artery {
        transport = tcp
        canonical { hostname = "127.0.0.1", port = 0 }
        advanced { inbound-lanes = 1, outbound-lanes = 1 }
      }
      tagfabric.provider.use = ["local"]
      """;

  private ActorSystem<Void> system;
  private ActorSystem<Void> stranger;

  @BeforeEach
  void start() {
    var config = ConfigFactory.parseString(REMOTE).withFallback(ConfigFactory.load());
    system = ActorSystem.create(Behaviors.empty(), "home", config);
    stranger = ActorSystem.create(Behaviors.empty(), "stranger", config);
  }

  @AfterEach
  void stop() {
    for (ActorSystem<Void> each : List.of(system, stranger)) {
      each.terminate();
      Await.get(each.getWhenTerminated());
    }
  }

  private int tell(String path, Object... messages) {
    for (Object message : messages) {
      Adapter.toClassic(stranger)
          .actorSelection(system.address() + "/system/" + path)
          .tell(message, ActorRef.noSender());
    }
    return messages.length;
  }

  private static void exchange(Endpoint from, Endpoint to, Domain domain) {
    int peer = domain.addressVector().insert(to.address());
    var received = to.futures().receiveTagged(TagSelector.exact(7)).toCompletableFuture();
    from.futures().sendTagged(peer, new byte[] {1}, 7);
    assertThat(received.orTimeout(60, TimeUnit.SECONDS).join().source()).isNotNegative();
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldNotEndTheActorsOfADomain(ProgressMode mode) {
    Domain domain = Fabric.get(system).openDomain("d", mode);
    Endpoint one = domain.openEndpoint("one");
    Endpoint two = domain.openEndpoint("two");
    exchange(one, two, domain);
    Object[] harmful = {PoisonPill.getInstance(), Kill.getInstance(), "a text"};

    int told = 0;
    for (String actor :
        List.of(
            "tagfabric-domain-d",
            "tagfabric-domain-d/addresses",
            "tagfabric-domain-d/queue-1",
            "tagfabric-domain-d/queue-2",
            "tagfabric-domain-d/endpoint-0",
            "tagfabric-domain-d/endpoint-0/matcher",
            "tagfabric-domain-d/endpoint-1",
            "tagfabric-domain-d/endpoint-1/matcher",
            "tagfabric-names")) {
      told += tell(actor, harmful);
    }
    if (mode == ProgressMode.AUTO) {
      told += tell("tagfabric-progress-d", harmful);
    }
    // readable by anybody, and of a class of ours
    told += tell("tagfabric-domain-d", one.address());
    told += tell("tagfabric-domain-d/endpoint-0/matcher", one.address());
    int all = told;
    Await.until("all is dropped", () -> GuardedMailbox.dropped(system) == all);

    tell("tagfabric-domain-d/endpoint-0", one.address());
    tell("tagfabric-domain-d/queue-1", one.address());
    exchange(one, two, domain);
    exchange(two, one, domain);
    exchange(one, domain.openEndpoint("three"), domain);
    assertThat(one.futures().matcherState().toCompletableFuture().join().postedReceives()).isZero();
    assertThat(domain.await(() -> domain.loop().mail().isEmpty(), Duration.ofSeconds(60))).isTrue();
    assertThat(GuardedMailbox.dropped(system)).isEqualTo(told);
  }
}
