package io.tagfabric.progress;

/** Where a domain reads time, so that a test or a simulation can move it by hand. */
@FunctionalInterface
public interface TimeSource {
  /** The machine's monotonic clock. */
  TimeSource SYSTEM = System::nanoTime;

  /** Monotonic nanoseconds; only differences mean anything. Thread: any. */
  long nanoTime();
}
