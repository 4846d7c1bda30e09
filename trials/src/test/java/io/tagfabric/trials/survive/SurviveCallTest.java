package io.tagfabric.trials.survive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SurviveCallTest {
  @ParameterizedTest
  @EnumSource
  void shouldFindACallByItsName(SurviveCall call) {
    assertThat(call.key()).matches("[a-z]+(-[a-z]+)*");
    assertThat(SurviveCall.of(call.key())).isEqualTo(call);
  }

  @Test
  void shouldSayThatThereIsNoSuchCall() {
    assertThatThrownBy(() -> SurviveCall.of("ibarrier"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[ibarrier]");
  }
}
