package io.tagfabric.collective;

import io.tagfabric.collective.run.CollectiveTags;
import io.tagfabric.endpoint.Endpoint;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers of teams that each endpoint of this JVM has or had. A number is used once, so that a
 * late message of a team that is gone meets nothing. Thread: any.
 */
final class Contexts {
  private static final Map<Endpoint, Contexts> ALL = new ConcurrentHashMap<>();

  private final BitSet used = new BitSet();

  private Contexts() {}

  static Contexts of(Endpoint endpoint) {
    Contexts known = ALL.get(endpoint);
    if (known != null) {
      return known;
    }
    Contexts contexts = ALL.computeIfAbsent(endpoint, notUsed -> new Contexts());
    endpoint.onClose(() -> ALL.remove(endpoint));
    return contexts;
  }

  /**
   * Takes a number.
   *
   * @throws IllegalArgumentException if it has been taken
   */
  synchronized void take(int context) {
    if (used.get(context)) {
      throw new IllegalArgumentException(
          "context=" + context + " has been used on this endpoint, choose another or dup the team");
    }
    used.set(context);
  }

  /** A number above all that have been taken. */
  synchronized int next() {
    return used.length();
  }

  /** Never gives numbers up to this one away. */
  synchronized void skipTo(int context) {
    if (context >= CollectiveTags.TEAMS) {
      throw new IllegalStateException(
          "context="
              + context
              + " > "
              + (CollectiveTags.TEAMS - 1)
              + ", this endpoint has made all teams it can, open another");
    }
  }
}
