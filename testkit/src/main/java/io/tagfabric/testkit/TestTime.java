package io.tagfabric.testkit;

/** What the timers of endpoints go by. */
public enum TestTime {
  /** The machine's clock. */
  REAL,

  /**
   * A clock that stands still until {@link TestFabric#advance} moves it, and Akka's {@link
   * akka.actor.testkit.typed.javadsl.ManualTime} with it. Messages move all the same.
   */
  VIRTUAL
}
