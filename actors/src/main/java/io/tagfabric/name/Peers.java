package io.tagfabric.name;

import io.tagfabric.address.Protocols;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The other members of the cluster. Those that this node has a protocol in common with, as far as
 * it has heard, are asked for names and vote on claims; a name belongs to them alone. Members that
 * have no fabric are not asked. Not thread-safe.
 */
final class Peers {
  private final Protocols own;
  private final Predicate<String> hasNoFabric;
  private final Set<Node> asked = new LinkedHashSet<>();
  private final Map<Node, Protocols> strangers = new LinkedHashMap<>();

  /**
   * None yet.
   *
   * @param own protocols of this node
   * @param hasNoFabric whether the node at an address is known to have none
   */
  Peers(Protocols own, Predicate<String> hasNoFabric) {
    this.own = own;
    this.hasNoFabric = hasNoFabric;
  }

  /** A node is a member; returns whether it is asked from now on. */
  boolean add(Node node) {
    return !strangers.containsKey(node) && asked.add(node);
  }

  /** A node is a member no longer. */
  void remove(Node node) {
    asked.remove(node);
    strangers.remove(node);
  }

  /** A member has no protocol in common with this node; returns whether it was asked till now. */
  boolean refused(Node node, Protocols theirs) {
    boolean wasAsked = asked.remove(node);
    if (wasAsked) {
      strangers.put(node, theirs);
    }
    return wasAsked;
  }

  /** Those that are asked. */
  Set<Node> asked() {
    return asked.stream()
        .filter(node -> !hasNoFabric.test(node.address()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Who is not asked and why, for people; empty if all are asked. */
  String strangers() {
    return strangers.isEmpty()
        ? ""
        : "members were not asked that have no protocol in common with this node, which speaks"
            + " protocol="
            + own
            + ": "
            + strangers.entrySet().stream()
                .map(each -> "[" + each.getKey().address() + "] speaks protocol=" + each.getValue())
                .collect(Collectors.joining(", "));
  }

  /** Whether there is a member at an address. */
  boolean isAt(String address) {
    return asked.stream().anyMatch(node -> node.address().equals(address))
        || strangers.keySet().stream().anyMatch(node -> node.address().equals(address));
  }
}
