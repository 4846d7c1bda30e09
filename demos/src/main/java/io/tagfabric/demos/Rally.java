package io.tagfabric.demos;

import io.tagfabric.report.Measurement;
import io.tagfabric.report.Report;
import io.tagfabric.report.WarmUp;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Plays a ping-pong for several sizes: warms up, then lets the clock run. */
final class Rally {
  /** Where it is played: between two ranks, or within one JVM. */
  interface Court {
    /**
     * Plays round trips.
     *
     * @param roundTripsNs gets the time of each
     * @return nanoseconds of all
     */
    long play(int bytes, int roundTrips, Histogram roundTripsNs);

    /** How the messages travel; known once one has. */
    String provider();

    /** What moves them: auto or manual. */
    String progress();
  }

  private static final long RUN_NS = 500_000_000L;
  private static final long WARM_UP_MIN_NS = 250_000_000L;
  private static final long WARM_UP_MAX_NS = 900_000_000L;

  /** Before the first size the compilers have everything to do. */
  private static final long FIRST_WARM_UP_MIN_NS = 1_500_000_000L;

  private static final long FIRST_WARM_UP_MAX_NS = 15_000_000_000L;

  private static final long ROUND_NS = 20_000_000L;
  private static final int FEWEST = 10;
  private static final int MOST = 10_000_000;

  private final List<Integer> sizes;
  private final int iterations;
  private final Integer warmUpRoundTrips;
  private final Report report;

  /**
   * A rally.
   *
   * @param sizes of the messages, in bytes
   * @param iterations round trips per size, 0 for as many as take half a second
   * @param warmUpRoundTrips round trips before each size that do not count; null for as many as it
   *     takes until they get no faster
   */
  Rally(List<Integer> sizes, int iterations, Integer warmUpRoundTrips, Report report) {
    this.sizes = sizes;
    this.iterations = iterations;
    this.warmUpRoundTrips = warmUpRoundTrips;
    this.report = report;
  }

  /** Plays all sizes and reports each. */
  void play(Court court) {
    long minNs = FIRST_WARM_UP_MIN_NS;
    long maxNs = FIRST_WARM_UP_MAX_NS;
    for (int bytes : sizes) {
      double oneNs =
          warmUpRoundTrips == null
              ? playUntilSteady(court, bytes, minNs, maxNs)
              : playUncounted(court, bytes, warmUpRoundTrips);
      minNs = WARM_UP_MIN_NS;
      maxNs = WARM_UP_MAX_NS;
      Histogram roundTripsNs = new Histogram(3);
      int roundTrips = iterations > 0 ? iterations : roundTripsOfARun(oneNs);
      long elapsedNs = court.play(bytes, roundTrips, roundTripsNs);
      report.add(
          new Measurement(
              bytes,
              roundTrips,
              2, // messages of a round trip
              elapsedNs,
              roundTripsNs.getValueAtPercentile(50) / 2e3,
              roundTripsNs.getValueAtPercentile(99) / 2e3,
              court.provider(),
              court.progress()));
    }
  }

  private static int roundTripsOfARun(double oneNs) {
    return (int) Math.max(FEWEST, Math.min(MOST, RUN_NS / Math.max(1.0, oneNs)));
  }

  /** Returns nanoseconds of one round trip, 0 if there was none. */
  private static double playUncounted(Court court, int bytes, int roundTrips) {
    return roundTrips == 0
        ? 0
        : (double) court.play(bytes, roundTrips, new Histogram(3)) / roundTrips;
  }

  /**
   * The first messages are slow: flows are set up, code is compiled. Rounds grow as messages get
   * faster, so that what lies between two rounds never counts for much. Returns nanoseconds of one
   * round trip.
   */
  private static double playUntilSteady(Court court, int bytes, long minNs, long maxNs) {
    Histogram ignored = new Histogram(3);
    int round = 1;
    long spentNs = 0;
    WarmUp warmUp = new WarmUp(minNs, maxNs);
    do {
      long roundNs = court.play(bytes, round, ignored);
      spentNs += roundNs;
      if (roundNs < ROUND_NS && round < MOST / 2) {
        round *= 2;
        warmUp = new WarmUp(Math.max(0, minNs - spentNs), Math.max(0, maxNs - spentNs));
      } else {
        warmUp.add(roundNs);
      }
    } while (warmUp.bestNs() == 0 || !warmUp.isOver());
    return (double) warmUp.bestNs() / round;
  }
}
