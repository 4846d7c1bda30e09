package io.tagfabric.collective.host;

/** A member has called something else than this one; what, only it knows. */
public final class CallMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int member;

  CallMismatchException(int member) {
    super("member " + member + " has called something else");
    this.member = member;
  }

  /** The member's place. */
  public int member() {
    return member;
  }
}
