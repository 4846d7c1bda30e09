package io.tagfabric.simulation.choice;

/**
 * Where a fault can be put in. A run arms some of the sites, each with a probability of its own;
 * one that is not armed never fires, so a run is not drowned by faults of all kinds at once.
 *
 * @source FoundationDB, BUGGIFY
 */
public enum Site {
  /** A packet is lost on its way. */
  DROP("link.drop"),
  /** A packet comes twice. */
  DUPLICATE("link.duplicate"),
  /** A packet comes much later, and so after others. */
  DELAY("link.delay"),
  /** A packet acknowledges what was never sent. */
  LIE("peer.lie"),
  /** A channel has no room. */
  REFUSE("link.refuse"),
  /** A channel takes no short message by itself. */
  REFUSE_INJECT("link.refuse-inject"),
  /** Memory of a peer cannot be reached just now. */
  MEMORY("memory.unreachable"),
  /** A node does several things before it sends what they have gathered. */
  LONG_PASS("node.long-pass"),
  /** Time passes while a node has something to do. */
  SLOW("node.slow"),
  /** A node stands still for a while. */
  PAUSE("node.pause"),
  /** Nodes cannot reach each other for a while. */
  PARTITION("net.partition"),
  /** Packets of a link wait for a while. */
  HOLD("net.hold"),
  /** A node ends from one moment to the next. */
  CRASH("node.crash"),
  /** A node that has crashed comes again, with another incarnation. */
  RESTART("node.restart"),
  /** An endpoint is closed while others still use it. */
  CLOSE("endpoint.close"),
  /** A node reads nothing of what has come into memory that it shares, in a pass. */
  READ_LATE("shm.read-late"),
  /** A node is killed while it writes into memory that it shares. */
  KILL_CLAIM("shm.kill-in-claim"),
  /** A node is held up while it writes into memory that it shares. */
  HOLD_CLAIM("shm.hold-in-claim"),
  /** A node that is dialled refuses. */
  DIAL_REFUSED("dial.refused"),
  /** A node that is dialled says nothing. */
  DIAL_SILENT("dial.silent"),
  /** Nothing comes through a connection for a while. */
  CONNECTION_CUT("connection.cut"),
  /** A connection that is cut is not made again. */
  CONNECTION_LOST("connection.lost"),
  /** An operation is taken back. */
  CANCEL("operation.cancel");

  private final String label;

  Site(String label) {
    this.label = label;
  }

  /** As in reports and options. */
  public String label() {
    return label;
  }
}
