package io.tagfabric.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExplorerTest {
  private static final int MOST_STATES = 100_000;

  private final Model model = new Model(Mutant.none());

  private static Exploration explore(Model model) {
    return Explorer.explore(model, MOST_STATES);
  }

  /** Two threads each write their own cell and read the other's. */
  private enum StoreThenLoad {
    RELEASE_AND_VOLATILE(false),
    VOLATILE_AND_ACQUIRE(false),
    VOLATILE_AND_VOLATILE(true),
    RELEASE_FENCE_ACQUIRE(true);

    private final boolean sound;

    StoreThenLoad(boolean sound) {
      this.sound = sound;
    }

    Model model() {
      Model model = new Model(Mutant.none());
      int x = model.cells("x", 2, 0);
      int saw = model.cells("saw", 2, 9);
      for (int self = 0; self < 2; self++) {
        int own = self;
        Program thread = model.thread("thread-" + self);
        int other = thread.register("other");
        if (this == RELEASE_AND_VOLATILE || this == RELEASE_FENCE_ACQUIRE) {
          thread.storeRelease("x[own] = 1", r -> x + own, r -> 1);
        } else {
          thread.storeVolatile("x[own] = 1", r -> x + own, r -> 1);
        }
        if (this == RELEASE_FENCE_ACQUIRE) {
          thread.fence("fence");
        }
        if (this == RELEASE_AND_VOLATILE || this == VOLATILE_AND_VOLATILE) {
          thread.loadVolatile("x[other]", other, r -> x + 1 - own);
        } else {
          thread.load("x[other]", other, r -> x + 1 - own);
        }
        thread.atomic("saw", (m, r) -> m[saw + own] = r[other]);
      }
      return model.atEnd(m -> m[saw] == 0 && m[saw + 1] == 0 ? "neither saw the other" : null);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldLetALoadPassAStoreUnlessSomethingStandsBetween(StoreThenLoad kind) {
    Exploration found = explore(kind.model());

    assertThat(found.isSound()).as("%s", found).isEqualTo(kind.sound);
    assertThat(found.problem()).isEqualTo(kind.sound ? "" : "neither saw the other");
  }

  @Test
  void shouldShowTheShortestWayToWhatIsWrong() {
    Exploration found = explore(StoreThenLoad.RELEASE_AND_VOLATILE.model());

    assertThat(found.trace())
        .extracting(line -> line.replaceAll(" +", " ").trim())
        .startsWith("1 thread-0 x[own] = 1 to be x[0] = 1", "2 thread-1 x[own] = 1 to be x[1] = 1")
        .contains("3 thread-0 x[other] x[1] is 0")
        .hasSize(8);
  }

  /** One thread writes and looks, without a fence; the other announces itself and looks twice. */
  private Model looksTwice(boolean waits) {
    int x = model.cell("x", 0);
    int announced = model.cell("announced", 0);
    int saw = model.cells("saw", 2, 9);
    Program writer = model.thread("writer");
    int there = writer.register("there");
    writer.storeRelease("x = 1", r -> x, r -> 1);
    writer.load("announced", there, r -> announced);
    writer.atomic("saw", (m, r) -> m[saw] = r[there]);
    Program sleeper = model.thread("sleeper");
    int first = sleeper.register("first");
    int second = sleeper.register("second");
    sleeper.storeVolatile("announced = 1", r -> announced, r -> 1);
    sleeper.loadVolatile("x", first, r -> x);
    if (waits) {
      sleeper.outlast("wait", (m, r) -> false, (m, r) -> {});
    }
    sleeper.loadVolatile("x again", second, r -> x);
    sleeper.atomic("saw", (m, r) -> m[saw + 1] = r[first] + r[second]);
    return model.atEnd(m -> m[saw] == 0 && m[saw + 1] == 0 ? "neither saw the other" : null);
  }

  @Test
  void shouldSeeAStoreThatAWaitHasOutlasted() {
    assertThat(explore(looksTwice(true))).matches(Exploration::isSound);
  }

  @Test
  void shouldMissAStoreWithoutSuchAWait() {
    assertThat(explore(looksTwice(false)).problem()).isEqualTo("neither saw the other");
  }

  /** Only what was stored before: what comes later may stay hidden as long as it likes. */
  @Test
  void shouldNotWaitForAStoreThatIsMadeLater() {
    int x = model.cell("x", 0);
    int begun = model.cell("begun", 0);
    int saw = model.cell("saw", 9);
    Program writer = model.thread("writer");
    writer.await("the wait has begun", (m, r) -> m[begun] == 1, (m, r) -> {});
    writer.storeRelease("x = 1", r -> x, r -> 1);
    Program sleeper = model.thread("sleeper");
    int sees = sleeper.register("sees");
    sleeper.outlast("wait", (m, r) -> false, (m, r) -> m[begun] = 1);
    sleeper.loadVolatile("x", sees, r -> x);
    sleeper.atomic("saw", (m, r) -> m[saw] = r[sees]);
    model.atEnd(m -> m[saw] == 0 ? "hidden" : null);

    assertThat(explore(model).problem()).isEqualTo("hidden");
  }

  private enum Published {
    RELEASE,
    PLAIN
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepTheOrderOfStoresOnlyWithRelease(Published flag) {
    int data = model.cell("data", 0);
    int ready = model.cell("ready", 0);
    Program writer = model.thread("writer").store("data", r -> data, r -> 7);
    if (flag == Published.RELEASE) {
      writer.storeRelease("ready", r -> ready, r -> 1);
    } else {
      writer.store("ready", r -> ready, r -> 1);
    }
    Program reader = model.thread("reader");
    int value = reader.register("value");
    reader
        .await("ready", (m, r) -> m[ready] == 1, (m, r) -> {})
        .load("data", value, r -> data)
        .check("data are there", r -> r[value] == 7 ? 1 : 0);

    assertThat(explore(model).problem())
        .isEqualTo(flag == Published.RELEASE ? "" : "reader: data are there");
  }

  @Test
  void shouldSeeItsOwnStoreBeforeOthersDo() {
    int x = model.cell("x", 0);
    Program thread = model.thread("thread");
    int value = thread.register("value");
    thread
        .store("x", r -> x, r -> 3)
        .load("x", value, r -> x)
        .check("own store is seen", r -> r[value] == 3 ? 1 : 0);

    assertThat(explore(model).isSound()).isTrue();
  }

  private enum Increment {
    ATOMIC,
    LOAD_AND_STORE
  }

  @ParameterizedTest
  @EnumSource
  void shouldLoseACountWithoutCompareAndSet(Increment how) {
    int count = model.cell("count", 0);
    for (int i = 0; i < 2; i++) {
      Program thread = model.thread("thread-" + i);
      int value = thread.register("value");
      int done = thread.register("done");
      thread.label("again").load("count", value, r -> count);
      if (how == Increment.ATOMIC) {
        thread
            .compareAndSet("count", done, r -> count, r -> r[value], r -> r[value] + 1)
            .when("lost", r -> r[done] == 0 ? 1 : 0, "again");
      } else {
        thread.storeVolatile("count", r -> count, r -> r[value] + 1);
      }
    }
    model.atEnd(m -> m[count] == 2 ? null : "count=" + m[count]);

    assertThat(explore(model).problem()).isEqualTo(how == Increment.ATOMIC ? "" : "count=1");
  }

  /** Registers and looks again, or looks and then registers. */
  private enum Sleeper {
    LOOKS_AGAIN,
    LOOKED_BEFORE
  }

  @ParameterizedTest
  @EnumSource
  void shouldFindALostWakeUp(Sleeper how) {
    int work = model.cell("work", 0);
    int asleep = model.cell("asleep", 0);
    int permit = model.cell("permit", 0);
    Program sleeper = model.thread("sleeper");
    int there = sleeper.register("there");
    if (how == Sleeper.LOOKED_BEFORE) {
      sleeper.loadVolatile("work", there, r -> work).storeVolatile("asleep", r -> asleep, r -> 1);
    } else {
      sleeper.storeVolatile("asleep", r -> asleep, r -> 1).loadVolatile("work", there, r -> work);
    }
    sleeper
        .when("work is there", r -> r[there], "end")
        .await("park", (m, r) -> m[permit] == 1, (m, r) -> m[permit] = 0)
        .label("end");
    Program producer = model.thread("producer");
    int sleeps = producer.register("sleeps");
    producer
        .storeVolatile("work", r -> work, r -> 1)
        .loadVolatile("asleep", sleeps, r -> asleep)
        .when("nobody sleeps", r -> 1 - r[sleeps], "end")
        .atomic("unpark", (m, r) -> m[permit] = 1)
        .label("end");

    assertThat(explore(model).problem())
        .isEqualTo(how == Sleeper.LOOKS_AGAIN ? "" : "sleeper waits for ever in park");
  }

  @Test
  void shouldKillBetweenAnyTwoSteps() {
    int alive = model.cell("alive", 1);
    int begun = model.cell("begun", 0);
    int ended = model.cell("ended", 0);
    int seen = model.cell("seen", 0);
    model
        .thread("worker")
        .killable(alive)
        .storeRelease("begun", r -> begun, r -> 1)
        .storeRelease("ended", r -> ended, r -> 1);
    Program watcher = model.thread("watcher");
    watcher.await(
        "the worker is gone or has ended",
        (m, r) -> m[alive] == 0 || m[ended] == 1,
        (m, r) -> m[seen] = m[ended] == 1 ? 3 : 1 + m[begun]);

    for (int state = 1; state <= 3; state++) {
      int wanted = state;
      model.atEnd(m -> m[seen] == wanted ? "seen" : null);
      assertThat(explore(model).problem()).as("state %s", state).isEqualTo("seen");
    }
    model.atEnd(m -> m[alive] == 0 && m[begun] == 0 && m[ended] == 1 ? "out of order" : null);
    assertThat(explore(model).isSound()).isTrue();
  }

  @Test
  void shouldNotCallAModelSoundThatItHasNotSeenWhole() {
    Model kind = StoreThenLoad.VOLATILE_AND_VOLATILE.model();

    assertThat(Explorer.explore(kind, 5)).extracting(Exploration::isSound).isEqualTo(false);
    assertThat(Explorer.explore(kind, 5).problem()).isEmpty();
  }

  @Test
  void shouldRefuseAMutantThatChangesNothing() {
    Model changed = new Model(Mutant.without("Other.method", "fence"));
    changed.thread("thread").fence("fence");

    assertThatThrownBy(() -> explore(changed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no step to change: without in Other.method: fence");
  }

  @Test
  void shouldLeaveOutOnlyTheStepsOfTheNamedMethod() {
    Model changed = new Model(Mutant.without("A.one", "x"));
    int x = changed.cell("x", 0);
    changed
        .thread("thread")
        .enter("A.one")
        .atomic("x", (m, r) -> m[x] += 1)
        .exit()
        .enter("A.two")
        .atomic("x", (m, r) -> m[x] += 2)
        .exit();
    changed.atEnd(m -> "x=" + m[x]);

    assertThat(explore(changed).problem()).isEqualTo("x=2");
  }
}
