package io.tagfabric.launch;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** A rank that was started, here or on another host. Thread: any. */
interface RankHandle {
  int rank();

  /** Its number on its host, 0 while that is not known. */
  long pid();

  boolean isAlive();

  /** Completes with the exit code when the process has ended. */
  CompletionStage<Integer> onExit();

  /** Asks the process to end. */
  void terminate();

  void kill();

  /** The ranks that the end of one JVM has ended together, this one among them; else none. */
  default List<Integer> endedTogether() {
    return List.of();
  }

  /** Whether it was halted while its JVM, and so its operating system's process, goes on. */
  default boolean isCut() {
    return false;
  }

  /** Whether the process has ended and all that it has printed was passed on. */
  boolean isDrained();
}
