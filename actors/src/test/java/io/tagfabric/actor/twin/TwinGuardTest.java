package io.tagfabric.actor.twin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TwinGuardTest {
  /** A reference of an Akka that has a method more. */
  interface Newer {
    void unheardOf();
  }

  @Test
  void shouldFindThisAkkaFit() {
    assertThat(TwinGuard.misfit()).isEmpty();
  }

  @Test
  void shouldNameTheMethodsOfAnotherAkka() {
    assertThat(TwinGuard.misfit(() -> Newer.class)).contains("unheardOf");
  }

  @Test
  void shouldSayThatTypesAreOthers() {
    assertThat(
            TwinGuard.misfit(
                () -> {
                  throw new IncompatibleClassChangeError("InternalActorRef is an interface");
                }))
        .contains("InternalActorRef is an interface");
  }
}
