package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

class StepQueueTest {
  private static final int INITIAL_LENGTH = 64;

  private final StepQueue steps = new StepQueue();
  private final List<Object> ran = new ArrayList<>();

  private void addAll(int from, int to) {
    IntStream.range(from, to).forEach(i -> steps.add(ran::add, i));
  }

  private static List<Object> numbers(int from, int to) {
    return List.copyOf(IntStream.range(from, to).boxed().toList());
  }

  @Test
  void shouldRunStepsInTheOrderAdded() {
    steps.add(ran::add, "one");
    steps.add(what -> ran.add(what.length()), "two is told to another");
    steps.add(ran::add, 3L);
    assertThat(ran).as("not before the run").isEmpty();
    assertThat(steps.isEmpty()).isFalse();

    assertThat(steps.run()).isEqualTo(3);

    assertThat(ran).containsExactly("one", 22, 3L);
    assertThat(steps.isEmpty()).isTrue();
    assertThat(steps.run()).isZero();
  }

  @Test
  void shouldKeepTheOrderWhenItGrows() {
    addAll(0, 5 * INITIAL_LENGTH);

    assertThat(steps.run()).isEqualTo(5 * INITIAL_LENGTH);

    assertThat(ran).isEqualTo(numbers(0, 5 * INITIAL_LENGTH));
  }

  @Test
  void shouldKeepTheOrderWhenItGrowsWhileTheFirstIsInTheMiddle() {
    addAll(0, 40);
    steps.run();
    ran.clear();
    addAll(0, INITIAL_LENGTH);
    addAll(INITIAL_LENGTH, 3 * INITIAL_LENGTH);

    assertThat(steps.run()).isEqualTo(3 * INITIAL_LENGTH);

    assertThat(ran).isEqualTo(numbers(0, 3 * INITIAL_LENGTH));
  }

  @Test
  void shouldRunWhatAStepAddsAfterAllThatWait() {
    steps.add(
        what -> {
          ran.add(what);
          steps.add(ran::add, "added");
        },
        "first");
    steps.add(ran::add, "second");

    assertThat(steps.run()).isEqualTo(3);

    assertThat(ran).containsExactly("first", "second", "added");
  }

  @Test
  void shouldKeepTheOrderWhenItGrowsDuringAStep() {
    steps.add(what -> addAll(0, 3 * INITIAL_LENGTH), "many");

    assertThat(steps.run()).isEqualTo(1 + 3 * INITIAL_LENGTH);

    assertThat(ran).isEqualTo(numbers(0, 3 * INITIAL_LENGTH));
  }

  @Test
  void shouldDoNothingWhenAStepRunsTheQueue() {
    steps.add(
        what -> {
          assertThat(steps.run()).isZero();
          assertThat(ran).as("the other waits until this has returned").isEmpty();
          ran.add(what);
        },
        "first");
    steps.add(ran::add, "second");

    assertThat(steps.run()).isEqualTo(2);

    assertThat(ran).containsExactly("first", "second");
  }

  @Test
  void shouldKeepTheOthersWhenAHandlerThrows() {
    steps.add(ran::add, 1);
    steps.add(
        what -> {
          throw new IllegalStateException(what);
        },
        "broken");
    steps.add(ran::add, 3);

    assertThatIllegalStateException().isThrownBy(steps::run).withMessage("broken");
    assertThat(ran).containsExactly(1);
    assertThat(steps.isEmpty()).isFalse();
    steps.add(ran::add, 4);
    assertThat(steps.run()).isEqualTo(2);

    assertThat(ran).containsExactly(1, 3, 4);
  }

  @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
  void shouldDoAsAListDoes(@ForAll long seed) {
    new Program(seed).run();
  }

  /** A random program: steps that add steps, run the queue or throw. */
  private static final class Program {
    private static final class Broken extends RuntimeException {
      private static final long serialVersionUID = 1;
    }

    private final long seed;
    private final Random random;
    private final StepQueue steps = new StepQueue();
    private final List<StepQueue.Handler<Integer>> handlers = new ArrayList<>();
    private final List<String> ran = new ArrayList<>();
    private final ArrayDeque<Integer> waiting = new ArrayDeque<>();
    private final List<String> expected = new ArrayList<>();
    private int expectedNumbers;
    private int numbers;
    private boolean inside;

    Program(long seed) {
      this.seed = seed;
      random = new Random(seed);
      for (int i = 0; i < 3; i++) {
        int handler = i;
        handlers.add(step -> take(handler, step));
      }
    }

    private Random diceOf(int step) {
      return new Random(seed ^ (step * 0x9E3779B97F4A7C15L));
    }

    private int childrenOf(int step) {
      Random dice = diceOf(step);
      return dice.nextInt(40) == 0 ? 150 : Math.max(0, dice.nextInt(6) - 4);
    }

    private boolean isBroken(int step) {
      return diceOf(~step).nextInt(15) == 0;
    }

    private void add() {
      int step = numbers++;
      steps.add(handlers.get(step % handlers.size()), step);
    }

    private void take(int handler, int step) {
      assertThat(inside).as("one handler at a time").isFalse();
      inside = true;
      ran.add(handler + " " + step);
      int children = numbers < 2_000 ? childrenOf(step) : 0;
      for (int i = 0; i < children; i++) {
        add();
        assertThat(steps.run()).isZero();
      }
      inside = false;
      if (isBroken(step)) {
        throw new Broken();
      }
    }

    /** What a run must do; returns how many steps it runs, -1 if one of them throws. */
    private int expectRun() {
      int count = 0;
      while (!waiting.isEmpty()) {
        int step = waiting.pollFirst();
        count++;
        expected.add(step % handlers.size() + " " + step);
        int children = expectedNumbers < 2_000 ? childrenOf(step) : 0;
        for (int i = 0; i < children; i++) {
          waiting.addLast(expectedNumbers++);
        }
        if (isBroken(step)) {
          return -1;
        }
      }
      return count;
    }

    private int runSteps() {
      try {
        return steps.run();
      } catch (Broken e) {
        return -1;
      }
    }

    void run() {
      int rounds = 5 + random.nextInt(40);
      for (int i = 0; i < rounds; i++) {
        int more = random.nextInt(8) == 0 ? random.nextInt(200) : random.nextInt(5);
        for (int j = 0; j < more; j++) {
          add();
          waiting.addLast(expectedNumbers++);
        }
        if (random.nextBoolean()) {
          int expectedCount = expectRun();
          assertThat(runSteps()).isEqualTo(expectedCount);
        }
        assertThat(ran).isEqualTo(expected);
        assertThat(steps.isEmpty()).isEqualTo(waiting.isEmpty());
      }
    }
  }
}
