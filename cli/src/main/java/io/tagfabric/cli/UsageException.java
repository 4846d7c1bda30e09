package io.tagfabric.cli;

/** A mistake of the person at the keyboard; the message says what to do instead. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
