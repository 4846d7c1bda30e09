package io.tagfabric.exit;

import io.tagfabric.annotation.InternalApi;

/**
 * How many messages of each kind a rank has sent, those to itself included and those sent again
 * apart.
 *
 * <p>Over all N ranks that live, the reduction takes {@code N * ceil(log2 N)} when all end
 * together. Otherwise election and order take 2N to 4N - 2, and Prepare and Promise 2N - 2 more,
 * unless the leader is the first that rank 0 has named and has not begun a reduction.
 *
 * @source ibv-conduit README, "Graceful exits"
 */
@InternalApi
public record ExitCounters(
    int reduce,
    int electRequest,
    int electReply,
    int prepare,
    int promise,
    int exitRequest,
    int exitReply,
    int again) {
  static final ExitCounters NONE = new ExitCounters(0, 0, 0, 0, 0, 0, 0, 0);

  /** Messages of the election, of the preparation and of the order to end. */
  public int ofElection() {
    return electRequest + electReply + prepare + promise + exitRequest + exitReply;
  }

  ExitCounters plus(ExitMessage message) {
    return new ExitCounters(
        reduce + one(message, ExitMessage.Reduce.class),
        electRequest + one(message, ExitMessage.ElectRequest.class),
        electReply + one(message, ExitMessage.ElectReply.class),
        prepare + one(message, ExitMessage.Prepare.class),
        promise + one(message, ExitMessage.Promise.class),
        exitRequest + one(message, ExitMessage.ExitRequest.class),
        exitReply + one(message, ExitMessage.ExitReply.class),
        again);
  }

  private static int one(ExitMessage message, Class<? extends ExitMessage> kind) {
    return kind.isInstance(message) ? 1 : 0;
  }

  ExitCounters plusAgain() {
    return new ExitCounters(
        reduce, electRequest, electReply, prepare, promise, exitRequest, exitReply, again + 1);
  }
}
