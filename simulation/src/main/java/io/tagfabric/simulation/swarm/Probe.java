package io.tagfabric.simulation.swarm;

/**
 * Rare things that a sweep should meet; one that never happens says that the sweep does not test
 * what it seems to.
 *
 * @source FoundationDB, CODE_PROBE; Antithesis, sometimes assertions
 */
public enum Probe {
  TRUNCATED("receive.truncated"),
  UNEXPECTED("message.waited-for-receive"),
  RECEIVE_CANCELLED("receive.cancelled"),
  SEND_CANCELLED("send.cancelled"),
  SEND_CANCELLED_LATE("send.cancelled-too-late"),
  ABORTED("receive.aborted-by-sender"),
  TRY_AGAIN("post.try-again"),
  INJECTED("message.injected"),
  BARE("frames.without-a-packet"),
  MULTI_PACKET("message.several-packets"),
  RENDEZVOUS("message.asked-first"),
  DIRECT_READ("message.read-from-memory"),
  REPLAYED("packet.replayed"),
  DUPLICATE("packet.duplicate-dropped"),
  EARLY("packet.early"),
  REFUSED("packet.refused"),
  PINGED("flow.pinged"),
  LIED("packet.lied"),
  CREDIT_STALL("flow.waited-for-credit"),
  PEER_TIMED_OUT("peer.timed-out"),
  PEER_RESET("peer.reset"),
  PEER_SHUT_DOWN("peer.shut-down"),
  MAY_HAVE_ARRIVED("send.failed-may-have-arrived"),
  NEVER_ARRIVED("send.failed-not-arrived"),
  SENT_TO_SELF("message.to-self"),
  TOO_LONG("message.too-long"),
  INSIDE_PASS("program.inside-a-pass"),
  RING_FULL("ring.full"),
  RING_HELD("ring.sender-held-up"),
  RING_KILLED("ring.sender-killed"),
  RING_REPAIRED("ring.repaired"),
  LANE_TAKEN("lane.taken"),
  LANE_READ("lane.read"),
  LANE_WRAPPED("lane.wrapped"),
  LANE_FULL("lane.full"),
  LANE_KILLED("lane.sender-killed"),
  LANE_INHERITED("lane.of-a-killed-sender"),
  LANE_NONE_FREE("lane.none-free"),
  RESTARTED("node.restarted"),
  JOINED_LATE("node.joined-late"),
  STOOD_STILL("node.stood-still"),
  DOWNED("node.downed"),
  ROLL_LEFT("roll.left"),
  ROLL_KILLED("roll.killed"),
  ROLL_PLAIN("roll.no-fabric"),
  ROLL_MOVED("roll.moved-to-fabric"),
  ANNOUNCED_LATE("roll.announced-late"),
  DIAL_FAILED("roll.dial-failed"),
  DIALS_FAILED("roll.both-dials-failed"),
  CONNECTION_RESUMED("roll.connection-resumed"),
  CONNECTION_GIVEN_UP("roll.connection-given-up"),
  REPLACED("send.replaced"),
  HUGE("message.huge"),
  UNTAGGED("message.untagged"),
  FENCED("send.fenced"),
  BEHIND_ANOTHER("receive.several-in-a-buffer"),
  RELEASED("receive.released"),
  STARTED_LATER("deferred.started"),
  TAKEN_BACK("deferred.taken-back"),
  COUNTED("counter.counted"),
  ACCESSED("memory.accessed"),
  SIGNALLED("memory.signalled"),
  SLICED("memory.in-pieces"),
  REGION_CLOSED("memory.region-closed"),
  REGION_REACHED("memory.region-reached"),
  REQUESTED("active.requested"),
  REPLIED("active.replied"),
  REQUEST_FAILED("active.failed"),
  REQUEST_KEPT("active.kept"),
  REQUEST_NOT_NOW("active.not-now"),
  REPLY_TOO_LATE("active.reply-too-late"),
  CLAIM_GIVEN_UP("active.claim-given-up"),
  CLOSED_EARLY("endpoint.closed-early"),
  OVERLAPPED("collective.overlapped"),
  TEAM_BROKEN("team.broken"),
  AGREED("team.agreed"),
  SHRUNK("team.shrunk"),
  TEAM_LEFT("team.left-while-others-work"),
  EXIT_LEADER_HIT("exit.leader-hit"),
  EXIT_TWO_ASKED("exit.two-asked"),
  EXIT_HELD("exit.rank-held-up"),
  EXIT_CUT("exit.ranks-cut-off"),
  EXIT_TWO_LEADERS("exit.two-leaders");

  private final String label;

  Probe(String label) {
    this.label = label;
  }

  /** As in reports. */
  public String label() {
    return label;
  }
}
