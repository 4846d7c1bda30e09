package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ContenderOutputTest {
  private static String reason(String err) {
    return ContenderOutput.reason(err.getBytes(StandardCharsets.UTF_8), "otherwise");
  }

  @Test
  void shouldTakeTheFirstLineOfARank() {
    assertThat(reason("[1] no group\n[0] the end of it\n")).isEqualTo("no group");
  }

  @Test
  void shouldPassOverWhatTheLauncherAndTheJvmSay() {
    assertThat(
            reason(
                """
                tagfabric: starting for 20 s: each of 2 ranks (0, 1) starts its JVM
                [0] Picked up JAVA_TOOL_OPTIONS: -Xss1m
                [0] --------
                [0] the other end has not answered within 60 s
                """))
        .isEqualTo("the other end has not answered within 60 s");
  }

  @Test
  void shouldSayTheOtherWhenThereIsNoLine() {
    assertThat(reason("tagfabric: starting for 20 s: rank 0 starts its JVM\n\n"))
        .isEqualTo("otherwise");
  }

  @Test
  void shouldCutALongLine() {
    assertThat(reason("x".repeat(2_000))).hasSizeLessThan(500).endsWith(" ...");
  }
}
