package io.tagfabric.exit;

import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * What a leader does before it orders: it learns from the others by which order they end already,
 * and takes the verdict of the latest.
 *
 * @source Lamport: Paxos Made Simple (2001), phase 1, with time limits instead of a majority
 */
final class Preparation {
  private final RankSets ranks;
  private final ExitMail mail;
  private final ExitOrders orders;
  private final Verdicts verdicts;
  private final BitSet promised = new BitSet();
  private long latest;

  Preparation(RankSets ranks, ExitMail mail, ExitOrders orders, Verdicts verdicts) {
    this.ranks = ranks;
    this.mail = mail;
    this.orders = orders;
    this.verdicts = verdicts;
  }

  /** Asks all others, for the highest epoch this rank knows, which is its own. */
  void begin() {
    promised.clear();
    latest = orders.accepted();
    ranks.others().forEach(this::ask);
  }

  void ask(int rank) {
    mail.send(rank, prepare());
  }

  /** Asks those again that have not answered. */
  void again() {
    silent().forEach(rank -> mail.again(rank, prepare()));
  }

  void hear(int from, ExitMessage.Promise promise) {
    promised.set(from);
    if (promise.accepted() > latest) {
      latest = promise.accepted();
      verdicts.take(promise.verdict());
    }
  }

  boolean isDone() {
    return silent().findAny().isEmpty();
  }

  private IntStream silent() {
    return ranks.others().filter(rank -> !promised.get(rank));
  }

  private ExitMessage.Prepare prepare() {
    return new ExitMessage.Prepare(orders.epoch(), verdicts.current());
  }
}
