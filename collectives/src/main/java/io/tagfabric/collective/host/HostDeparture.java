package io.tagfabric.collective.host;

/** A member that is waited for has left. */
public final class HostDeparture extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int member;

  HostDeparture(int member) {
    super("has left it");
    this.member = member;
  }

  /** Who it is. */
  public int member() {
    return member;
  }
}
