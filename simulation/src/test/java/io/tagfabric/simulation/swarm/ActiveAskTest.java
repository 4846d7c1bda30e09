package io.tagfabric.simulation.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActiveAskTest {
  private final ActiveAsk ask =
      new ActiveAsk(null, ActiveAsk.Kind.KEPT, null, null, new int[] {0}, new byte[0]);

  @Test
  void shouldUseNoCreditBeforeItIsKept() {
    assertThat(ask.usesCredit(0)).isFalse();
  }

  @Test
  void shouldUseACreditWhileItIsKept() {
    ask.keptUntil(60);

    assertThat(ask.usesCredit(59)).isTrue();
  }

  @Test
  void shouldUseNoCreditWhenItsTimeIsOverAlthoughItsSenderHasNotHeardOfIt() {
    ask.keptUntil(60);

    assertThat(ask.hasEnded()).isFalse();
    assertThat(ask.usesCredit(60)).isFalse();
  }
}
