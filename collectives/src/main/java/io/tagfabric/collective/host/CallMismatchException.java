package io.tagfabric.collective.host;

/** A member has called something else than this one. */
public final class CallMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int member;

  CallMismatchException(int member, long theirs, long ours) {
    super(
        "calls ["
            + SharedCall.describe(theirs)
            + "] where ["
            + SharedCall.describe(ours)
            + "] is called");
    this.member = member;
  }

  /** The member's rank. */
  public int member() {
    return member;
  }
}
