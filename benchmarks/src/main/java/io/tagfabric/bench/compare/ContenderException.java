package io.tagfabric.bench.compare;

/** A contender has not played; the message says why, in one sentence. */
public final class ContenderException extends Exception {
  private static final long serialVersionUID = 1;

  public ContenderException(String message) {
    super(message);
  }

  public ContenderException(String message, Throwable cause) {
    super(message, cause);
  }
}
