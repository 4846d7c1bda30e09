package io.tagfabric.active;

/** How an active request has ended well. Immutable. */
public final class ActiveReply {
  private final int[] arguments;
  private final byte[] payload;

  ActiveReply(int[] arguments, byte[] payload) {
    this.arguments = arguments;
    this.payload = payload;
  }

  /** How many arguments the handler has replied. */
  public int argumentCount() {
    return arguments.length;
  }

  /**
   * One of its arguments.
   *
   * @throws IndexOutOfBoundsException if there is none of this index
   */
  public int argument(int index) {
    return arguments[index];
  }

  /** A copy of its payload. */
  public byte[] payload() {
    return payload.clone();
  }
}
