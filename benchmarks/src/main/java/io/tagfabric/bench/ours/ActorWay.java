package io.tagfabric.bench.ours;

import java.util.List;

/** Where asker and target run. */
enum ActorWay {
  /** Both are actors on the loops by which messages come. */
  LOOP,
  /** The target is; a thread asks, and drives its loop until the answer is there. */
  WAIT,
  /** Both are actors on Akka's threads. */
  ACTORS,
  /** The target is; a thread of the application asks and joins. */
  THREAD;

  /** Those of which rank 1 has a target. */
  static final List<ActorWay> TARGETS = List.of(LOOP, ACTORS);

  boolean isOnLoop() {
    return this == LOOP || this == WAIT;
  }

  boolean isActor() {
    return this == LOOP || this == ACTORS;
  }

  /** The name of its target. */
  String target() {
    return isOnLoop() ? "target-loop" : "target-actors";
  }
}
