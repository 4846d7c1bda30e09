package io.tagfabric.simulation.swarm;

import io.tagfabric.complete.CounterUnit;
import io.tagfabric.flow.window.ActiveSettings;
import io.tagfabric.flow.window.FlowPace;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.SizeClasses;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.progress.HandOver;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.choice.Sites;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** What one seed has drawn for its run: features, sizes, faults and rates. */
final class Mix {
  /** What a program can do. */
  enum Operation {
    SEND,
    SEND_DATA,
    INJECT,
    SEND_LISTENED,
    SEND_FROM_MEMORY,
    RECEIVE,
    RECEIVE_ANY,
    RECEIVE_INTO_MEMORY,
    READ,
    CANCEL_RECEIVE,
    CANCEL_SEND,
    REPLACE_SEND,
    COLLECTIVE,
    SEND_FENCED,
    SEND_UNTAGGED,
    INJECT_UNTAGGED,
    RECEIVE_UNTAGGED,
    RECEIVE_MANY,
    COUNT,
    DEFER,
    CANCEL_DEFERRED,
    ACCESS,
    REQUEST;

    /** Whether most runs are without it. */
    boolean isSpecial() {
      return compareTo(SEND_FENCED) >= 0;
    }

    /** Whether only the runs of a theme have it. */
    boolean isOfATheme() {
      return this == ACCESS || this == REQUEST;
    }
  }

  private static final int PACKET_BYTES = 4 * 1024;
  private static final long SECOND = 1_000_000_000L;

  final Theme theme;
  final HandOver handOver;
  final boolean reliable;
  final boolean pct;
  final int pctEvery;
  final int queueCapacity;
  final FlowSettings flow;
  private final Map<Operation, Integer> weights = new EnumMap<>(Operation.class);
  final int weightSum;

  /** What counters of endpoints count; null if there are none. */
  final CounterUnit counting;

  final int longShare;
  final int exactShare;
  final int selfShare;
  final int thinkNs;
  final int room;
  final int latencyNs;
  final int jitterNs;
  final boolean restarts;
  final int collectives;
  final boolean exits;
  final int noticeMs;

  /** Some messages are longer than what is read from memory at one go. */
  final boolean huge;

  /** Active requests of one peer that may be under way, and of all; the second may be 0. */
  final int activeCredits;

  final int activeTotal;

  /** How long a request that is kept may wait. */
  final long replyTimeoutNs;

  /** A node takes no messages longer than this; negative for none. */
  private final int limitBytes;

  private final int limitedRank;

  /** When the last rank joins, negative if it is there from the beginning. */
  final long joinAtNs;

  /** At their end programs take back all that is left. */
  final boolean abandons;

  /**
   * When one endpoint closes for certain, perhaps before its flows are open; negative for never.
   */
  final long closeAtNs;

  /** When one node crashes and comes again for certain; negative for never. */
  final long restartAtNs;

  Mix(Choices choices, Sites sites, SwarmOptions options) {
    // 0 is the plainest: what ships.
    theme = Theme.draw(choices);
    handOver = choices.below(2) == 0 ? HandOver.CALL : HandOver.MAILBOX;
    reliable = theme.isReliable(choices);
    pct =
        options.policy() == SwarmOptions.Scheduling.BOTH
            ? choices.below(2) == 1
            : options.policy() == SwarmOptions.Scheduling.PCT;
    pctEvery = pct ? choices.of(20, 50, 200) : 0;
    queueCapacity = choices.of(512, 512, 64, 16);
    boolean special = theme.isAnything() && choices.below(3) == 2;
    int sum = 0;
    for (Operation operation : Operation.values()) {
      int weight =
          !theme.isAnything()
              ? theme.weight(operation)
              : operation.isOfATheme() || operation.isSpecial() && !special
                  ? 0
                  : weight(operation, choices);
      weights.put(operation, weight);
      sum += weight;
    }
    weightSum = sum;
    flow = flow(choices, weights.get(Operation.COLLECTIVE) > 0);
    longShare = theme == Theme.REPLACING || theme == Theme.RINGS ? 0 : choices.of(10, 0, 30, 60);
    counting =
        special || theme == Theme.COUNTERS
            ? choices.below(2) == 0 ? CounterUnit.OPERATIONS : CounterUnit.BYTES
            : null;
    exactShare = choices.of(0, 20, 100);
    selfShare = choices.of(0, 5);
    thinkNs =
        theme == Theme.CLUSTER
            ? choices.of(2_000, 20_000_000, 100_000_000)
            : choices.of(0, 2_000, 40_000);
    boolean clustered = theme == Theme.CLUSTER;
    // Where a node stands still for seconds, one that has no room for it would do little else.
    room = clustered ? Integer.MAX_VALUE : choices.of(Integer.MAX_VALUE, 64, 4, 2);
    latencyNs = theme == Theme.AGAIN ? 500_000 : choices.of(5_000, 50_000, 500_000);
    jitterNs = choices.of(0, 5_000, 200_000);
    collectives = weights.get(Operation.COLLECTIVE) == 0 ? 0 : choices.between(1, 12);
    exits = choices.below(3) > 0;
    noticeMs = choices.of(0, 1, 500);
    huge = theme == Theme.HUGE || reliable && choices.below(6) == 5;
    abandons = theme == Theme.REPLACING || choices.below(4) == 3;
    closeAtNs =
        choices.below(6) == 5
            ? choices.below(choices.of(4 * (latencyNs + jitterNs), 2_000_000))
            : -1;
    restartAtNs =
        theme == Theme.AGAIN || !reliable && choices.below(8) == 7
            ? choices.below(choices.of(400_000, 4_000_000))
            : -1;
    boolean active = theme == Theme.ACTIVE;
    activeCredits = active ? choices.of(16, 1, 2, 4) : 16;
    activeTotal = active ? choices.of(0, 1, 5) : 0;
    replyTimeoutNs = active ? choices.of(60, 2) * SECOND / choices.of(1, 1_000) : 60 * SECOND;
    limitBytes = clustered && choices.below(2) == 1 ? choices.of(3_000, 700, 100) : -1;
    limitedRank = limitBytes < 0 ? -1 : choices.below(options.ranks());
    joinAtNs =
        clustered && options.ranks() > 1 && options.events().isEmpty() && choices.below(2) == 1
            ? choices.below(choices.of(400_000, 5_000_000, 2_000_000_000))
            : -1;
    drawSites(choices, sites, options);
    if (choices.below(16) == 15) {
      sites.arm(Site.LIE, choices.between(1, 20));
    }
    restarts = sites.isArmed(Site.RESTART);
  }

  private static int weight(Operation operation, Choices choices) {
    return switch (operation) {
      case SEND, RECEIVE, READ -> choices.between(2, 10);
      case RECEIVE_ANY -> choices.between(0, 6);
      default -> choices.below(2) == 0 ? 0 : choices.between(1, 6);
    };
  }

  private void drawSites(Choices choices, Sites sites, SwarmOptions options) {
    if (!reliable) {
      sites.draw(Site.DROP, 200);
      sites.draw(Site.DUPLICATE, 200);
      sites.draw(Site.DELAY, 200);
    }
    sites.draw(Site.REFUSE, 300);
    sites.draw(Site.REFUSE_INJECT, 500);
    sites.draw(Site.MEMORY, 200);
    sites.draw(Site.LONG_PASS, 500);
    if (theme == Theme.REPLACING) {
      sites.arm(Site.LONG_PASS, 500);
    } else {
      drawSitesOfNodes(sites);
    }
    if (theme == Theme.CLUSTER) {
      sites.arm(Site.PAUSE, choices.between(1, 12));
      sites.arm(Site.PARTITION, 0);
    }
    if (theme == Theme.HUGE) {
      sites.arm(Site.MEMORY, choices.between(20, 200));
    }
    options.forcedPerMille().forEach(sites::arm);
  }

  private static void drawSitesOfNodes(Sites sites) {
    sites.draw(Site.SLOW, 50);
    sites.draw(Site.PAUSE, 4);
    sites.draw(Site.PARTITION, 4);
    sites.draw(Site.HOLD, 8);
    sites.draw(Site.CRASH, 3);
    sites.draw(Site.RESTART, 500);
    sites.draw(Site.CLOSE, 3);
    sites.draw(Site.CANCEL, 500);
  }

  /**
   * Numbers of flows.
   *
   * @param hasTeams members of a team are ahead of one another by a few messages, and wait for ever
   *     for the credit of one that the other does not want yet if there are too few
   */
  private FlowSettings flow(Choices choices, boolean hasTeams) {
    boolean inParts = theme == Theme.REPLACING || theme == Theme.TEAMS;
    int eagerLimit = inParts ? 64 : choices.of(PACKET_BYTES / 2, 700, 64, 0);
    int window = theme == Theme.REPLACING ? 2 : choices.between(2, 16);
    int multiEagerLimit = inParts ? choices.of(20_000, 0) : choices.of(0, 5_000, 20_000);
    long credit = eagerLimit + (long) (inParts ? 80_000 : choices.of(80_000, 8_000, 500, 0));
    long budget =
        switch (choices.below(3)) {
          case 0 -> 4 * credit;
          case 1 -> choices.below((int) credit + 1);
          default -> 2 * credit;
        };
    return new FlowSettings(
        new SizeClasses(
            eagerLimit, multiEagerLimit, choices.of(8_192, 1_500, 300), choices.between(1, 4)),
        Map.of(),
        credit,
        budget,
        hasTeams ? choices.of(1_000, 100) : choices.of(100, 16, 4, 2, 1),
        window,
        choices.of(64_000, 12_000, 1),
        choices.between(1, window - 1),
        500_000,
        20_000_000,
        choices.between(1, 8),
        choices.of(30, 2) * SECOND,
        20 * SECOND,
        pace(window));
  }

  /** In some runs flows have few packets under way and ask in turn. Follows from the window. */
  private static FlowPace pace(int window) {
    return window % 4 == 0
        ? new FlowPace(1 + window % 3, 1, 5_000_000, 20_000_000, 1 + window % 5)
        : FlowPace.DEFAULT;
  }

  /** Lengths of messages. */
  int length(Choices choices) {
    if (choices.below(100) < longShare) {
      return choices.below(10_000);
    }
    return choices.below(4) == 0 ? choices.below(3_000) : choices.below(200);
  }

  Operation operation(Choices choices) {
    int drawn = choices.below(weightSum);
    for (Operation operation : Operation.values()) {
      drawn -= weights.get(operation);
      if (drawn < 0) {
        return operation;
      }
    }
    throw new IllegalStateException("weightSum=" + weightSum + " is not the sum of the weights");
  }

  private String activeText() {
    return ", requests "
        + activeCredits
        + " of a peer and "
        + (activeTotal == 0 ? "any" : activeTotal)
        + " in all, replies within "
        + replyTimeoutNs / 1_000_000
        + " ms";
  }

  /** Settings of active messages: the defaults in runs that have none. */
  ActiveSettings active(ActiveSettings defaults) {
    return theme == Theme.ACTIVE
        ? defaults
            .withCredits(activeCredits, activeTotal, activeCredits / 2)
            .withReplyTimeoutNs(replyTimeoutNs)
        : defaults;
  }

  /** Settings of the endpoint of a rank. */
  EndpointSettings endpoint(EndpointSettings defaults, int rank) {
    EndpointSettings settings = defaults.withFlow(flow).withActive(active(defaults.active()));
    return rank == limitedRank ? withMaxMessage(settings, limitBytes) : settings;
  }

  private static EndpointSettings withMaxMessage(EndpointSettings settings, int bytes) {
    return new EndpointSettings(
        settings.injectBytes(),
        bytes,
        settings.maxPendingFutures(),
        settings.maxUnexpectedClasses(),
        settings.providers(),
        settings.packetBytes(),
        settings.askTimeout(),
        settings.flow(),
        settings.memory(),
        settings.active());
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(theme == Theme.ANY ? "" : theme.name().toLowerCase(Locale.ROOT) + ", ")
        .append(reliable ? "reliable" : "lossy")
        .append(" network, hand-over ")
        .append(handOver)
        .append(pct ? ", pct every " + pctEvery : ", uniform")
        .append(", queues of ")
        .append(queueCapacity)
        .append(", latency ")
        .append(latencyNs / 1_000)
        .append("+")
        .append(jitterNs / 1_000)
        .append(" us, room ")
        .append(room == Integer.MAX_VALUE ? "any" : room)
        .append(", long ")
        .append(longShare)
        .append("%, eager ")
        .append(flow.sizes().eagerLimitBytes())
        .append("/")
        .append(flow.sizes().multiEagerLimitBytes())
        .append(", credit ")
        .append(flow.eagerCreditBytes())
        .append(" of ")
        .append(flow.unexpectedBudgetBytes())
        .append(" and ")
        .append(flow.messageCredits())
        .append(" messages, window ")
        .append(flow.windowPackets())
        .append(", collectives ")
        .append(collectives)
        .append(theme == Theme.ACTIVE ? activeText() : "")
        .append(limitBytes < 0 ? "" : ", rank " + limitedRank + " takes " + limitBytes + " bytes")
        .append(joinAtNs < 0 ? "" : ", the last joins after " + joinAtNs / 1_000 + " us")
        .append(huge ? ", huge messages" : "")
        .append(abandons ? ", all taken back at the end" : "")
        .append(closeAtNs < 0 ? "" : ", a close after " + closeAtNs / 1_000 + " us")
        .append(restartAtNs < 0 ? "" : ", a restart after " + restartAtNs / 1_000 + " us")
        .append(counting == null ? "" : ", counting " + counting)
        .append(", operations");
    for (Operation operation : Operation.values()) {
      text.append(' ')
          .append(operation.name().toLowerCase(Locale.ROOT))
          .append('=')
          .append(weights.get(operation));
    }
    return text.toString();
  }
}
