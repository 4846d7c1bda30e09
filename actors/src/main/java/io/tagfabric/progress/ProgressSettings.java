package io.tagfabric.progress;

/**
 * How a domain makes progress.
 *
 * @param mode who runs the passes
 * @param waiting how an application thread that waits passes idle time
 * @param resident how the progress thread of AUTO mode passes idle time
 */
public record ProgressSettings(ProgressMode mode, IdlePolicy waiting, IdlePolicy resident) {
  /** The same with another mode. */
  public ProgressSettings withMode(ProgressMode newMode) {
    return new ProgressSettings(newMode, waiting, resident);
  }

  /** The same with another policy for waiting threads. */
  public ProgressSettings withWaiting(IdlePolicy policy) {
    return new ProgressSettings(mode, policy, resident);
  }
}
