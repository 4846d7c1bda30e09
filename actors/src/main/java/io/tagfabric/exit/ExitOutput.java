package io.tagfabric.exit;

import io.tagfabric.annotation.InternalApi;

/** What an {@link ExitProtocol} makes happen; none of it may block or call back. */
@InternalApi
public interface ExitOutput {
  /** Sends a message to another rank; it may be lost. */
  void send(int rank, ExitMessage message);

  /** Runs the exit hooks elsewhere; {@link ExitProtocol#onHooksDone} says when they are over. */
  void runHooks(ExitNotice notice);

  /** Ends this rank; called once, and the protocol goes on answering ranks that are late. */
  void end(ExitResult result);
}
