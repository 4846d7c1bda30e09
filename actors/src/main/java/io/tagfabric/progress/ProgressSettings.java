package io.tagfabric.progress;

import io.tagfabric.cluster.settings.RecordCopy;

/**
 * How a domain makes progress.
 *
 * @param mode what runs the passes
 * @param waiting how an application thread that waits passes idle time
 * @param resident how the progress thread of AUTO mode passes idle time
 * @param cores where the progress thread runs, and other threads that ask for the same
 * @param handOver how the cores of the domain hand over to one another
 * @param pacing how the progress thread shares time and loop with the rest of the program
 * @param threads which threads may call into a domain in MANUAL mode
 * @param movesWaiters whether a thread that waits may be moved to another core
 */
public record ProgressSettings(
    ProgressMode mode,
    IdlePolicy waiting,
    IdlePolicy resident,
    CoreSet cores,
    HandOver handOver,
    ProgressPacing pacing,
    ThreadUse threads,
    boolean movesWaiters) {
  /** The same with another mode. */
  public ProgressSettings withMode(ProgressMode newMode) {
    return RecordCopy.with(this, "mode", newMode);
  }

  /** The same with another policy for waiting threads. */
  public ProgressSettings withWaiting(IdlePolicy policy) {
    return RecordCopy.with(this, "waiting", policy);
  }

  /** The same on other cores. */
  public ProgressSettings withCores(CoreSet newCores) {
    return RecordCopy.with(this, "cores", newCores);
  }

  /** The same with another way to hand over. */
  public ProgressSettings withHandOver(HandOver newHandOver) {
    return RecordCopy.with(this, "handOver", newHandOver);
  }

  /** The same with another policy for the progress thread. */
  public ProgressSettings withResident(IdlePolicy policy) {
    return RecordCopy.with(this, "resident", policy);
  }

  /** The same with another pacing of the progress thread. */
  public ProgressSettings withPacing(ProgressPacing newPacing) {
    return RecordCopy.with(this, "pacing", newPacing);
  }

  /** The same for other threads. */
  public ProgressSettings withThreads(ThreadUse newThreads) {
    return RecordCopy.with(this, "threads", newThreads);
  }
}
