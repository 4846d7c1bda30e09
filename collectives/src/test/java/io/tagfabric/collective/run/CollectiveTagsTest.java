package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class CollectiveTagsTest {
  @Test
  void shouldLayFieldsOutAsDrawn() {
    assertThat(CollectiveTags.step(0x123456, 0x789A, 0xBC)).isEqualTo(0xC7_02_123456_789A_BCL);
    assertThat(CollectiveTags.control(0xFFFFFF)).isEqualTo(0xC7_03_FFFFFF_0000_00L);
  }

  @Property
  void shouldGiveDifferentStepsDifferentTags(
      @ForAll @IntRange(min = 0, max = CollectiveTags.TEAMS - 1) int team,
      @ForAll @IntRange(min = 0, max = CollectiveTags.TEAMS - 1) int otherTeam,
      @ForAll @IntRange(min = 0, max = CollectiveTags.EPOCHS - 1) int epoch,
      @ForAll @IntRange(min = 0, max = CollectiveTags.EPOCHS - 1) int otherEpoch,
      @ForAll @IntRange(min = 0, max = CollectiveTags.LANES - 1) int lane,
      @ForAll @IntRange(min = 0, max = CollectiveTags.LANES - 1) int otherLane) {
    boolean same = team == otherTeam && epoch == otherEpoch && lane == otherLane;

    assertThat(
            CollectiveTags.step(team, epoch, lane)
                == CollectiveTags.step(otherTeam, otherEpoch, otherLane))
        .isEqualTo(same);
    assertThat(CollectiveTags.step(team, epoch, lane))
        .isNotEqualTo(CollectiveTags.control(otherTeam));
  }

  @Test
  void shouldRepeatEpochsWithoutTouchingOtherFields() {
    assertThat(CollectiveTags.step(5, CollectiveTags.EPOCHS + 3L, 1))
        .isEqualTo(CollectiveTags.step(5, 3, 1));
  }

  @Test
  void shouldRefuseWhatDoesNotFit() {
    assertThatThrownBy(() -> CollectiveTags.control(1 << 24))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("team=16777216 is outside 0..16777215, choose another team");
  }
}
