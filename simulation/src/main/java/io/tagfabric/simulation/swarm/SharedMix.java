package io.tagfabric.simulation.swarm;

import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.choice.Sites;
import io.tagfabric.simulation.network.SharedHost;

/** What one seed has drawn about memory that nodes share. */
final class SharedMix {
  private static final long MILLISECOND = 1_000_000L;

  /** Whether some nodes share memory. */
  final boolean shares;

  private final boolean all;
  private final int ringBytes;
  private final int lanes;
  private final int laneBytes;
  private final int inlineBytes;
  private final int slots;
  private final int repairMs;

  /**
   * Draws.
   *
   * @param mix only a reliable network may lend memory; nodes of a cluster are hosts of their own
   */
  SharedMix(Choices choices, Sites sites, Mix mix, SwarmOptions options) {
    boolean tight = mix.theme == Theme.RINGS;
    shares =
        mix.reliable
            && mix.theme != Theme.CLUSTER
            && options.ranks() > 1
            && (tight || choices.below(2) == 1);
    all = tight || shares && choices.below(2) == 1;
    ringBytes =
        !shares
            ? 0
            : tight ? choices.of(256, 128, 512) : choices.of(64 * 1024, 1024, 256, 128, 128);
    // None, too few for all, or enough for those that come again too.
    lanes = shares ? choices.of(0, 1, 2, 4 * options.ranks()) : 0;
    laneBytes =
        lanes == 0
            ? 0
            : tight ? choices.of(256, 128, 512) : choices.of(64 * 1024, 1024, 256, 128, 128);
    inlineBytes = shares ? choices.of(4_096, 256) : 0;
    slots = shares ? choices.of(64, 8) : 0;
    repairMs = shares ? choices.of(10, 2) : 0;
    if (shares) {
      sites.draw(Site.READ_LATE, 950);
      sites.draw(Site.KILL_CLAIM, 12);
      sites.draw(Site.HOLD_CLAIM, 80);
      if (tight) {
        sites.arm(Site.READ_LATE, 800);
        sites.arm(Site.KILL_CLAIM, 12);
      }
      options.forcedPerMille().forEach(sites::arm);
    }
  }

  /** Tells the network, before nodes are opened. */
  void apply(SharedHost host, SharedHost.Killer killer) {
    if (shares) {
      host.sizes(ringBytes, inlineBytes, slots, repairMs * MILLISECOND);
      if (lanes > 0) {
        host.lanes(lanes, laneBytes);
      }
      host.killer(killer);
    }
  }

  /** Puts a node where its rank stands: the first two on one host, the others there or alone. */
  void place(SharedHost host, int node, int rank) {
    if (shares && (all || rank < 2)) {
      host.place(node, 0);
    }
  }

  @Override
  public String toString() {
    return shares
        ? ", "
            + (all ? "all" : "two")
            + " share memory with rings of "
            + ringBytes
            + " bytes, lanes "
            + lanes
            + " of "
            + laneBytes
            + " bytes, inline "
            + inlineBytes
            + ", slots "
            + slots
            + ", repair after "
            + repairMs
            + " ms"
        : "";
  }
}
