package io.tagfabric.simulation.swarm;

import io.tagfabric.address.AddressVector;
import io.tagfabric.simulation.SimulatedNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A node of a run as the programs and the checks see it. */
final class Node {
  final SimulatedNode simulated;
  final int rank;
  private final Map<Node, Integer> peers = new HashMap<>();
  private final Map<Integer, Node> nodes = new HashMap<>();

  /** Messages to it that no receive has taken and that have not failed, with a tag and without. */
  private int expectedTagged;

  private int expectedUntagged;

  /** Failures of messages without a tag that were injected: which, nobody can tell. */
  int unnamedFailures;

  /** Longest message that it takes and sends. */
  final int maxMessageBytes;

  /** It stands still, and others have heard nothing of it for too long. */
  boolean unreachable;

  /** It was told to close. */
  boolean closing;

  /** The nodes that it may lose although they are alive, as it was cut off from them for long. */
  private final Set<Node> cutOff = new HashSet<>();

  /** The nodes that it breaks with, as one of the two was told what is not so. */
  private final Set<Node> lied = new HashSet<>();

  Node(SimulatedNode simulated, int rank) {
    this.simulated = simulated;
    this.rank = rank;
    maxMessageBytes = simulated.endpoint().settings().maxMessageBytes();
  }

  void learn(Node other) {
    int peer = simulated.domain().addressVector().insert(other.simulated.address());
    peers.put(other, peer);
    nodes.put(peer, other);
  }

  /** So many messages more are to come. */
  void expect(boolean untagged, int more) {
    expectedTagged += untagged ? 0 : more;
    expectedUntagged += untagged ? more : 0;
  }

  /** Whether messages are to come. */
  boolean expects(boolean untagged) {
    return (untagged ? expectedUntagged : expectedTagged) > 0;
  }

  Integer peer(Node other) {
    return peers.get(other);
  }

  Node node(int peer) {
    return nodes.get(peer);
  }

  /** The membership says that another node is gone. */
  void noticeCrash(Node other) {
    if (isAlive()) {
      simulated
          .domain()
          .addressVector()
          .ref()
          .tell(
              new AddressVector.NodeGone(
                  other.simulated.address().node(),
                  other.simulated.address().incarnation(),
                  "it has crashed"));
      simulated.touch();
    }
  }

  boolean isAlive() {
    return !simulated.isCrashed();
  }

  /** Whether it is alive and was not told to close. */
  boolean isUp() {
    return isAlive() && !closing;
  }

  void cutOffFrom(Node other) {
    cutOff.add(other);
    other.cutOff.add(this);
  }

  /** A packet of its has told another what is not so. */
  void liedTo(Node other) {
    cutOffFrom(other);
    lied.add(other);
    other.lied.add(this);
  }

  /** Whether one of two nodes has told the other what is not so. */
  boolean hasLied(Node other) {
    return lied.contains(other);
  }

  /** Whether operations with another node may fail because that is lost. */
  boolean mayLose(Node other) {
    return !other.isUp() || !isUp() || cutOff.contains(other);
  }

  boolean wasCutOff() {
    return !cutOff.isEmpty();
  }

  int number() {
    return simulated.number();
  }

  String name() {
    return simulated.name();
  }

  @Override
  public String toString() {
    return name();
  }
}
