package io.tagfabric.collective.run;

import io.tagfabric.endpoint.EndpointPort;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.NoteDesk;
import io.tagfabric.link.send.RepeatedSend;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.RepeatedReceive;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Sends to members of a team and receives from them, by rank. Only passes of the loop use it; the
 * listener of a transfer is also the context by which it is cancelled.
 */
final class TeamPort implements ControlPort {
  /** The lane of the comparison of calls. */
  static final int CHECK_LANE = CollectiveTags.LANES - 1;

  private final Members members;
  private final EndpointPort port;

  TeamPort(Members members) {
    this.members = members;
    this.port = members.endpoint().port();
  }

  @Override
  public Members members() {
    return members;
  }

  /** The lane of a segment; far from it the numbers repeat. */
  static int laneOfSegment(int segment) {
    return segment % CHECK_LANE;
  }

  /** A send to a member, to be begun with. */
  RepeatedSend sendTo(int member, RepeatedSend.Listener listener) {
    return new RepeatedSend(members.peer(member), listener);
  }

  /** A receive of a message that fills a buffer, to be posted. */
  RepeatedReceive receiveFrom(
      int member, MutableDirectBuffer buffer, RepeatedReceive.Listener listener) {
    return new RepeatedReceive(members.peer(member), buffer, 0, buffer.capacity(), listener);
  }

  /**
   * Sends a message of a call.
   *
   * @param lane tells apart what of the call may be under way at the same time
   */
  void send(
      RepeatedSend send,
      int member,
      long epoch,
      int lane,
      DirectBuffer buffer,
      int offset,
      int length) {
    long tag = CollectiveTags.step(members.numberAt(member), epoch, lane);
    port.send(send, tag, buffer, offset, length);
  }

  /** Longest message that goes between this member and another; 0 unless their flow is open. */
  int maxMessageBytes(int member) {
    return port.maxMessageBytes(members.peer(member));
  }

  /** Whether there is a flow with a member that is not lost. */
  boolean reaches(int member) {
    return port.reaches(members.peer(member));
  }

  /** Sets up the flow to a member; ends with null, or with the reason why there is none. */
  void connect(int member, Consumer<FabricException> onEnd) {
    port.connect(members.peer(member), onEnd);
  }

  /** Posts a receive of a message of a call. */
  void receive(RepeatedReceive receive, long epoch, int lane) {
    port.receive(receive, CollectiveTags.step(members.number(), epoch, lane));
  }

  /**
   * Tells a member something about the team itself. It goes as a note: messages of collectives that
   * the member has not called yet do not keep it back, however few credits there are.
   */
  @Override
  public void sendControl(int member, byte[] message, NoteDesk.Failure onFailed) {
    port.sendNote(members.peer(member), members.numberAt(member), message, onFailed);
  }

  /** Takes what members say about the team itself, also what they said before. */
  @Override
  public void receiveControl(NoteDesk.Reader reader) {
    port.receiveNotes(members.number(), reader);
  }

  /** Waits for nothing: it fails when this member's endpoint closes. */
  @Override
  public void watchOwn(ReceiveListener listener) {
    long tag = CollectiveTags.control(members.number());
    port.receive(
        TaggedReceive.of(TagSelector.exact(tag)).atMost(ControlMessage.MAX_LENGTH_BYTES), listener);
  }

  @Override
  public void watch(int member, ReceiveListener listener) {
    long tag = CollectiveTags.watch(members.number());
    port.receive(
        TaggedReceive.of(TagSelector.exact(tag).from(members.peer(member))).atMost(0), listener);
  }

  @Override
  public void cancel(Object listener) {
    if (listener instanceof RepeatedSend.Listener) {
      port.cancelSend(listener);
    } else {
      port.cancelReceive(listener);
    }
  }

  /** Messages of schedules that come from now on, or have come, are dropped. */
  void dropLateSteps() {
    members.numbers().breakUp(members.number());
    members.numbers().discardLate(members.endpoint());
  }

  /** Whatever comes for the team from now on, or has come, is dropped. */
  @Override
  public void dropLate() {
    port.endNotes(members.number());
    members.numbers().free(members.number());
    port.discardNotes(members.numbers()::isOver);
    members.numbers().discardLate(members.endpoint());
  }

  /**
   * What the end of a flow says about its member. A cancelled one is this member's own doing if its
   * endpoint closes; else the sender has taken the message back, because the team is broken there,
   * which says nothing about who is alive.
   */
  @Override
  public TeamFailure failure(int member, FabricError error, String detail) {
    return switch (error) {
      case CANCELED ->
          members.endpoint().isOpen()
              ? TeamFailure.atFault(member, FabricError.BAD_STATE, "gave up its call: " + detail)
              : TeamFailure.lost(members.rank(), FabricError.CANCELED, "has closed: " + detail);
      case SHUTDOWN -> TeamFailure.left(member, detail);
      default -> TeamFailure.lost(member, error, "failed: " + detail);
    };
  }

  /**
   * What a failed send says. If the flow goes on, it is this side that has refused the message, and
   * the member that it was for has done nothing.
   */
  TeamFailure sendFailure(int member, FabricError error, String detail) {
    return isOfFlow(member, error)
        ? failure(member, error, detail)
        : TeamFailure.atFault(
            members.rank(), error, "cannot send to " + members.named(member) + ": " + detail);
  }

  /** What a failed receive says. If the flow goes on, its sender has taken the message back. */
  TeamFailure receiveFailure(int member, FabricError error, String detail) {
    return isOfFlow(member, error)
        ? failure(member, error, detail)
        : TeamFailure.atFault(
            member, error, "cannot send to " + members.named(members.rank()) + ": " + detail);
  }

  private boolean isOfFlow(int member, FabricError error) {
    return error == FabricError.CANCELED || error == FabricError.SHUTDOWN || !reaches(member);
  }

  /** A member has sent another number of bytes than this one expects. */
  TeamFailure lengthMismatch(int member, int lengthBytes, int wantedBytes) {
    return TeamFailure.atFault(
        member,
        FabricError.INVALID,
        "sent "
            + (lengthBytes < 0 ? "more" : Integer.toString(lengthBytes))
            + " bytes where rank "
            + members.rank()
            + " expects "
            + wantedBytes
            + ", call the same collective with the same count everywhere");
  }
}
