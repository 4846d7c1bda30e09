package io.tagfabric.collective.run;

import io.tagfabric.error.FabricError;
import io.tagfabric.link.NoteDesk;
import io.tagfabric.match.ReceiveListener;

/**
 * How a {@link TeamControl} reaches the members. Only passes of the loop use it; the listener of a
 * transfer is also the context by which it is cancelled.
 */
interface ControlPort {
  Members members();

  /**
   * Tells a member something about the team itself. It goes as a note: messages of collectives that
   * the member has not called yet do not keep it back, however few credits there are. It may fail
   * before this returns.
   */
  void sendControl(int member, byte[] message, NoteDesk.Failure onFailed);

  /** Takes what members say about the team itself, also what they said before. */
  void receiveControl(NoteDesk.Reader reader);

  /** Waits for nothing: it fails when this member's endpoint closes. */
  void watchOwn(ReceiveListener listener);

  /** Waits for nothing: it fails when the member is lost. */
  void watch(int member, ReceiveListener listener);

  /** Ends the transfer with this listener, if it has not ended. */
  void cancel(Object listener);

  /** Whatever comes for the team from now on, or has come, is dropped. */
  void dropLate();

  /** What the end of a flow says about its member. */
  TeamFailure failure(int member, FabricError error, String detail);
}
