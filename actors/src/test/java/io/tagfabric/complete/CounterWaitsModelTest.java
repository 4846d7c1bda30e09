package io.tagfabric.complete;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.error.FabricError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Waits of a counter against a list that is searched from the start. */
class CounterWaitsModelTest {
  private record Naive(int id, long threshold, long knownErrors) {}

  private final List<String> heard = new ArrayList<>();
  private final List<String> expected = new ArrayList<>();
  private final List<Naive> naive = new ArrayList<>();

  private CounterWaits.Waiter waiter(int id) {
    return new CounterWaits.Waiter() {
      @Override
      public void onReached(long value) {
        heard.add(id + " reached at " + value);
      }

      @Override
      public void onFailed(FabricError error) {
        heard.add(id + " " + error);
      }
    };
  }

  private List<Naive> inOrder() {
    return naive.stream().sorted(Comparator.comparingLong(Naive::threshold)).toList();
  }

  private void checkNaively(long value, long errors) {
    for (Naive wait : inOrder()) {
      if (wait.threshold() <= value) {
        expected.add(wait.id() + " reached at " + value);
        naive.remove(wait);
      }
    }
    for (Naive wait : inOrder()) {
      if (wait.knownErrors() != errors) {
        expected.add(wait.id() + " AVAILABLE");
        naive.remove(wait);
      }
    }
  }

  @Property
  void shouldEndWaitsAsTheNaiveModelDoes(@ForAll long seed) {
    heard.clear();
    expected.clear();
    naive.clear();
    Random random = new Random(seed);
    AtomicInteger over = new AtomicInteger();
    CounterWaits waits = new CounterWaits(over::incrementAndGet);
    long value = 0;
    long errors = 0;
    for (int step = 0; step < 100; step++) {
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          long threshold = value - 2 + random.nextInt(10);
          waits.add(threshold, errors, waiter(step));
          naive.add(new Naive(step, threshold, errors));
        }
        case 2 -> {
          value += random.nextInt(6) - 1;
          waits.check(value, errors);
          checkNaively(value, errors);
        }
        default -> {
          errors += random.nextInt(10) == 0 ? 1 : 0;
          waits.check(value, errors);
          checkNaively(value, errors);
        }
      }
      assertThat(heard).isEqualTo(expected);
      assertThat(waits.size()).isEqualTo(naive.size());
      assertThat(over).hasValue(heard.size());
    }
    waits.close();
    inOrder().forEach(wait -> expected.add(wait.id() + " CANCELED"));
    assertThat(heard).isEqualTo(expected);
    assertThat(waits.size()).isZero();
    assertThat(over).hasValue(heard.size());
  }
}
