package io.tagfabric.exit;

/** The order this rank ends by, and the highest epoch it has heard of: it obeys no lower one. */
final class ExitOrders {
  /** What a rank ends by to which nobody has told anything in time. */
  static final long LAST_RESORT = -2;

  /** What ranks end by that have agreed in a reduction. */
  static final long REDUCTION = -1;

  private static final long NONE = -3;

  private final RankSets ranks;
  private final ExitMail mail;
  private final Verdicts verdicts;
  private long epoch = LAST_RESORT;
  private long accepted = NONE;

  ExitOrders(RankSets ranks, ExitMail mail, Verdicts verdicts) {
    this.ranks = ranks;
    this.mail = mail;
    this.verdicts = verdicts;
  }

  /** The highest heard of. */
  long epoch() {
    return epoch;
  }

  /** The one this rank ends by. */
  long accepted() {
    return accepted;
  }

  void raise(long to) {
    epoch = Math.max(epoch, to);
  }

  /** This rank ends by the order of an epoch, with the current verdict. */
  void accept(long ofEpoch) {
    raise(ofEpoch);
    accepted = ofEpoch;
  }

  boolean hasAccepted() {
    return accepted != NONE;
  }

  /** What a leader gets that prepares. */
  ExitMessage.Promise promise(ExitMessage.Prepare prepare) {
    return new ExitMessage.Promise(
        epoch, accepted, hasAccepted() ? verdicts.current() : prepare.verdict());
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
    return new ExitMessage.ExitRequest(accepted, verdicts.current());
  }
}
