package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tagfabric.explore.CodeListing;
import io.tagfabric.explore.Drift;
import io.tagfabric.explore.Exploration;
import io.tagfabric.explore.Explorer;
import io.tagfabric.explore.Mutant;
import io.tagfabric.progress.SleepersModel.Other;
import io.tagfabric.progress.SleepersModel.Scene;
import io.tagfabric.progress.SleepersModel.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.tree.ClassNode;

class SleepersModelTest {
  private static final int MOST_STATES = 2_000_000;
  private static final int CROWD_STATES = 30_000_000;
  private static final int FIRST_STATES = 4_000_000;
  private static final String FENCE = "VarHandle.fullFence";
  private static final String PARK_WAITER = "LoopSleepers.parkWaiter";
  private static final String PARK_RESIDENT = "LoopSleepers.parkResident";
  private static final String LEAVE = "LoopSleepers.leaveWait";
  private static final String WAKE = "LoopSleepers.wake";
  private static final String WAKE_WAITERS = "LoopSleepers.wakeWaiters";
  private static final String WAKE_PASSING = "LoopSleepers.wakeWaitersThatPass";

  /** Scenes by name; a test prints the name. */
  private record Setting(String name, Scene scene) {
    static final Setting WAITER =
        new Setting("waiter", new Scene(1, false, false, 0, Other.NOTHING, Task.ENDS_WAIT_0));
    static final Setting TWO_WAITERS =
        new Setting(
            "two waiters", new Scene(2, false, false, 0, Other.NOTHING, Task.ENDS_BOTH_WAITS));
    static final Setting POSTED = new Setting("posted", new Scene(1, false, false, 0, Other.POSTS));
    static final Setting ENDED_OUTSIDE =
        new Setting("ended outside", new Scene(1, false, false, 0, Other.TELLS_WAITERS));
    static final Setting POSTED_TIMER =
        new Setting("posted timer", new Scene(0, true, false, 0, Other.POSTS));
    static final Setting RESIDENT =
        new Setting("resident", new Scene(0, true, false, 0, Other.NOTHING, Task.SETS_TIMER));
    static final Setting WAITER_AND_RESIDENT =
        new Setting(
            "waiter and resident", new Scene(1, true, false, 0, Other.NOTHING, Task.ENDS_WAIT_0));
    static final Setting LEAVING =
        new Setting(
            "leaving", new Scene(1, true, false, 0, Other.HAS_ENDED_WAIT_0, Task.SETS_TIMER));
    static final Setting TIMER_LEFT =
        new Setting(
            "timer left",
            new Scene(1, true, false, 0, Other.NOTHING, Task.ENDS_WAIT_0_AND_SETS_TIMER));
    static final Setting TIMER_SET =
        new Setting("timer set", new Scene(1, true, false, 0, Other.NOTHING, Task.SETS_TIMER));
    static final Setting TWO_AND_RESIDENT =
        new Setting(
            "two waiters and resident", new Scene(2, true, false, 0, Other.HAS_ENDED_WAIT_0));
    static final Setting TOLD =
        new Setting("told", new Scene(0, true, false, 0, Other.TELLS_RESIDENT));
    static final Setting WATCHED_WAITER =
        new Setting("watched waiter", new Scene(1, false, true, 1, Other.NOTHING));
    static final Setting WATCHED_RESIDENT =
        new Setting("watched resident", new Scene(0, true, true, 1, Other.NOTHING));
    static final Setting WATCHED_TWO =
        new Setting("watched two", new Scene(2, false, true, 2, Other.NOTHING));
    static final Setting WATCHED_BOTH =
        new Setting("watched both", new Scene(1, true, true, 1, Other.NOTHING));
    static final Setting HUSHED_WAITER =
        new Setting("hushed waiter", new Scene(1, false, true, 1, Other.HUSHES));
    static final Setting HUSHED_RESIDENT =
        new Setting("hushed resident", new Scene(0, true, true, 1, Other.HUSHES));
    static final Setting HUSHED_ONE =
        new Setting("hushed one", new Scene(1, false, true, 1, Other.HUSHES_ONE));
    static final List<Setting> ALL =
        List.of(
            WAITER,
            TWO_AND_RESIDENT,
            TWO_WAITERS,
            POSTED,
            ENDED_OUTSIDE,
            POSTED_TIMER,
            RESIDENT,
            WAITER_AND_RESIDENT,
            LEAVING,
            TIMER_LEFT,
            TIMER_SET,
            TOLD,
            WATCHED_WAITER,
            WATCHED_RESIDENT,
            WATCHED_TWO,
            WATCHED_BOTH,
            HUSHED_WAITER,
            HUSHED_RESIDENT,
            HUSHED_ONE);

    Exploration explore(Mutant mutant) {
      return Explorer.explore(new SleepersModel(mutant, scene).model(), MOST_STATES);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Setting> settings() {
    return Setting.ALL;
  }

  @ParameterizedTest
  @MethodSource("settings")
  void shouldMissNoWakeUp(Setting setting) {
    Exploration found = setting.explore(Mutant.none());

    assertThat(found.isSound()).as("%s", found).isTrue();
  }

  /** What is true in the small holds with more threads and more tasks. */
  @Test
  @Tag("exhaustive")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldMissNoWakeUpInACrowd() {
    for (Scene scene :
        List.of(
            new Scene(2, false, false, 0, Other.NOTHING, Task.ENDS_WAIT_0, Task.ENDS_WAIT_1),
            new Scene(1, true, false, 0, Other.NOTHING, Task.ENDS_WAIT_0, Task.SETS_TIMER))) {
      Exploration found =
          Explorer.explore(new SleepersModel(Mutant.none(), scene).model(), CROWD_STATES);

      assertThat(found.isSound()).as("%s: %s", scene, found).isTrue();
    }
  }

  /** All its states do not fit into memory; these are the first of them. */
  @Test
  @Tag("exhaustive")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldMissNoWakeUpInTheFirstStatesOfACrowdBesideASocket() {
    Scene scene = new Scene(2, true, true, 0, Other.HAS_ENDED_WAIT_0);

    Exploration found =
        Explorer.explore(new SleepersModel(Mutant.none(), scene).model(), FIRST_STATES);

    assertThat(found.problem()).as("%s", found).isEmpty();
    assertThat(found.states()).as("%s", found).isGreaterThan(FIRST_STATES);
  }

  static Stream<Arguments> mutants() {
    return Stream.of(
        arguments(Setting.WAITER, Mutant.without(PARK_WAITER, FENCE)),
        arguments(Setting.WAITER, Mutant.without(WAKE, FENCE)),
        arguments(Setting.WAITER_AND_RESIDENT, Mutant.without(WAKE_PASSING, FENCE)),
        arguments(Setting.POSTED, Mutant.without(WAKE_PASSING, FENCE)),
        arguments(Setting.ENDED_OUTSIDE, Mutant.without(WAKE_WAITERS, FENCE)),
        // A wait that has not entered the loop must not count on who has it.
        arguments(Setting.POSTED, Mutant.always("", "has entered")),
        arguments(Setting.WAITER_AND_RESIDENT, Mutant.always("", "has entered")),
        // A producer that looks for sleepers and then publishes.
        arguments(
            Setting.WAITER,
            Mutant.swapped("ProgressLoop.execute", "tasks.add", WAKE, "get waiters")),
        // A waiter that looks and then registers.
        arguments(Setting.WAITER, Mutant.without(PARK_WAITER, "parkedWaiters.add")),
        arguments(
            Setting.TWO_WAITERS,
            Mutant.swapped(PARK_WAITER, "parkedWaiters.add", "condition.getAsBoolean")),
        arguments(Setting.TWO_WAITERS, Mutant.never(PARK_WAITER, "condition holds")),
        arguments(Setting.WAITER, Mutant.never(PARK_WAITER, "work is queued")),
        arguments(Setting.RESIDENT, Mutant.never(PARK_RESIDENT, "work is queued")),
        arguments(Setting.RESIDENT, Mutant.without(PARK_RESIDENT, "put parkedResident", 1)),
        // A resident driver that looks and then registers.
        arguments(
            Setting.RESIDENT,
            Mutant.swapped(PARK_RESIDENT, "put parkedResident", "", "tasks added")),
        arguments(Setting.TOLD, Mutant.never(PARK_RESIDENT, "wanted")),
        arguments(Setting.TOLD, Mutant.never("LoopSleepers.residentMaySleepOn", "wanted")),
        arguments(
            Setting.TOLD,
            Mutant.swapped(
                "LoopSleepers.wakeResident",
                "put residentWanted",
                "LoopSleepers.unparkResident",
                "get parkedResident")),
        // Who makes something true wakes those who wait.
        arguments(Setting.POSTED, Mutant.always(WAKE_PASSING, "nobody waits")),
        arguments(Setting.ENDED_OUTSIDE, Mutant.always(WAKE_WAITERS, "nobody waits")),
        // A waiter that leaves leaves nothing behind.
        arguments(Setting.WATCHED_BOTH, Mutant.never(LEAVE, "oversleeps the handover")),
        arguments(Setting.TIMER_LEFT, Mutant.without(PARK_RESIDENT, "put residentWakesAtNs", 1)),
        arguments(Setting.WATCHED_BOTH, Mutant.without(PARK_RESIDENT, "put residentSleepsLong", 1)),
        arguments(Setting.WATCHED_BOTH, Mutant.always(PARK_RESIDENT, "nobody waits")),
        // Where waits were close the resident driver must not count on another.
        arguments(Setting.WATCHED_RESIDENT, Mutant.always(PARK_RESIDENT, "waits are rare")),
        arguments(
            Setting.TIMER_SET,
            Mutant.without("ProgressLoop.publishSleepLimits", "put nextTimerInPassNs")),
        arguments(Setting.WATCHED_RESIDENT, Mutant.always("LoopSleepers.claimWatch", "no watch")),
        arguments(Setting.WATCHED_TWO, Mutant.without("ChannelWatch.release", "sleeper.set")),
        arguments(Setting.WATCHED_BOTH, Mutant.without("ChannelWatch.wake", "put woken")),
        arguments(
            Setting.WATCHED_BOTH,
            Mutant.swapped("ChannelWatch.wake", "put woken", "selector.wakeup")),
        arguments(Setting.WATCHED_BOTH, Mutant.never("LoopSleepers.sleepIn", "woken")),
        // Who could not claim the watch meanwhile sleeps elsewhere, and must look again.
        arguments(Setting.HUSHED_WAITER, Mutant.always(WAKE, "nobody waits")),
        arguments(
            Setting.HUSHED_RESIDENT,
            Mutant.always("LoopSleepers.unparkResident", "it does not sleep")),
        arguments(Setting.HUSHED_WAITER, Mutant.without("ChannelWatch.release", "sleeper.set")));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void shouldFindWhatIsMissing(Setting setting, Mutant mutant) {
    Exploration found = setting.explore(mutant);

    assertThat(found.problem()).as("%s", found).isNotEmpty();
    assertThat(found.trace()).isNotEmpty();
  }

  /** A rule that no test of threads missed when somebody took it out by hand. */
  private record Rule(String label, String what, Setting setting, Mutant mutant) {
    /** The row of the table in the documentation. */
    String row(int states) {
      return String.format(Locale.ROOT, "| `%s` | %s | %,d |", label, what, states);
    }

    @Override
    public String toString() {
      return label;
    }
  }

  static Stream<Rule> rules() {
    return Stream.of(
        new Rule(
            "p02",
            "the resident driver oversleeps a timer that a waiter leaves behind",
            Setting.TIMER_LEFT,
            Mutant.never(LEAVE, "oversleeps a timer")),
        new Rule(
            "p03",
            "the resident driver oversleeps work that a waiter leaves behind",
            Setting.LEAVING,
            Mutant.never(LEAVE, "work is queued")),
        new Rule(
            "p04",
            "a waiter that leaves does not wake the others",
            Setting.WATCHED_TWO,
            Mutant.always(LEAVE, "the last")),
        new Rule(
            "p05",
            "a pass that has made a condition true does not wake who waits for it",
            Setting.WAITER_AND_RESIDENT,
            Mutant.always("ProgressLoop.giveBack", "nothing was done")),
        new Rule(
            "p06",
            "who has set an earlier timer does not wake the sleeper",
            Setting.POSTED_TIMER,
            Mutant.always("ProgressLoop.giveBack", "sleep limits as before")));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void shouldFindARuleThatNoOtherTestMissed(Rule rule) throws IOException {
    Exploration found = rule.setting.explore(rule.mutant);

    assertThat(found.problem()).as("%s", found).isNotEmpty();
    assertThat(Files.readString(Path.of("..", "docs", "65-simulation.md")))
        .contains(rule.row(found.states()));
  }

  private static Map<String, List<String>> listings() {
    Map<String, List<String>> all = new TreeMap<>();
    for (Setting setting : Setting.ALL) {
      all.putAll(new SleepersModel(Mutant.none(), setting.scene).model().listings());
    }
    return all;
  }

  private static List<ClassNode> classes() {
    return List.of(
        CodeListing.read(LoopSleepers.class),
        CodeListing.read(ProgressLoop.class),
        CodeListing.read(ChannelWatch.class));
  }

  @Test
  void shouldBeWhatTheClassesDo() {
    assertThat(Drift.between(listings(), classes())).isEmpty();
  }

  @Test
  void shouldNoticeWhenTheClassesLoseAFence() {
    assertThat(Drift.unnoticed(listings(), classes(), FENCE)).isEmpty();
  }
}
