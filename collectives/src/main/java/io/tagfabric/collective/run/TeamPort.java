package io.tagfabric.collective.run;

import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.EndpointPort;
import io.tagfabric.endpoint.SendListener;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.tag.TagSelector;
import org.agrona.DirectBuffer;

/**
 * Sends to members of a team and receives from them, by rank. Only passes of the loop use it; the
 * listener of a transfer is also the context by which it is cancelled.
 */
final class TeamPort {
  private static final int CHECK_LANE = CollectiveTags.LANES - 1;

  private final Members members;
  private final EndpointPort port;

  TeamPort(Members members) {
    this.members = members;
    this.port = members.endpoint().port();
  }

  Members members() {
    return members;
  }

  /** The tag of a segment of a call; far from it the numbers repeat. */
  long segmentTag(long epoch, int segment) {
    return CollectiveTags.step(members.context(), epoch, segment % CHECK_LANE);
  }

  /** The tag of the comparison of calls. */
  long checkTag(long epoch) {
    return CollectiveTags.step(members.context(), epoch, CHECK_LANE);
  }

  void send(
      int member, long tag, DirectBuffer buffer, int offset, int length, SendListener listener) {
    port.send(members.peer(member), tag, buffer, offset, length, listener);
  }

  void receive(int member, long tag, int maxLength, ReceiveListener listener) {
    port.receive(TagSelector.exact(tag).from(members.peer(member)), maxLength, listener);
  }

  void receiveFromAny(long tag, int maxLength, ReceiveListener listener) {
    port.receive(TagSelector.exact(tag), maxLength, listener);
  }

  /** Ends the transfer with this listener, if it has not ended. */
  void cancel(Object listener) {
    if (listener instanceof SendListener sender) {
      port.cancelSend(sender);
    } else {
      port.cancelReceive(listener);
    }
  }

  /** Takes all messages of schedules that come from now on, and drops them. */
  void dropLateSteps() {
    drop(
        TagSelector.masked(CollectiveTags.step(members.context(), 0, 0), CollectiveTags.anyStep()));
  }

  /** The same with what members tell one another about the team. */
  void dropLateControl() {
    drop(TagSelector.exact(CollectiveTags.control(members.context())));
  }

  private void drop(TagSelector selector) {
    members
        .endpoint()
        .matcher()
        .tell(
            new TagMatcher.Subscribe(
                selector,
                Integer.MAX_VALUE,
                members.domain().fabric().system().ignoreRef(),
                members.domain().fabric().system().ignoreRef()));
  }

  /**
   * What a failed transfer says about a member. A cancelled one is this member's own doing if its
   * endpoint closes; else the sender has taken the message back, because the team is broken there,
   * which says nothing about who is alive.
   */
  TeamFailure failure(int member, Completion.Failed failure) {
    if (failure.error() != FabricError.CANCELED) {
      return new TeamFailure(member, failure.error(), "failed: " + failure.detail());
    }
    return members.endpoint().isOpen()
        ? new TeamFailure(member, FabricError.BAD_STATE, "gave up its call: " + failure.detail())
        : new TeamFailure(members.rank(), FabricError.CANCELED, "has closed: " + failure.detail());
  }

  /** A member has sent another number of bytes than this one expects. */
  TeamFailure lengthMismatch(int member, int lengthBytes, int wantedBytes) {
    return new TeamFailure(
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
