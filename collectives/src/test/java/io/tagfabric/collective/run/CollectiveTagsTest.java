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
    assertThat(CollectiveTags.barrier(0x1234, 0x56789A, 0xBC)).isEqualTo(0xC7_01_1234_56789A_BCL);
    assertThat(CollectiveTags.broken(0xFFFF)).isEqualTo(0xC7_00_FFFF_000000_00L);
  }

  @Property
  void shouldGiveDifferentStepsDifferentTags(
      @ForAll @IntRange(min = 0, max = CollectiveTags.TEAMS - 1) int team,
      @ForAll @IntRange(min = 0, max = CollectiveTags.TEAMS - 1) int otherTeam,
      @ForAll @IntRange(min = 0, max = CollectiveTags.EPOCHS - 1) int epoch,
      @ForAll @IntRange(min = 0, max = CollectiveTags.EPOCHS - 1) int otherEpoch,
      @ForAll @IntRange(min = 0, max = CollectiveTags.ROUNDS - 1) int round,
      @ForAll @IntRange(min = 0, max = CollectiveTags.ROUNDS - 1) int otherRound) {
    boolean same = team == otherTeam && epoch == otherEpoch && round == otherRound;

    assertThat(
            CollectiveTags.barrier(team, epoch, round)
                == CollectiveTags.barrier(otherTeam, otherEpoch, otherRound))
        .isEqualTo(same);
    assertThat(CollectiveTags.barrier(team, epoch, round))
        .isNotEqualTo(CollectiveTags.broken(otherTeam));
  }

  @Test
  void shouldRepeatEpochsWithoutTouchingOtherFields() {
    assertThat(CollectiveTags.barrier(5, CollectiveTags.EPOCHS + 3L, 1))
        .isEqualTo(CollectiveTags.barrier(5, 3, 1));
  }

  @Test
  void shouldRefuseWhatDoesNotFit() {
    assertThatThrownBy(() -> CollectiveTags.broken(65536))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("team=65536 is outside 0..65535, choose another team");
  }
}
