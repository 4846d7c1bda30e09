package io.tagfabric.collective.run;

import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.SendListener;
import io.tagfabric.match.ReceiveListener;

/**
 * How a {@link TeamControl} reaches the members. Only passes of the loop use it; the listener of a
 * transfer is also the context by which it is cancelled.
 */
interface ControlPort {
  Members members();

  /** Tells a member something about the team itself. The listener may fail before this returns. */
  void sendControl(int member, byte[] message, SendListener listener);

  /** Waits for what any member says about the team itself. */
  void receiveControl(int maxLength, ReceiveListener listener);

  /** Waits for nothing: it fails when the member is lost. */
  void watch(int member, ReceiveListener listener);

  /** Ends the transfer with this listener, if it has not ended. */
  void cancel(Object listener);

  /** Whatever comes for the team from now on, or has come, is dropped. */
  void dropLate();

  /** What a failed transfer says about a member. */
  TeamFailure failure(int member, Completion.Failed failure);
}
