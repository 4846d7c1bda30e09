package io.tagfabric.node;

import io.tagfabric.runtime.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is known of the nodes, and what they have been told. An address is kept only for the node
 * that was heard of last there. {@link #presence} and {@link #announced} may be called by any
 * thread, the rest by one.
 */
final class NodeTable {
  /** So many nodes that are no members are remembered, the newest; also of those that have gone. */
  static final int OTHERS_KEPT = 1024;

  /** A question or an answer that must leave. */
  record Outgoing(String node, Announcement said) {}

  /**
   * A node.
   *
   * @param announced null if it has no fabric
   */
  private record Known(Announcement announced) {}

  private final Announcement own;
  private final Map<String, Known> nodes = new ConcurrentHashMap<>();
  private final Map<String, NodeId> members = new LinkedHashMap<>();
  private final Set<String> others = new LinkedHashSet<>();

  /** Those that were members: what they have said may still be on its way. */
  private final Set<NodeId> departed = new LinkedHashSet<>();

  /** What each node was last told of the endpoint. */
  private final Map<String, String> told = new LinkedHashMap<>();

  private String actors = "";
  private boolean hasEnded;

  NodeTable(Announcement own) {
    this.own = own;
  }

  NodeDirectory.Presence presence(String node) {
    Known known = nodes.get(node);
    if (known == null) {
      return NodeDirectory.Presence.UNKNOWN;
    }
    return known.announced == null ? NodeDirectory.Presence.ABSENT : NodeDirectory.Presence.PRESENT;
  }

  Optional<Announcement> announced(String node) {
    return Optional.ofNullable(nodes.get(node)).map(Known::announced);
  }

  boolean isMember(String node) {
    return members.containsKey(node);
  }

  /**
   * A member was seen.
   *
   * @return whether it must be asked
   */
  boolean joined(NodeId node) {
    if (node.address().equals(own.node().address()) || node.equals(members.get(node.address()))) {
      return false;
    }
    members.put(node.address(), node);
    others.remove(node.address());
    Known known = nodes.get(node.address());
    if (known != null && known.announced != null && known.announced.node().equals(node)) {
      return false;
    }
    forget(node.address());
    return true;
  }

  /**
   * A member has left in order, or this node has: it is there until it says that its endpoint has
   * ended, and hears the same of this one.
   */
  void left(NodeId node) {
    departed(node);
    if (members.remove(node.address(), node) && nodes.containsKey(node.address())) {
      remember(node.address());
    }
  }

  /** A member has gone. */
  void gone(NodeId node) {
    departed(node);
    if (members.remove(node.address(), node)) {
      Known known = nodes.get(node.address());
      if (known == null || known.announced == null || known.announced.node().equals(node)) {
        forget(node.address());
      }
    }
  }

  private void departed(NodeId node) {
    departed.add(node);
    if (departed.size() > OTHERS_KEPT) {
      departed.remove(departed.iterator().next());
    }
  }

  /**
   * Whether a node is known not to be the one at its address. What it has said may come late. If it
   * is the next one there, it is asked when it is seen as a member.
   */
  boolean isOfAnother(NodeId node) {
    Optional<Announcement> known = announced(node.address());
    if (known.isPresent() && known.get().node().equals(node)) {
      return false;
    }
    NodeId member = members.get(node.address());
    return departed.contains(node) || (member != null && !member.equals(node));
  }

  private void forget(String node) {
    nodes.remove(node);
    told.remove(node);
  }

  /** There is no fabric at an address, for now. */
  void absent(String node) {
    nodes.computeIfAbsent(
        node,
        notUsed -> {
          remember(node);
          return new Known(null);
        });
  }

  /** Nothing is known of a node, which is no member, any more. */
  void forgetAbsent(String node) {
    if (!isMember(node) && presence(node) == NodeDirectory.Presence.ABSENT) {
      others.remove(node);
      forget(node);
    }
  }

  /** The question for a node that has a fabric; it says again what the node was told already. */
  Outgoing question(String node) {
    return new Outgoing(node, own.with(told.getOrDefault(node, ""), hasEnded, true));
  }

  /**
   * A node says something of itself; what it must be told. A node that is not the one at its
   * address gets no answer: the one that is there would take it as meant for itself.
   */
  List<Outgoing> heard(Announcement announced) {
    String node = announced.node().address();
    if (node.equals(own.node().address()) || isOfAnother(announced.node())) {
      return List.of();
    }
    Known before = nodes.put(node, new Known(announced));
    remember(node);
    if (before == null
        || before.announced == null
        || !before.announced.node().equals(announced.node())) {
      told.remove(node);
    }
    return tell(node, announced.asks());
  }

  /** Keeps the newest of those that are no members. */
  private void remember(String node) {
    if (isMember(node)) {
      return;
    }
    others.remove(node);
    others.add(node);
    if (others.size() > OTHERS_KEPT) {
      String oldest = others.iterator().next();
      others.remove(oldest);
      forget(oldest);
    }
  }

  /** The endpoint behind this node's references; empty when it has ended. */
  List<Outgoing> publish(String itsActors) {
    actors = itsActors;
    hasEnded = itsActors.isEmpty();
    List<Outgoing> all = new ArrayList<>();
    nodes.forEach(
        (node, known) -> {
          if (known.announced != null) {
            all.addAll(tell(node, false));
          }
        });
    return all;
  }

  /** Only a node with the same key hears of the endpoint, and only of what is new. */
  private List<Outgoing> tell(String node, boolean asked) {
    Announcement there = nodes.get(node).announced;
    String what = own.hasKeyOf(there) ? actors : "";
    String before = told.put(node, what);
    return asked || !what.equals(before == null ? "" : before)
        ? List.of(new Outgoing(node, own.with(what, hasEnded, false)))
        : List.of();
  }
}
