package io.tagfabric.complete;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.progress.ProgressLoop;
import java.util.Objects;

/**
 * An operation that {@link Counter#defer} starts when the counter reaches a value. Each object is
 * deferred once.
 *
 * @source libfabric fi_trigger(3), struct fi_deferred_work
 */
public abstract class DeferredOperation {
  private boolean deferred;

  /** For those of this project. */
  @InternalApi
  protected DeferredOperation() {}

  /** Adds to a counter. */
  public static DeferredOperation add(Counter counter, long amount) {
    Objects.requireNonNull(counter, "counter");
    return new Counting(counter) {
      @Override
      public void start() {
        counter.addUnlessClosed(amount);
      }
    };
  }

  /**
   * Sets a counter to a value. If operations are under way then that it counts, it cannot be set,
   * and counts an error instead.
   */
  public static DeferredOperation set(Counter counter, long value) {
    Objects.requireNonNull(counter, "counter");
    return new Counting(counter) {
      @Override
      public void start() {
        counter.setUnlessClosed(value);
      }
    };
  }

  private abstract static class Counting extends DeferredOperation {
    private final Counter counter;

    Counting(Counter counter) {
      this.counter = counter;
    }

    @Override
    public ProgressLoop loop() {
      return counter.loop();
    }

    @Override
    public boolean accept(Deferral deferral) {
      return true;
    }

    @Override
    public void cancel(FabricError error, String detail) {
      counter.addErrorUnlessClosed();
    }
  }

  /** Says that it is deferred; once. */
  final void begin() {
    if (deferred) {
      throw new IllegalStateException("the operation was deferred before, make another");
    }
    deferred = true;
  }

  /** The loop that its objects run on. */
  @InternalApi
  public abstract ProgressLoop loop();

  /** Takes what its end needs; false if that is not there now. Thread: the caller of defer. */
  @InternalApi
  public abstract boolean accept(Deferral deferral);

  /** Starts it. Thread: the loop. */
  @InternalApi
  public abstract void start();

  /** Ends it before its start. Thread: the loop. */
  @InternalApi
  public abstract void cancel(FabricError error, String detail);
}
