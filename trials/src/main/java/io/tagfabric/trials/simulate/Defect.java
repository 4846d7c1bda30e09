package io.tagfabric.trials.simulate;

import io.tagfabric.runtime.MembershipNotice.News;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A defect that was in the code once, or that the tests of the project did not notice when somebody
 * put it in, and the edit of a class file that makes it again.
 */
enum Defect {
  F03(
      "a peer that acknowledges what was never sent is believed",
      "io.tagfabric.flow.Flow",
      Edit.answer("onPacket", "unsentIn", 1, 0)),
  F05(
      "packets that come early are kept without a bound",
      "io.tagfabric.flow.window.ReceiveWindow",
      Edit.answer("offer", "size", 1, 0)),
  F12(
      "packets are sent again as often as somebody says that they are missing",
      "io.tagfabric.flow.send.SendScheduler",
      Edit.answer("replay", "startReplay", 1, 1)),
  F19(
      "the Goodbye overtakes packets that the channel has refused",
      "io.tagfabric.flow.window.PacketOutbox",
      Edit.answer("sealOpen", "isEmpty", 1, 1)),
  F21(
      "a short message overtakes packets that the channel has refused",
      "io.tagfabric.flow.window.PacketOutbox",
      Edit.answer("inject", "isEmpty", 1, 1)),
  F23(
      "messages begin before the Abort of one that was taken back has left",
      "io.tagfabric.flow.send.MessageSender",
      Edit.answer("begin", "hasWaiting", 1, 0)),
  F24(
      "keys to memory are not revoked when a send ends",
      "io.tagfabric.flow.send.RendezvousSender",
      Edit.empty("revoke")),
  F26(
      "bytes that have come still count as expected, so the peer is asked for ever",
      "io.tagfabric.flow.send.ControlQueue",
      Edit.empty("settled")),
  F28(
      "the Abort of a send that is taken back waits for something else to be sent",
      "io.tagfabric.flow.Flow",
      Edit.answer("withdraw", "hasWaiting", 1, 0)),
  F31(
      "senders that say nothing are promised as much as those that send",
      "io.tagfabric.flow.window.OwedToPeer",
      Edit.answer("owedBytes", "isPlentiful", 1, 1)),
  F32(
      "what was sent behind a fence that is taken back waits for what comes next",
      "io.tagfabric.flow.Flow",
      Edit.answer("withdraw", "isReady", 1, 0)),
  F33(
      "a fence does not wait for messages that ask first",
      "io.tagfabric.flow.send.MessageSender",
      Edit.answer("isHeldByFence", "hasAnnounced", 1, 0)),
  S07(
      "the count of a sender is left odd when the ring is full",
      "io.tagfabric.provider.shm.ring.RingWriter",
      Edit.jump("claim", 1, 1)),
  L01(
      "the header behind a record of a lane is not set to zero",
      "io.tagfabric.provider.shm.ring.LaneWriter",
      Edit.answer("commit", "clearTo", 1, 0)),
  L02(
      "a record of a lane is published before the header behind it is zero",
      "io.tagfabric.provider.shm.ring.LaneWriter",
      Edit.late("commit", "clearTo", 1)),
  L03(
      "the end of a lane is passed over without a header at its beginning",
      "io.tagfabric.provider.shm.ring.LaneWriter",
      Edit.answer("commit", "putLong", 1, 0)),
  L04(
      "the room that a record takes in a lane is counted without the header behind it",
      "io.tagfabric.provider.shm.ring.LaneWriter",
      Edit.constant("claim", 1, 0)),
  L05(
      "a lane that is not read to the end is given to the next sender",
      "io.tagfabric.provider.shm.ring.LaneReader",
      Edit.jump("isDrained", 1, 1)),
  L06(
      "nobody waits until the lane of one that leaves is read",
      "io.tagfabric.provider.shm.ring.ShmSenders",
      Edit.answer("isDrained", "isDrained", 1, 1)),
  L07(
      "the reader of a lane gives no room back",
      "io.tagfabric.provider.shm.ring.LaneReader",
      Edit.empty("report")),
  B01(
      "what waits for an acknowledgement leaves without a packet",
      "io.tagfabric.flow.window.PacketOutbox",
      Edit.empty("acknowledgeOpen")),
  S12(
      "a key opens what lies beyond the end of fabric memory",
      "io.tagfabric.provider.shm.ShmSegment",
      Edit.answer("read", "reaches", 1, 1)),
  S13(
      "keys to fabric memory are not revoked when it is closed",
      "io.tagfabric.provider.shm.ShmSegment",
      Edit.empty("close")),
  E01(
      "a Hello for the incarnation before is answered",
      "io.tagfabric.link.Handshake",
      Edit.jump("onHello", 5, 1)),
  E02(
      "a Refuse ends a flow that is open",
      "io.tagfabric.link.Handshake",
      Edit.jump("onRefuse", 5, 0)),
  E07(
      "bytes that could not be read to the end are not asked for from the beginning",
      "io.tagfabric.match.core.InboundTransfers",
      Edit.answer("pull", "restart", 1, 0)),
  E10(
      "an endpoint that comes again numbers its flows as the one before it did",
      "io.tagfabric.link.FlowTable",
      Edit.answer("<init>", "nextLong", 1, 0)),
  M01(
      "a buffer for many messages takes more although it counts as full",
      "io.tagfabric.match.core.ManyReceives",
      Edit.answer("nextOf", "isFull", 1, 0)),
  M02(
      "a buffer for many messages is given back while bytes of one still come",
      "io.tagfabric.match.ManyMessages",
      Edit.jump("release", 2, 0)),
  M03(
      "a message overtakes those that wait until a buffer for many has a slot",
      "io.tagfabric.match.core.ManyReceives",
      Edit.answer("choose", "hasEarlier", 1, 0)),
  U01(
      "a message without a tag goes to a receive that asks for tag 0",
      "io.tagfabric.match.core.ReceiveCore",
      Edit.answer("matchArrival", "isUntagged", 1, 0)),
  D01(
      "nobody looks who waits when a counter counts",
      "io.tagfabric.complete.CounterState",
      Edit.empty("changed")),
  D02(
      "what waits for a counter hears nothing of the close of its endpoint",
      "io.tagfabric.endpoint.DeferredOperations",
      Edit.empty("close")),
  R01(
      "pieces are taken for one that adjoin in the region and not in the buffer",
      "io.tagfabric.memory.Pieces",
      Edit.jump("add", 4, 0)),
  R02(
      "what a peer has written itself is waited for when the region has closed before its signal",
      "io.tagfabric.memory.MemoryTarget",
      Edit.forget("onWrite", "refuse", 7)),
  N01(
      "a node that is unreachable counts as given up",
      "io.tagfabric.runtime.MembershipNotice",
      Edit.returns("news", News.UNREACHABLE, News.DOWNED)),
  W01(
      "messages of a reference that moves to the fabric overtake those on Akka's remoting",
      "io.tagfabric.actor.Road",
      Edit.jump("bind", 1, 1)),
  W02(
      "what a node has said that has gone is taken for news of the next one at its address",
      "io.tagfabric.node.NodeTable",
      Edit.answer("heard", "isOfAnother", 1, 0)),
  W03(
      "nobody waits until the endpoint of a node that leaves has read what was sent to it",
      "io.tagfabric.actor.RoadHeld",
      Edit.jump("release", 3, 0)),
  W04(
      "an endpoint ends before what was sent to it has come, over a channel that loses nothing",
      "io.tagfabric.link.EndpointLife",
      Edit.answer("tick", "isRead", 1, 0)),
  W05(
      "a flow whose dial has failed ends, although another way leads there",
      "io.tagfabric.link.EndpointCore",
      Edit.answer("onClosed", "goesAnotherWay", 1, 0)),
  A01(
      "the credit of an active request does not come back with its reply",
      "io.tagfabric.active.ActiveAnswer",
      Edit.answer("onEnd", "consumedActive", 1, 0)),
  A02(
      "the credit of a claim that is given up does not come back",
      "io.tagfabric.flow.send.ActiveQueue",
      Edit.empty("giveUp")),
  A03(
      "a peer keeps the credit of requests without a reply, for which all others wait",
      "io.tagfabric.flow.send.ActiveQueue",
      Edit.answer("write", "isScarce", 1, 0)),
  X03(
      "nobody takes up a leader that says nothing, or a loss",
      "io.tagfabric.exit.ExitProtocol",
      Edit.answer("takeUp", "exit", 1, 0)),
  X06(
      "a rank that leaves by its own will ends the job",
      "io.tagfabric.exit.ExitProtocol",
      Edit.argument("onGone", 2, 0)),
  X07(
      "a leader does not step back for a later one that asks for its promise",
      "io.tagfabric.exit.ExitProtocol",
      Edit.answer("onPrepare", "follow", 1, 0)),
  X10(
      "a rank obeys the order of an earlier leader than it has promised",
      "io.tagfabric.exit.ExitProtocol",
      Edit.answer("onExitRequest", "epoch", 1, 0)),
  C06(
      "a member that leaves after it has finished fails what others still do",
      "io.tagfabric.collective.run.TeamControl",
      Edit.answer("onMessage", "calls", 3, 0)),
  C08(
      "a member that is lost is still listened to",
      "io.tagfabric.collective.run.Agreement",
      Edit.answer("received", "get", 1, 0)),
  T01(
      "a message that a member takes back counts as the close of one's own endpoint",
      "io.tagfabric.collective.run.TeamPort",
      Edit.answer("failure", "isOpen", 1, 0)),
  T02(
      "the limit of a member for the length of a message is not looked at",
      "io.tagfabric.collective.run.TeamPort",
      Edit.answer("maxMessageBytes", "maxMessageBytes", 1, Integer.MAX_VALUE));

  /** No run has found these so far: what they spoil is mended by something else, or seldom seen. */
  private static final Set<String> NOT_FOUND = Set.of("e01", "c08");

  private final String what;
  private final String className;
  private final String method;
  private final Edit.Kind kind;
  private final String callee;
  private final int number;
  private final int value;

  Defect(String what, String className, Edit edit) {
    this.what = what;
    this.className = className;
    method = edit.method();
    kind = edit.kind();
    callee = edit.callee();
    number = edit.number();
    value = edit.value();
  }

  /** What people call it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The one that people call so. */
  static Optional<Defect> of(String label) {
    return Arrays.stream(values()).filter(each -> each.label().equals(label)).findFirst();
  }

  /** Those that runs of a few hundred seeds find; the others only make sense by name. */
  static List<Defect> found() {
    return Arrays.stream(values()).filter(each -> !NOT_FOUND.contains(each.label())).toList();
  }

  /** What people call them. */
  static List<String> labels() {
    return Arrays.stream(values()).map(Defect::label).toList();
  }

  /** What goes wrong, for people. */
  String what() {
    return what;
  }

  /** The class that has it. */
  String className() {
    return className;
  }

  /** The class file with the defect. */
  byte[] in(byte[] classFile) {
    return new Edit(method, kind, callee, number, value).apply(className, classFile);
  }
}
