package io.tagfabric.exit;

import io.tagfabric.annotation.InternalApi;

/** What ranks tell each other at the end of a job. */
@InternalApi
public sealed interface ExitMessage {
  /**
   * A step of the reduction.
   *
   * @param view which ranks the sender believes to take part
   * @param round number of the step, from 0
   * @param verdict of all whom the sender has heard of
   */
  record Reduce(long view, int round, Verdict verdict) implements ExitMessage {}

  /**
   * The sender wants to lead the end of the job.
   *
   * @param knowsAll whether it knows where all other ranks are
   */
  record ElectRequest(boolean knowsAll, Verdict verdict) implements ExitMessage {}

  /** The leader and its epoch; an epoch has one leader. */
  record ElectReply(long epoch, int leader) implements ExitMessage {}

  /** End, by the order of the leader of an epoch. */
  record ExitRequest(long epoch, Verdict verdict) implements ExitMessage {}

  /**
   * The sender ends.
   *
   * @param epoch the highest it obeys
   */
  record ExitReply(long epoch) implements ExitMessage {}
}
