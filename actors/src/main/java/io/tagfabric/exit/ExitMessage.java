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

  /**
   * The leader of an epoch asks, before it orders, whether somebody ends already by another order.
   *
   * @param verdict the one it will order otherwise
   */
  record Prepare(long epoch, Verdict verdict) implements ExitMessage {}

  /**
   * The sender obeys no order of a lower epoch any more.
   *
   * @param epoch the highest it has heard of
   * @param accepted the epoch of the order it ends by, less than {@link ExitOrders#LAST_RESORT} if
   *     by none
   * @param verdict of that order, else the one of the Prepare
   */
  record Promise(long epoch, long accepted, Verdict verdict) implements ExitMessage {}

  /** End, by the order of the leader of an epoch. */
  record ExitRequest(long epoch, Verdict verdict) implements ExitMessage {}

  /**
   * The sender ends, or refuses an order of a lower epoch than one it has heard of.
   *
   * @param epoch the highest it has heard of
   */
  record ExitReply(long epoch) implements ExitMessage {}
}
