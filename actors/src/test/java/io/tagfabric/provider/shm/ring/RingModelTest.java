package io.tagfabric.provider.shm.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tagfabric.explore.CodeListing;
import io.tagfabric.explore.Drift;
import io.tagfabric.explore.Exploration;
import io.tagfabric.explore.Explorer;
import io.tagfabric.explore.Mutant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RingModelTest {
  private static final int MOST_STATES = 6_000_000;

  /** What happens while senders write. */
  private enum Setting {
    ALL_LIVE(false, "rr", 2, 1),
    KILLED_BEFORE_A_LOOK(true, "", 1, 2),
    KILLED_BETWEEN_LOOKS(true, "cc", 1, 1);

    private final boolean killable;
    private final String looks;
    private final int first;
    private final int second;

    Setting(boolean killable, String looks, int first, int second) {
      this.killable = killable;
      this.looks = looks;
      this.first = first;
      this.second = second;
    }

    Exploration explore(Mutant mutant) {
      return Explorer.explore(
          new RingModel(mutant, 2, killable, looks, first, second).model(), MOST_STATES);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldBringEachRecordOfTheLivingOnce(Setting setting) {
    Exploration found = setting.explore(Mutant.none());

    assertThat(found.isSound()).as("%s", found).isTrue();
  }

  static Stream<Arguments> mutants() {
    String count = "counts.putLongOrdered countAt";
    String length = "buffer.putIntOrdered lengthOffset";
    String head = "buffer.putLongOrdered headAt";
    String clear = "buffer.putLong computed";
    return Stream.of(
        arguments(Setting.KILLED_BEFORE_A_LOOK, Mutant.without("RingWriter.claim", count, 1)),
        arguments(Setting.KILLED_BEFORE_A_LOOK, Mutant.without("RingWriter.claim", count, 2)),
        arguments(Setting.KILLED_BETWEEN_LOOKS, Mutant.without("RingWriter.commit", count)),
        arguments(
            Setting.KILLED_BETWEEN_LOOKS,
            Mutant.swapped("ManyToOneRingBuffer.commit", length, "RingWriter.commit", count)),
        arguments(Setting.ALL_LIVE, Mutant.without("ManyToOneRingBuffer.tryClaim", length)),
        arguments(
            Setting.ALL_LIVE,
            Mutant.without("ManyToOneRingBuffer.tryClaim", "buffer.putInt typeOffset")),
        arguments(Setting.ALL_LIVE, Mutant.plain("ManyToOneRingBuffer.commit", length)),
        arguments(
            Setting.ALL_LIVE,
            Mutant.swapped("", "write the payload", "ManyToOneRingBuffer.commit", length)),
        arguments(Setting.ALL_LIVE, Mutant.without("RingReader.clear", clear)),
        arguments(Setting.ALL_LIVE, Mutant.plain("RingReader.giveBack", head)),
        arguments(Setting.ALL_LIVE, Mutant.without("RingReader.giveBack", head)),
        arguments(
            Setting.ALL_LIVE,
            Mutant.swapped("RingReader.clear", clear, "RingReader.giveBack", head)),
        arguments(Setting.KILLED_BEFORE_A_LOOK, Mutant.never("ShmSenders.check", "blocked before")),
        arguments(
            Setting.KILLED_BETWEEN_LOOKS, Mutant.always("ShmSenders.check", "blocked before")),
        arguments(
            Setting.KILLED_BETWEEN_LOOKS,
            Mutant.never("ShmSenders.check", "somebody may write it")),
        arguments(
            Setting.KILLED_BEFORE_A_LOOK, Mutant.always("ShmSenders.isOfTheDead", "in no claim")),
        arguments(
            Setting.KILLED_BEFORE_A_LOOK, Mutant.never("ShmSenders.isOfTheDead", "in no claim")),
        arguments(
            Setting.KILLED_BETWEEN_LOOKS, Mutant.always("ShmSenders.isOfTheDead", "another claim")),
        arguments(
            Setting.KILLED_BEFORE_A_LOOK,
            Mutant.without("ShmSenders.passOverHole", "buffer.putIntOrdered lengthOffset")),
        arguments(Setting.KILLED_BETWEEN_LOOKS, Mutant.never("ShmSenders.isOfTheDead", "alive")),
        arguments(Setting.KILLED_BEFORE_A_LOOK, Mutant.always("ShmSenders.isOfTheDead", "alive")));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldFindWhatIsMissing(Setting setting, Mutant mutant) {
    Exploration found = setting.explore(mutant);

    assertThat(found.problem()).as("%s", found).isNotEmpty();
  }

  @Test
  @Tag("exhaustive")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldFindACountThatIsSeenBeforeTheRecord() {
    Exploration found =
        Setting.KILLED_BETWEEN_LOOKS.explore(
            Mutant.plain("RingWriter.commit", "counts.putLongOrdered countAt"));

    assertThat(found.problem()).as("%s", found).isNotEmpty();
  }

  /** More records, and a reader that reads while a sender is killed. */
  @Test
  @Tag("exhaustive")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldBringEachRecordOnceInALargerRing() {
    for (RingModel model :
        List.of(
            new RingModel(Mutant.none(), 2, true, "rcrc", 1, 1),
            new RingModel(Mutant.none(), 2, true, "r", 1, 2),
            new RingModel(Mutant.none(), 3, false, "rr", 2, 2))) {
      Exploration found = Explorer.explore(model.model(), MOST_STATES);

      assertThat(found.isSound()).as("%s", found).isTrue();
    }
  }

  @Test
  void shouldBeWhatTheClassesDo() {
    assertThat(
            Drift.between(
                new RingModel(Mutant.none(), 2, true, "", 1, 1).model().listings(),
                List.of(
                    CodeListing.read(ManyToOneRingBuffer.class),
                    CodeListing.read(ShmSenders.class),
                    CodeListing.read(RingWriter.class),
                    CodeListing.read(RingReader.class))))
        .isEmpty();
  }
}
