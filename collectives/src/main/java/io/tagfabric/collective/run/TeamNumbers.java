package io.tagfabric.collective.run;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.match.TagMatcher;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers by which one endpoint tells its teams apart; a message carries the number that its
 * receiver has given the team. What comes for a team that is closed, or for collectives of one that
 * is broken, is dropped.
 *
 * <pre>
 *          0 ..   65535   a context that a program names, the first time
 *      65536 .. 8388607   teams made of teams: each member takes a number that is free here
 *    8388608 ..16777215   a context again: 7 bits count the times, 16 bits are the context
 * </pre>
 *
 * <p>A number taken comes again only after all others, so a message that is late finds nothing. How
 * often a context was opened is counted for each list of members, so that all of these count alike.
 *
 * <p>Thread: any.
 */
@InternalApi
public final class TeamNumbers {
  /** Contexts that a program may name. */
  public static final int CONTEXTS = 1 << 16;

  private static final int AGAIN = 1 << 23;
  private static final int TIMES = 1 << 7;

  private static final Map<Endpoint, TeamNumbers> ALL = new ConcurrentHashMap<>();

  private record Opening(int context, MemberIdentities members) {}

  private enum Use {
    OPEN,
    BROKEN
  }

  private final Map<Integer, Use> used = new HashMap<>();
  private final Set<Integer> contexts = new HashSet<>();
  private final Set<Integer> closed = new HashSet<>();
  private final Map<Opening, Integer> times = new HashMap<>();
  private int next = CONTEXTS;

  TeamNumbers() {}

  /** Those of an endpoint. */
  public static TeamNumbers of(Endpoint endpoint) {
    TeamNumbers known = ALL.get(endpoint);
    if (known != null) {
      return known;
    }
    TeamNumbers numbers = ALL.computeIfAbsent(endpoint, notUsed -> new TeamNumbers());
    endpoint.onClose(() -> ALL.remove(endpoint));
    return numbers;
  }

  /**
   * Takes the number of a context that a program names.
   *
   * @param members of the team, whoever looks
   * @throws IllegalArgumentException if there is no such context, or a team here has it
   */
  synchronized int open(int context, MemberIdentities members) {
    if (context < 0 || context >= CONTEXTS) {
      throw new IllegalArgumentException(
          "context=" + context + " is outside 0.." + (CONTEXTS - 1) + ", choose another context");
    }
    if (!contexts.add(context)) {
      throw new IllegalArgumentException(
          "context="
              + context
              + " is in use on this endpoint, choose another, dup the team or close it before");
    }
    int time = times.merge(new Opening(context, members), 1, Integer::sum) - 1;
    int number = numberOf(context, time);
    closed.remove(number);
    closed.remove(numberOf(context, time + 1)); // members may open it again before this one closes
    used.put(number, Use.OPEN);
    return number;
  }

  private static int numberOf(int context, int time) {
    return time == 0 ? context : AGAIN | (time - 1) % TIMES << 16 | context;
  }

  /** Takes a number that is free here, for a team made of another. */
  public synchronized int reserve() {
    while (used.putIfAbsent(next, Use.OPEN) != null) {
      next = following(next);
    }
    int number = next;
    next = following(next);
    return number;
  }

  private static int following(int number) {
    return number + 1 == AGAIN ? CONTEXTS : number + 1;
  }

  /** No collective of the team goes on. */
  synchronized void breakUp(int number) {
    used.replace(number, Use.BROKEN);
  }

  /** Gives a number back. */
  public synchronized void free(int number) {
    if (used.remove(number) != null && isOfContext(number)) {
      contexts.remove(number & CONTEXTS - 1);
      closed.add(number);
    }
  }

  private static boolean isOfContext(int number) {
    return number < CONTEXTS || number >= AGAIN;
  }

  /** Whether nobody waits for messages with a tag any more. */
  synchronized boolean isLate(long tag) {
    if (!CollectiveTags.isOne(tag)) {
      return false;
    }
    int number = CollectiveTags.team(tag);
    return isOver(number) || used.get(number) == Use.BROKEN && CollectiveTags.isStep(tag);
  }

  /** Whether the team with a number is closed here, or was never made. */
  synchronized boolean isOver(int number) {
    return !used.containsKey(number) && (!isOfContext(number) || closed.contains(number));
  }

  /** Lets the endpoint drop what is late, and what is late already. */
  void discardLate(Endpoint endpoint) {
    endpoint.matcher().tell(new TagMatcher.Discard(this::isLate));
  }

  /** Numbers in use. */
  public synchronized int inUse() {
    return used.size();
  }
}
