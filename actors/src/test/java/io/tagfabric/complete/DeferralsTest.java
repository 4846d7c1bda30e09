package io.tagfabric.complete;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.error.FabricError;
import io.tagfabric.progress.ProgressLoop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Operations that wait for one counter, on a loop that this test drives. */
class DeferralsTest {
  private final ProgressLoop loop = new ProgressLoop(() -> 0);
  private final CounterState state = new CounterState(loop);
  private final Deferrals deferrals = new Deferrals(state, loop, null);
  private final List<String> heard = new ArrayList<>();

  private class Named extends DeferredOperation {
    private final String name;

    Named(String name) {
      this.name = name;
    }

    @Override
    public ProgressLoop loop() {
      return loop;
    }

    @Override
    public boolean accept(Deferral deferral) {
      return true;
    }

    @Override
    public void start() {
      heard.add(name + " starts at " + state.value());
    }

    @Override
    public void cancel(FabricError error, String detail) {
      heard.add(name + " " + error);
    }
  }

  private Deferral defer(long threshold, String name) {
    return deferrals.defer(threshold, new Named(name));
  }

  @Test
  void shouldLeaveNoWaitBehindWhenAllAreTakenBack() {
    defer(2, "later");
    Deferral first = defer(1, "sooner");
    loop.advance();
    assertThat(state.deferred()).hasSize(2);

    assertThat(deferrals.flush()).isEqualTo(2);
    assertThat(heard).containsExactly("sooner CANCELED", "later CANCELED");
    assertThat(state.deferred()).isEmpty();
    assertThat(deferrals.flush()).isZero();
    state.add(5);
    loop.advance();
    assertThat(heard).hasSize(2);
    assertThat(first.isWaiting()).isFalse();
    assertThat(first.hasStarted()).isFalse();
  }

  @Test
  void shouldStartByThresholdThoughTheLoopHasNotRunSinceTheyWereDeferred() {
    defer(3, "third");
    defer(2, "second");
    state.add(3);
    defer(1, "first");
    loop.advance();

    assertThat(heard)
        .containsExactly("first starts at 3", "second starts at 3", "third starts at 3");
  }

  @Test
  void shouldStartWhatADeferredOperationMakesDue() {
    deferrals.defer(
        1,
        new Named("first") {
          @Override
          public void start() {
            super.start();
            state.add(2);
          }
        });
    defer(3, "third");
    defer(2, "second");
    defer(4, "fourth");
    state.add(1);
    loop.advance();

    assertThat(heard)
        .containsExactly("first starts at 1", "second starts at 3", "third starts at 3");
    assertThat(state.deferred()).hasSize(1);
  }
}
