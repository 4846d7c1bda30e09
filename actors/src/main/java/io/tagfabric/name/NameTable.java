package io.tagfabric.name;

import io.tagfabric.address.EndpointAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The names that endpoints of one node hold or claim.
 *
 * <p>A claim is put to the vote of all other nodes. A node votes against it if it holds the name,
 * or claims it with a lesser stamp; else it votes for it, and its own claim with a greater stamp
 * has failed. A claim ends as held when all have voted for it, or are gone.
 *
 * <p>Why two nodes never both hold a name if one of them asks the other: say A asks B, and B holds
 * or claims the name when the question comes. If B's stamp is the lesser, A is refused; if not, B's
 * claim fails, or B holds the name already and A is refused. If B claims it only later, its stamp
 * is greater than A's, because voting moves the clock of B; B asks A or A has gone, and A holds or
 * claims the name with the lesser stamp, unless its claim has failed. Not thread-safe.
 */
final class NameTable {
  /** How a claim stands. */
  enum State {
    /** Some have not voted. */
    OPEN,
    /** The name is held. */
    HELD,
    /** Another endpoint has it. */
    REFUSED,
    /** There is no such claim any more. */
    NONE
  }

  /** A name with its endpoint. */
  record Holding(String name, EndpointAddress address, Stamp stamp) {}

  private static final class Claim {
    private final Holding holding;
    private final Set<Node> voters;

    Claim(Holding holding, Set<Node> voters) {
      this.holding = holding;
      this.voters = voters;
    }
  }

  private final Node self;
  private final Map<String, Holding> held = new TreeMap<>();
  private final Map<String, Claim> claims = new TreeMap<>();

  /** Those of the names held that are for this place alone: other nodes may have the same. */
  private final Set<String> heldHere = new TreeSet<>();

  private long clock;

  NameTable(Node self) {
    this.self = self;
  }

  /** The endpoint of this node that holds a name, null if none does. */
  EndpointAddress lookup(String name) {
    Holding holding = held.get(name);
    return holding == null ? null : holding.address();
  }

  /** What this node holds, by name. */
  List<Holding> held() {
    return List.copyOf(held.values());
  }

  /** What this node holds and no other node may, by name. */
  List<Holding> heldAlone() {
    return held.values().stream().filter(each -> !heldHere.contains(each.name())).toList();
  }

  /** What this node claims. */
  List<Holding> open() {
    return claims.values().stream().map(claim -> claim.holding).toList();
  }

  /** What this node holds or claims. */
  List<Holding> all() {
    List<Holding> all = new ArrayList<>(held.values());
    all.addAll(open());
    return all;
  }

  /** How this node holds a name, null if it does not. */
  Holding holding(String name) {
    return held.get(name);
  }

  /** The endpoint of this node that holds or claims a name, null if none does. */
  EndpointAddress occupant(String name) {
    Claim claim = claims.get(name);
    return claim == null ? lookup(name) : claim.holding.address();
  }

  /**
   * Begins a claim for a name without an occupant; without voters it is held at once.
   *
   * @param voters the other nodes
   * @return what to put to the vote
   */
  Holding claim(String name, EndpointAddress address, Set<Node> voters) {
    Holding holding = new Holding(name, address, new Stamp(++clock, self));
    if (voters.isEmpty()) {
      held.put(name, holding);
    } else {
      claims.put(name, new Claim(holding, new LinkedHashSet<>(voters)));
    }
    return holding;
  }

  /** Holds a name without an occupant for this place alone. */
  Holding holdHere(String name, EndpointAddress address) {
    heldHere.add(name);
    return claim(name, address, Set.of());
  }

  /**
   * Votes on another node's claim.
   *
   * @return the endpoint that stands against it, null for a vote in favour
   */
  EndpointAddress vote(String name, Stamp theirs) {
    clock = Math.max(clock, theirs.time());
    Holding holding = held.get(name);
    if (holding != null) {
      return holding.address();
    }
    Claim claim = claims.get(name);
    boolean ours = claim != null && claim.holding.stamp().compareTo(theirs) < 0;
    return ours ? claim.holding.address() : null;
  }

  /**
   * Ends this node's own claim in favour of one it has voted for.
   *
   * @return whether there was one
   */
  boolean concede(String name, Stamp theirs) {
    Claim claim = claims.get(name);
    return claim != null
        && theirs.compareTo(claim.holding.stamp()) < 0
        && claims.remove(name) != null;
  }

  /** Takes a vote in favour of a claim of this node. */
  State granted(String name, Stamp stamp, Node voter) {
    Claim claim = claims.get(name);
    if (claim == null || !claim.holding.stamp().equals(stamp)) {
      return State.NONE;
    }
    claim.voters.remove(voter);
    return settle(name, claim);
  }

  /** Takes a vote against a claim of this node. */
  State denied(String name, Stamp stamp) {
    Claim claim = claims.get(name);
    if (claim == null || !claim.holding.stamp().equals(stamp)) {
      return State.NONE;
    }
    claims.remove(name);
    return State.REFUSED;
  }

  /** Waits for a node's votes no longer; returns the names that are held because of that. */
  List<String> forget(Node voter) {
    List<String> settled = new ArrayList<>();
    for (Claim claim : List.copyOf(claims.values())) {
      String name = claim.holding.name();
      if (claim.voters.remove(voter) && settle(name, claim) == State.HELD) {
        settled.add(name);
      }
    }
    return settled;
  }

  /** Ends the vote on a claim; returns the nodes that have not voted. */
  Set<Node> close(String name, Stamp stamp) {
    Claim claim = claims.get(name);
    if (claim == null || !claim.holding.stamp().equals(stamp)) {
      return Set.of();
    }
    Set<Node> silent = new LinkedHashSet<>(claim.voters);
    claim.voters.clear();
    settle(name, claim);
    return silent;
  }

  private State settle(String name, Claim claim) {
    if (!claim.voters.isEmpty()) {
      return State.OPEN;
    }
    claims.remove(name);
    held.put(name, claim.holding);
    return State.HELD;
  }

  /** Gives a name up, or the claim to it; returns whether there was one. */
  boolean release(String name) {
    boolean claimed = claims.remove(name) != null;
    heldHere.remove(name);
    return held.remove(name) != null || claimed;
  }

  /**
   * Compares what another node holds with what this one does; both can hold a name if they could
   * not hear each other when it was claimed.
   *
   * @return what of the other's holdings this node has given way to
   */
  List<Holding> giveWay(List<Holding> theirs) {
    List<Holding> winners = new ArrayList<>();
    for (Holding other : theirs) {
      clock = Math.max(clock, other.stamp().time());
      Holding ours = heldAlone(other.name());
      if (ours != null && other.stamp().compareTo(ours.stamp()) < 0) {
        held.remove(other.name());
        winners.add(other);
      }
    }
    return winners;
  }

  /** What of another node's holdings this node holds with a lesser stamp. */
  List<Holding> claimedBefore(List<Holding> theirs) {
    List<Holding> earlier = new ArrayList<>();
    for (Holding other : theirs) {
      Holding ours = heldAlone(other.name());
      if (ours != null && ours.stamp().compareTo(other.stamp()) < 0) {
        earlier.add(ours);
      }
    }
    return earlier;
  }

  private Holding heldAlone(String name) {
    return heldHere.contains(name) ? null : held.get(name);
  }
}
