package io.tagfabric.provider.shm.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tagfabric.explore.CodeListing;
import io.tagfabric.explore.Drift;
import io.tagfabric.explore.Exploration;
import io.tagfabric.explore.Explorer;
import io.tagfabric.explore.Mutant;
import io.tagfabric.provider.shm.ring.EntryModel.Life;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class EntryModelTest {
  private static final int MOST_STATES = 3_000_000;

  /** Who takes entries, and what else happens. */
  private enum Setting {
    ONE_LANE(1, 1, false, "IS_KILLED STAYS"),
    ONE_OF_THE_RING(1, 0, false, "IS_KILLED STAYS"),
    TWO_LANES(2, 2, false, "LEAVES STAYS"),
    TWO_ONE_AFTER_THE_OTHER(1, 1, false, "LEAVES IS_KILLED STAYS"),
    ENOUGH_FOR_ALL_THAT_STAY(2, 1, false, "LEAVES STAYS STAYS"),
    ONE_IS_CUT(2, 1, false, "IS_CUT STAYS"),
    BROKEN_LANE(2, 1, true, "IS_KILLED STAYS");

    private final int entries;
    private final int lanes;
    private final boolean vandal;
    private final String lives;

    Setting(int entries, int lanes, boolean vandal, String lives) {
      this.entries = entries;
      this.lanes = lanes;
      this.vandal = vandal;
      this.lives = lives;
    }

    EntryModel model(Mutant mutant) {
      Life[] all =
          Pattern.compile(" ").splitAsStream(lives).map(Life::valueOf).toArray(Life[]::new);
      return new EntryModel(mutant, entries, lanes, new int[] {1, 2, 3}, vandal, all);
    }

    Exploration explore(Mutant mutant) {
      return Explorer.explore(model(mutant).model(), MOST_STATES);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldFreeWhatTheDeadHadAndNothingElse(Setting setting) {
    Exploration found = setting.explore(Mutant.none());

    assertThat(found.isSound()).as("%s", found).isTrue();
  }

  /** It stays taken while the other lives. */
  @Test
  void shouldFreeNoEntryOfTheLivingWhenPathsHaveTheSameHash() {
    Exploration found =
        Explorer.explore(
            new EntryModel(Mutant.none(), 2, 1, new int[] {1, 1}, false, Life.IS_KILLED, Life.STAYS)
                .model(),
            MOST_STATES);

    assertThat(found.isSound()).as("%s", found).isTrue();
  }

  @Test
  @Tag("exhaustive")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldFreeWhatTheDeadHadWhenSeveralAreKilled() {
    int[] hashes = {1, 2, 3};
    for (EntryModel model :
        List.of(
            new EntryModel(
                Mutant.none(), 1, 1, hashes, false, Life.IS_KILLED, Life.IS_KILLED, Life.STAYS),
            new EntryModel(
                Mutant.none(), 2, 1, hashes, false, Life.IS_KILLED, Life.STAYS, Life.STAYS),
            new EntryModel(
                Mutant.none(), 2, 2, new int[] {1, 1}, false, Life.IS_KILLED, Life.IS_KILLED))) {
      Exploration found = Explorer.explore(model.model(), MOST_STATES);

      assertThat(found.isSound()).as("%s", found).isTrue();
    }
  }

  static Stream<Arguments> mutants() {
    String take = "ShmEntry.take";
    String cas = "buffer.compareAndSetInt senderAt";
    String use = "buffer.compareAndSetLong " + ShmLayout.LANES_USED_AT;
    String length = "buffer.putInt senderAt+" + ShmLayout.SENDER_PATH_LENGTH;
    String path = "buffer.putBytes senderAt+" + ShmLayout.SENDER_PATH;
    String state = "buffer.putIntOrdered senderAt";
    return Stream.of(
        arguments(Setting.TWO_LANES, Mutant.never(take, "another was quicker")),
        arguments(Setting.ONE_LANE, Mutant.without(take, length)),
        arguments(Setting.ONE_LANE, Mutant.without(take, path)),
        arguments(Setting.ONE_LANE, Mutant.swapped(take, path, cas)),
        arguments(Setting.BROKEN_LANE, Mutant.always(take, "it is ready")),
        arguments(Setting.ONE_LANE, Mutant.without("", "where the one before ended")),
        arguments(Setting.ONE_LANE, Mutant.without("ShmLanes.enter", use)),
        arguments(Setting.TWO_LANES, Mutant.never("ShmLanes.enter", "another has written it")),
        arguments(Setting.ONE_LANE, Mutant.never("ShmSenders.freeTaken", "its taker may live")),
        arguments(Setting.ONE_LANE, Mutant.always("ShmSenders.freeTaken", "its taker may live")),
        arguments(
            Setting.ONE_LANE, Mutant.never("ShmSenders.freeTaken", "it is not taken any more")),
        arguments(Setting.ONE_LANE, Mutant.always("ShmSenders.freeTaken", "it is the first look")),
        arguments(Setting.ONE_LANE, Mutant.never("", "it is taken")),
        arguments(Setting.ONE_LANE, Mutant.never("", "it lives")),
        arguments(Setting.ONE_LANE, Mutant.always("", "it lives")),
        arguments(Setting.ONE_IS_CUT, Mutant.always("", "it may not write on")),
        arguments(
            Setting.ONE_IS_CUT,
            Mutant.without("ShmSenders.giveUp", "buffer.putIntVolatile senderAt")),
        arguments(Setting.ONE_IS_CUT, Mutant.without("ShmSenders.giveUp", "lanes.cutOff")),
        arguments(Setting.ONE_LANE, Mutant.without("", "report")),
        arguments(Setting.TWO_LANES, Mutant.without("ShmLanes.free", use)),
        arguments(Setting.TWO_LANES, Mutant.never("ShmLanes.free", "another has written it")),
        arguments(Setting.ONE_LANE, Mutant.without("ShmSenders.free", state)),
        arguments(Setting.ONE_OF_THE_RING, Mutant.plain("ShmSenders.free", state)),
        arguments(
            Setting.BROKEN_LANE,
            Mutant.without("ShmSenders.cutOff", "buffer.putIntVolatile senderAt")));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldFindWhatIsMissing(Setting setting, Mutant mutant) {
    Exploration found = setting.explore(mutant);

    assertThat(found.problem()).as("%s", found).isNotEmpty();
  }

  @Test
  void shouldBeWhatTheClassesDo() {
    assertThat(
            Drift.between(
                Setting.BROKEN_LANE.model(Mutant.none()).model().listings(),
                List.of(
                    CodeListing.read(ShmEntry.class),
                    CodeListing.read(ShmSenders.class),
                    CodeListing.read(ShmLanes.class),
                    CodeListing.read(RingWriter.class))))
        .isEmpty();
  }
}
