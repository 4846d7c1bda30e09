package io.tagfabric.fabric;

import io.tagfabric.memory.RegionTable;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.progress.Timeouts;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of accesses that peers do themselves in regions of a domain that closes: they say nothing
 * when they leave, so the closing thread looks. Who has died is not inside.
 */
final class PeersInside {
  private static final Logger LOG = LoggerFactory.getLogger(PeersInside.class);

  /** How long one that was cut off is waited for: only who is stopped takes as long. */
  private static final long MOST_STOPPED_NS = TimeUnit.SECONDS.toNanos(10);

  private static final long FIRST_LOOK_NS = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long MOST_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

  private final String domain;
  private final RegionTable regions;
  private final TimeSource time;

  PeersInside(String domain, RegionTable regions, TimeSource time) {
    this.domain = domain;
    this.regions = regions;
    this.time = time;
  }

  /** Refuses new accesses, and waits for those under way; beyond {@code drain} they are cut off. */
  void await(Duration drain) {
    regions.shut();
    if (isQuietWithin(Timeouts.nanos(drain))) {
      return;
    }
    regions.cut();
    if (!isQuietWithin(MOST_STOPPED_NS)) {
      LOG.warn(
          "domain [{}] has closed while a peer stands still in the middle of an access to its"
              + " memory: it can change bytes that nobody else reads, until it goes on or ends",
          domain);
    }
  }

  private boolean isQuietWithin(long mostNs) {
    long fromNs = time.nanoTime();
    long lookNs = FIRST_LOOK_NS;
    while (!regions.isQuiet()) {
      long leftNs = mostNs - (time.nanoTime() - fromNs);
      if (leftNs <= 0) {
        return false;
      }
      time.park(this, Math.min(leftNs, lookNs));
      lookNs = Math.min(2 * lookNs, MOST_LOOK_NS);
    }
    return true;
  }
}
