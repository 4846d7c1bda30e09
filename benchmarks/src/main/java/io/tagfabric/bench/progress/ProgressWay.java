package io.tagfabric.bench.progress;

import io.tagfabric.progress.HandOver;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.IdleStrategy;
import io.tagfabric.progress.PollMode;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressSettings;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A way to make progress, as changes to the defaults.
 *
 * @param name by which a row of the table is known
 * @param settings what it is in a configuration
 */
record ProgressWay(String name, String settings, UnaryOperator<ProgressSettings> changes) {
  private static final int RATE = 100;
  private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);

  /** All ways, in the order of the table. */
  static final List<ProgressWay> ALL =
      List.of(
          new ProgressWay("manual", "mode = manual", with -> with.withMode(ProgressMode.MANUAL)),
          new ProgressWay("auto", "mode = auto", with -> with),
          new ProgressWay(
              "rate", "rate = " + RATE, with -> with.withPacing(with.pacing().withRate(RATE))),
          new ProgressWay(
              "interval",
              "interval = 1 ms",
              with -> with.withPacing(with.pacing().withInterval(INTERVAL_NS))),
          new ProgressWay(
              "exclusive",
              "poll-mode = exclusive",
              with -> with.withPacing(with.pacing().withPollMode(PollMode.EXCLUSIVE))),
          new ProgressWay(
              "deferred",
              "deferred = on, never started",
              with -> with.withPacing(with.pacing().withDeferred(true))),
          idle(IdleStrategy.BUSY_SPIN, "busy-spin"),
          idle(IdleStrategy.YIELD, "yield"),
          idle(IdleStrategy.BACKOFF, "backoff"),
          idle(IdleStrategy.PARK, "park"),
          new ProgressWay("call", "hand-over = call", with -> with.withHandOver(HandOver.CALL)),
          new ProgressWay(
              "mailbox", "hand-over = mailbox", with -> with.withHandOver(HandOver.MAILBOX)));

  private static ProgressWay idle(IdleStrategy strategy, String name) {
    return new ProgressWay(
        name,
        "idle = resident-idle = " + name,
        with ->
            with.withWaiting(IdlePolicy.of(strategy, with.waiting()))
                .withResident(IdlePolicy.of(strategy, with.resident())));
  }

  /** The settings of a domain that makes progress in this way. */
  ProgressSettings of(ProgressSettings defaults) {
    return changes.apply(defaults.withMode(ProgressMode.AUTO));
  }
}
