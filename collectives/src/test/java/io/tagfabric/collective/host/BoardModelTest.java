package io.tagfabric.collective.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.explore.CodeListing;
import io.tagfabric.explore.Drift;
import io.tagfabric.explore.Exploration;
import io.tagfabric.explore.Explorer;
import io.tagfabric.explore.Mutant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.tree.ClassNode;

class BoardModelTest {
  private static final int MOST_STATES = 3_000_000;

  private static Exploration explore(
      Mutant mutant, int members, int slots, int stages, boolean fromRoot, boolean leaves) {
    return Explorer.explore(
        new BoardModel(mutant, members, slots, stages, fromRoot, leaves).model(), MOST_STATES);
  }

  private static Exploration exploreCalls(Mutant mutant, int every) {
    return Explorer.explore(BoardModel.ofCalls(mutant, 5, every).model(), MOST_STATES);
  }

  @Test
  void shouldWakeEveryMember() {
    Exploration found = explore(Mutant.none(), 2, 2, 3, false, false);

    assertThat(found.isSound()).as("%s", found).isTrue();
  }

  /** Four stages in two slots: the root waits until the slot that it needs is read. */
  @Test
  void shouldWakeTheRootOfABroadcast() {
    Exploration found = explore(Mutant.none(), 2, 2, 4, true, false);

    assertThat(found.isSound()).as("%s", found).isTrue();
  }

  static Stream<Mutant> mutantsOfABroadcast() {
    return Stream.of(
        Mutant.always("SharedBoard.write", "the slot is free"),
        Mutant.without("SharedBoard.endStage", "buffer.putLongOrdered endedAt"),
        Mutant.without("SharedBoard.wakeSleepers", "VarHandle.fullFence"),
        Mutant.swapped(
            "SharedBoard.read",
            "work.read",
            "SharedBoard.endStage",
            "buffer.putLongOrdered endedAt"));
  }

  @ParameterizedTest
  @MethodSource("mutantsOfABroadcast")
  void shouldFindWhatIsMissingInABroadcast(Mutant mutant) {
    Exploration found = explore(mutant, 2, 2, 4, true, false);

    assertThat(found.problem()).as("%s", found).isNotEmpty();
  }

  @Test
  void shouldWakeWhoWaitsForAMemberThatLeaves() {
    Exploration found = explore(Mutant.none(), 2, 2, 1, false, true);

    assertThat(found.isSound()).as("%s", found).isTrue();
  }

  @Test
  @Tag("exhaustive")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldWakeThreeMembers() {
    assertThat(explore(Mutant.none(), 3, 2, 1, false, false)).matches(Exploration::isSound);
    assertThat(explore(Mutant.none(), 3, 2, 1, false, true)).matches(Exploration::isSound);
    assertThat(explore(Mutant.none(), 2, 2, 5, false, true)).matches(Exploration::isSound);
  }

  static Stream<Mutant> mutants() {
    String flag = "buffer.putLongOrdered flagAt";
    String sleepers = "buffer.getAndAddLong " + SharedLayout.SLEEPERS_AT;
    return Stream.of(
        Mutant.without("SharedBoard.wakeSleepers", "VarHandle.fullFence"),
        Mutant.without("SharedBoard.announce", "buffer.compareAndSetInt asleepAt"),
        Mutant.without("SharedBoard.announce", sleepers, 1),
        Mutant.without("SharedBoard.takeDown", sleepers),
        Mutant.never("SharedBoard.takeDown", "taken by another"),
        Mutant.always("SharedBoard.announce", "nothing there"),
        Mutant.always("SharedBoard.wakeSleepers", "nobody sleeps"),
        Mutant.without("SharedBoard.wakeSleepers", "waker.accept"),
        Mutant.plain("SharedBoard.write", flag),
        Mutant.swapped("SharedBoard.write", "work.write", flag),
        Mutant.without("SharedBoard.tellCall", "buffer.putLongOrdered calledAt"),
        Mutant.swapped(
            "SharedBoard.tellCall",
            "buffer.putLongOrdered calledAt",
            "buffer.putLongVolatile waitingAt"),
        Mutant.swapped(
            "SharedBoard.announce",
            "buffer.compareAndSetInt asleepAt",
            "SharedBoard.isThere",
            "buffer.getLongVolatile flagAt"));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldFindWhatIsMissing(Mutant mutant) {
    Exploration found = explore(mutant, 2, 2, 3, false, false);

    assertThat(found.problem()).as("%s", found).isNotEmpty();
  }

  /** The third call stands where the first one stood, which may be the last that was told. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldNotTakeTheSameCallForAnother(int every) {
    Exploration found = exploreCalls(Mutant.none(), every);

    assertThat(found.isSound()).as("%s", found).isTrue();
  }

  static Stream<Mutant> mutantsOfCalls() {
    String none = "buffer.putLongOrdered waitingAt";
    return Stream.of(
        Mutant.without("SharedBoard.tellCall", none),
        Mutant.swapped("SharedBoard.tellCall", none, "buffer.putLongOrdered firstStageAt"));
  }

  @ParameterizedTest
  @MethodSource("mutantsOfCalls")
  void shouldFindWhenTheSameCallIsTakenForAnother(Mutant mutant) {
    Exploration found = exploreCalls(mutant, 2);

    assertThat(found.problem()).as("%s", found).isNotEmpty();
  }

  static Stream<Mutant> mutantsOfLeaving() {
    return Stream.of(
        Mutant.without("SharedBoard.leave", "buffer.putIntVolatile leftAt"),
        Mutant.always("SharedBoard.isThere", "up"));
  }

  @ParameterizedTest
  @MethodSource("mutantsOfLeaving")
  void shouldFindWhatIsMissingWhenAMemberLeaves(Mutant mutant) {
    Exploration found = explore(mutant, 2, 2, 1, false, true);

    assertThat(found.problem()).as("%s", found).isNotEmpty();
  }

  private static Map<String, List<String>> listings() {
    return new BoardModel(Mutant.none(), 2, 2, 2, true, true).model().listings();
  }

  private static List<ClassNode> classes() {
    return List.of(CodeListing.read(SharedBoard.class));
  }

  @Test
  void shouldBeWhatTheClassDoes() {
    assertThat(Drift.between(listings(), classes())).isEmpty();
  }

  @Test
  void shouldNoticeWhenTheClassLosesAFence() {
    assertThat(Drift.unnoticed(listings(), classes(), "VarHandle.fullFence")).isEmpty();
  }
}
