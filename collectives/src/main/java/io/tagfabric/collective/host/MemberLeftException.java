package io.tagfabric.collective.host;

/** A member that is waited for has left. */
public final class MemberLeftException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int member;

  MemberLeftException(int member) {
    super("has left it");
    this.member = member;
  }

  /** The member's rank. */
  public int member() {
    return member;
  }
}
