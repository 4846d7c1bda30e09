package io.tagfabric.progress;

import static io.tagfabric.progress.YieldPace.ENOUGH;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class YieldPaceTest {
  private static final long FAR_NS = 20;
  private static final long CLOSE_NS = 400;

  private final YieldPace pace = new YieldPace(FAR_NS, CLOSE_NS);

  private void found(int times, long gapNs) {
    for (int i = 0; i < times; i++) {
      pace.found(gapNs);
    }
  }

  @Test
  void shouldYieldForLongerAfterEnoughGapsThatItWouldHaveMet() {
    assertThat(pace.yieldNs()).isEqualTo(FAR_NS);
    found(ENOUGH - 1, CLOSE_NS);
    assertThat(pace.yieldNs()).isEqualTo(FAR_NS);
    found(1, FAR_NS + 1);
    assertThat(pace.yieldNs()).isEqualTo(CLOSE_NS);
    found(10 * ENOUGH, CLOSE_NS);
    assertThat(pace.yieldNs()).isEqualTo(CLOSE_NS);
  }

  @Test
  void shouldYieldForLongerNoMoreAfterOneGapThatIsFar() {
    found(10 * ENOUGH, CLOSE_NS);
    pace.found(CLOSE_NS + 1);
    assertThat(pace.yieldNs()).isEqualTo(FAR_NS);

    found(ENOUGH - 1, CLOSE_NS);
    assertThat(pace.yieldNs()).as("all gaps count from the far one on").isEqualTo(FAR_NS);
  }

  @Test
  void shouldYieldForLongerNoMoreAfterOthersHaveWaited() {
    found(ENOUGH, CLOSE_NS);
    pace.othersWait();
    assertThat(pace.yieldNs()).isEqualTo(FAR_NS);
  }

  @Test
  void shouldLearnNothingFromGapsThatItWaitsForAnyhow() {
    found(10 * ENOUGH, FAR_NS);
    assertThat(pace.yieldNs()).isEqualTo(FAR_NS);

    found(ENOUGH, CLOSE_NS);
    found(10, 0);
    assertThat(pace.yieldNs()).isEqualTo(CLOSE_NS);
  }

  @Property
  void shouldNeverYieldForLongerWhereThatIsNotSet(
      @ForAll List<@LongRange(min = 0, max = 100) Long> gaps) {
    YieldPace off = new YieldPace(FAR_NS, 0);
    YieldPace less = new YieldPace(FAR_NS, FAR_NS - 1);
    for (long gapNs : gaps) {
      off.found(gapNs);
      less.found(gapNs);
      assertThat(off.yieldNs()).isEqualTo(FAR_NS);
      assertThat(less.yieldNs()).isEqualTo(FAR_NS);
    }
  }
}
