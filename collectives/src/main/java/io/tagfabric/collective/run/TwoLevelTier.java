package io.tagfabric.collective.run;

import java.util.ArrayDeque;

/**
 * The collectives in two levels of a team that is on several hosts: what the members of a host do
 * together goes through its memory, the rest by messages. One call after the other, in the order in
 * which they were made, so that all members of a host use its memory in the same order. Only passes
 * of the loop use it.
 */
final class TwoLevelTier {
  private final TeamPort port;
  private final SharedTier host;
  private final CollectiveSettings settings;
  private final ArrayDeque<TwoLevelRun> calls = new ArrayDeque<>();
  private boolean beginning;

  /**
   * Prepares it.
   *
   * @param host null at a member that is alone on its host
   */
  TwoLevelTier(TeamPort port, SharedTier host, CollectiveSettings settings) {
    this.port = port;
    this.host = host;
    this.settings = settings;
  }

  TeamPort port() {
    return port;
  }

  SharedTier host() {
    return host;
  }

  CollectiveSettings settings() {
    return settings;
  }

  void start(TwoLevelRun run) {
    calls.add(run);
    beginNext();
  }

  /** The first call is over: the next one begins. */
  void ended() {
    calls.remove();
    beginNext();
  }

  /** Calls that end as soon as they begin do not nest. */
  private void beginNext() {
    if (beginning) {
      return;
    }
    beginning = true;
    while (!calls.isEmpty() && !calls.element().hasBegun()) {
      calls.element().begin();
    }
    beginning = false;
  }
}
