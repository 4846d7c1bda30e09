package io.tagfabric.exit;

/** The orders to end, of the highest epoch a rank knows. */
final class ExitOrders {
  private final RankSets ranks;
  private final ExitMail mail;
  private final Verdicts verdicts;
  private long epoch = -1;

  ExitOrders(RankSets ranks, ExitMail mail, Verdicts verdicts) {
    this.ranks = ranks;
    this.mail = mail;
    this.verdicts = verdicts;
  }

  long epoch() {
    return epoch;
  }

  void raise(long to) {
    epoch = Math.max(epoch, to);
  }

  void tell(int rank) {
    mail.send(rank, order());
  }

  /** Tells a rank that was told before, or that others should have told. */
  void repeat(int rank) {
    mail.again(rank, order());
  }

  void repeatToSilent() {
    ranks.unanswered().forEach(this::repeat);
  }

  private ExitMessage.ExitRequest order() {
    return new ExitMessage.ExitRequest(epoch, verdicts.current());
  }
}
