package io.tagfabric.exit;

import io.tagfabric.annotation.InternalApi;

/**
 * How many messages of each kind a rank has sent, those to itself included and those sent again
 * apart.
 *
 * <p>Over all N ranks that live, the first five are {@code N * ceil(log2 N)} when all end together,
 * and 2N to 4N - 2 without the reduction otherwise.
 *
 * @source ibv-conduit README, "Graceful exits"
 */
@InternalApi
public record ExitCounters(
    int reduce, int electRequest, int electReply, int exitRequest, int exitReply, int again) {
  static final ExitCounters NONE = new ExitCounters(0, 0, 0, 0, 0, 0);

  /** Messages of the election and of the order to end. */
  public int ofElection() {
    return electRequest + electReply + exitRequest + exitReply;
  }

  ExitCounters plus(ExitMessage message) {
    int[] count = {reduce, electRequest, electReply, exitRequest, exitReply};
    if (message instanceof ExitMessage.Reduce) {
      count[0]++;
    } else if (message instanceof ExitMessage.ElectRequest) {
      count[1]++;
    } else if (message instanceof ExitMessage.ElectReply) {
      count[2]++;
    } else if (message instanceof ExitMessage.ExitRequest) {
      count[3]++;
    } else {
      count[4]++;
    }
    return new ExitCounters(count[0], count[1], count[2], count[3], count[4], again);
  }

  ExitCounters plusAgain() {
    return new ExitCounters(reduce, electRequest, electReply, exitRequest, exitReply, again + 1);
  }
}
