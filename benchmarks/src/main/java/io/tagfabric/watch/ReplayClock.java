package io.tagfabric.watch;

import io.tagfabric.timeline.Timeline.Moment;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How far a run has been played. While it plays, its time goes on so much in each second; a stretch
 * without events that would take more than a second takes one. Single threaded.
 */
final class ReplayClock {
  static final long LEAST_SPEED_NS = TimeUnit.MICROSECONDS.toNanos(1);
  static final long MOST_SPEED_NS = TimeUnit.SECONDS.toNanos(1000);

  /** What the speed at the begin is chosen for. */
  private static final long WHOLE_RUN_SECONDS = 60;

  private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

  private final List<Moment> moments;
  private final LongSupplier time;
  private long lastNs;
  private long atNs;
  private int next;
  private boolean plays;
  private long speedNs;

  /** Time of the run that has passed and is not played yet. */
  private double budgetNs;

  /**
   * A clock that stands before the first event.
   *
   * @param time of those who look
   */
  ReplayClock(List<Moment> moments, LongSupplier time) {
    this.moments = moments;
    this.time = time;
    speedNs = LEAST_SPEED_NS;
    while (speedNs < MOST_SPEED_NS && seconds() > WHOLE_RUN_SECONDS) {
      speedNs *= 10;
    }
    rest();
  }

  /** How long the whole run would take. */
  private double seconds() {
    double sum = 0;
    long beforeNs = 0;
    for (Moment each : moments) {
      sum += Math.min(1, (each.atNs() - beforeNs) / (double) speedNs);
      beforeNs = each.atNs();
    }
    return sum;
  }

  /** The time until now does not count. */
  void rest() {
    lastNs = time.getAsLong();
  }

  /** Goes on by the time that has passed. */
  void advance() {
    long nowNs = time.getAsLong();
    double seconds = (nowNs - lastNs) / SECOND_NS;
    lastNs = nowNs;
    budgetNs = plays ? budgetNs + seconds * speedNs : 0;
  }

  /** The next event whose time has come; null if there is none now. */
  Moment due() {
    if (!plays || isOver()) {
      plays = false;
      return null;
    }
    long gapNs = moments.get(next).atNs() - atNs;
    if (gapNs > speedNs) {
      atNs += gapNs - speedNs;
      gapNs = speedNs;
    }
    if (gapNs > budgetNs) {
      long stepNs = (long) budgetNs;
      atNs += stepNs;
      budgetNs -= stepNs;
      return null;
    }
    budgetNs -= gapNs;
    return take();
  }

  /** The next event, whenever it is; null behind the last. */
  Moment take() {
    if (isOver()) {
      return null;
    }
    Moment moment = moments.get(next++);
    atNs = Math.max(atNs, moment.atNs());
    return moment;
  }

  void again() {
    next = 0;
    atNs = 0;
    budgetNs = 0;
  }

  void plays(boolean now) {
    plays = now;
    budgetNs = 0;
    rest();
  }

  boolean plays() {
    return plays;
  }

  boolean isOver() {
    return next >= moments.size();
  }

  /** How many events have been played. */
  int played() {
    return next;
  }

  long atNs() {
    return atNs;
  }

  long endNs() {
    return moments.isEmpty() ? 0 : moments.get(moments.size() - 1).atNs();
  }

  /** Time of the run that goes by in a second. */
  long speedNs() {
    return speedNs;
  }

  void speedNs(long wanted) {
    speedNs = Math.max(LEAST_SPEED_NS, Math.min(MOST_SPEED_NS, wanted));
  }
}
