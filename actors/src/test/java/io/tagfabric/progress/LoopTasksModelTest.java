package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Compares the tasks of a loop with four queues. */
class LoopTasksModelTest {
  private static final int RUN = 4;
  private static final int RUN_TASK_THAT_ADDS = 5;

  private final LoopTasks tasks = new LoopTasks(new StepQueue(), new ManualTime(0));
  private final List<ArrayDeque<Integer>> queues =
      List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>());
  private final List<Integer> ran = new ArrayList<>();
  private final List<Integer> expected = new ArrayList<>();
  private int number;

  /** In the order in which the loop takes them: its own, told, its own deliveries, delivered. */
  private void add(int kind) {
    int task = number++;
    Runnable run = () -> ran.add(task);
    switch (kind) {
      case 0 -> tasks.addOwn(run);
      case 1 -> tasks.add(run);
      case 2 -> tasks.addOwnDelivery(run);
      default -> tasks.addDelivery(run);
    }
    queues.get(kind).add(task);
  }

  @Property
  void shouldRunWhatFourQueuesSay(@ForAll List<@IntRange(max = 5) Integer> script) {
    for (int step : script) {
      if (step < RUN) {
        add(step);
      } else {
        if (step == RUN_TASK_THAT_ADDS) {
          addTaskThatAdds();
        }
        run();
      }
      assertThat(tasks.isEmpty()).isEqualTo(queues.get(0).isEmpty() && queues.get(1).isEmpty());
      assertThat(tasks.hasOwn()).isEqualTo(!queues.get(0).isEmpty() || !queues.get(2).isEmpty());
      assertThat(tasks.hasArrived())
          .isEqualTo(!queues.get(1).isEmpty() || !queues.get(3).isEmpty());
    }
  }

  /** What a task adds runs in the same run, as the last of its queue. */
  private void addTaskThatAdds() {
    int task = number++;
    tasks.addDelivery(
        () -> {
          ran.add(task);
          tasks.addOwn(() -> ran.add(task + 1));
        });
    number++;
    queues.get(3).add(task);
    queues.get(3).add(task + 1);
  }

  private void run() {
    int count = 0;
    for (ArrayDeque<Integer> queue : queues) {
      count += queue.size();
      expected.addAll(queue);
      queue.clear();
    }

    assertThat(tasks.run()).isEqualTo(count);

    assertThat(ran).isEqualTo(expected);
  }
}
