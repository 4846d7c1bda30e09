package io.tagfabric.bench.compare;

/** A contender has not played; the message says why, in one sentence. */
final class ContenderException extends Exception {
  private static final long serialVersionUID = 1;

  ContenderException(String message) {
    super(message);
  }

  ContenderException(String message, Throwable cause) {
    super(message, cause);
  }
}
