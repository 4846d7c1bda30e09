package io.tagfabric.collective.run;

import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.EndpointPort;
import io.tagfabric.endpoint.SendListener;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.tag.TagSelector;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends to members of a team and receives from them, by rank. Only passes of the loop use it; the
 * listener of a transfer is also the context by which it is cancelled.
 */
final class TeamPort implements ControlPort {
  private static final int CHECK_LANE = CollectiveTags.LANES - 1;

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

  /** A lane of a call: what of it may be under way at the same time. */
  record Lane(long epoch, int number) {
    /** That of a segment; far from it the numbers repeat. */
    static Lane ofSegment(long epoch, int segment) {
      return new Lane(epoch, segment % CHECK_LANE);
    }

    /** That of the comparison of calls. */
    static Lane ofCheck(long epoch) {
      return new Lane(epoch, CHECK_LANE);
    }

    private long tag(int team) {
      return CollectiveTags.step(team, epoch, number);
    }
  }

  void send(
      int member, Lane lane, DirectBuffer buffer, int offset, int length, SendListener listener) {
    long tag = lane.tag(members.numberAt(member));
    port.send(members.peer(member), tag, buffer, offset, length, listener);
  }

  void receive(int member, Lane lane, int maxLength, ReceiveListener listener) {
    receive(member, lane.tag(members.number()), maxLength, listener);
  }

  private void receive(int member, long tag, int maxLength, ReceiveListener listener) {
    port.receive(TagSelector.exact(tag).from(members.peer(member)), maxLength, listener);
  }

  @Override
  public void sendControl(int member, byte[] message, SendListener listener) {
    long tag = CollectiveTags.control(members.numberAt(member));
    port.send(members.peer(member), tag, new UnsafeBuffer(message), 0, message.length, listener);
  }

  @Override
  public void receiveControl(int maxLength, ReceiveListener listener) {
    port.receive(TagSelector.exact(CollectiveTags.control(members.number())), maxLength, listener);
  }

  @Override
  public void watch(int member, ReceiveListener listener) {
    receive(member, CollectiveTags.watch(members.number()), 0, listener);
  }

  @Override
  public void cancel(Object listener) {
    if (listener instanceof SendListener sender) {
      port.cancelSend(sender);
    } else {
      port.cancelReceive(listener);
    }
  }

  /** Messages of schedules that come from now on, or have come, are dropped. */
  void dropLateSteps() {
    members.numbers().breakUp(members.number());
    members.numbers().discardLate(members.endpoint());
  }

  @Override
  public void dropLate() {
    members.numbers().free(members.number());
    members.numbers().discardLate(members.endpoint());
  }

  /**
   * What a failed transfer says about a member. A cancelled one is this member's own doing if its
   * endpoint closes; else the sender has taken the message back, because the team is broken there,
   * which says nothing about who is alive.
   */
  @Override
  public TeamFailure failure(int member, Completion.Failed failure) {
    return switch (failure.error()) {
      case CANCELED ->
          members.endpoint().isOpen()
              ? TeamFailure.atFault(
                  member, FabricError.BAD_STATE, "gave up its call: " + failure.detail())
              : TeamFailure.lost(
                  members.rank(), FabricError.CANCELED, "has closed: " + failure.detail());
      case SHUTDOWN -> TeamFailure.left(member, failure.detail());
      default -> TeamFailure.lost(member, failure.error(), "failed: " + failure.detail());
    };
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
