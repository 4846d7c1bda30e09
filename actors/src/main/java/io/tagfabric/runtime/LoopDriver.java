package io.tagfabric.runtime;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;

/**
 * Drives the loops of domains by {@link ProgressLoop#advance()}, where no threads do. Nobody else
 * drives a domain in AUTO mode then but threads that wait on it.
 */
@InternalApi
public interface LoopDriver {
  /**
   * A domain has opened.
   *
   * @param mode in AUTO mode the driver must drive the loop whenever it has work or a timer is due
   */
  void opened(String domain, ProgressLoop loop, ProgressMode mode);

  /**
   * The same domain has closed. Its actors still have to run once to end, so the loop must be
   * driven, whatever its mode, until it is idle.
   */
  void closed(String domain, ProgressLoop loop);
}
