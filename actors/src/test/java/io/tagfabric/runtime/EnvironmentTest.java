package io.tagfabric.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.support.Await;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
  private static final Config LOCAL =
      ConfigFactory.parseString("akka { actor.provider = local, loglevel = ERROR }")
          .withFallback(ConfigFactory.load());

  private final Environment other = new Environment() {};

  @Test
  void shouldFindTheEnvironmentInTheSetupOfTheSystem() {
    ActorSystem<Void> given =
        ActorSystem.create(
            Behaviors.empty(),
            "given",
            ActorSystemSetup.create(BootstrapSetup.create(LOCAL), new EnvironmentSetup(other)));
    ActorSystem<Void> plain = ActorSystem.create(Behaviors.empty(), "plain", LOCAL);
    try {
      assertThat(Environment.of(given)).isSameAs(other);
      assertThat(Environment.of(given.classicSystem())).isSameAs(other);
      assertThat(Environment.of(plain)).isSameAs(Environment.REAL);
    } finally {
      given.terminate();
      plain.terminate();
      Await.get(given.getWhenTerminated());
      Await.get(plain.getWhenTerminated());
    }
  }

  @Test
  void shouldHaveTheEnvironmentThatTheThreadOrItsParentRunsIn() {
    assertThat(Environment.current()).isSameAs(Environment.REAL);

    CompletableFuture<Environment> ofChild = new CompletableFuture<>();
    Environment own =
        Environment.within(
            other,
            () -> {
              new Thread(() -> ofChild.complete(Environment.current())).start();
              Environment nested = Environment.within(Environment.REAL, Environment::current);
              assertThat(nested).isSameAs(Environment.REAL);
              return Environment.current();
            });

    assertThat(own).isSameAs(other);
    assertThat(Await.get(ofChild)).isSameAs(other);
    assertThat(Environment.current()).isSameAs(Environment.REAL);
  }

  @Test
  void shouldLeaveTheEnvironmentWhenTheTaskFails() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                Environment.within(
                    other,
                    () -> {
                      throw new IllegalStateException("on purpose");
                    }));

    assertThat(Environment.current()).isSameAs(Environment.REAL);
  }

  @Test
  void shouldMakeTheSameUuidsOfTheSameSeed() {
    RandomSource one = new Random(7)::nextLong;
    RandomSource same = new Random(7)::nextLong;
    UUID first = one.nextUuid();

    assertThat(first).isEqualTo(same.nextUuid()).isNotEqualTo(one.nextUuid());
    assertThat(first.version()).isEqualTo(4);
    assertThat(first.variant()).isEqualTo(2);
    assertThat(UUID.fromString(first.toString())).isEqualTo(first);
  }
}
