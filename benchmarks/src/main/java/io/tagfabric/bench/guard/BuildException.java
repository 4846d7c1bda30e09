package io.tagfabric.bench.guard;

/** A build did not measure what it was asked for; the message says why. */
final class BuildException extends Exception {
  private static final long serialVersionUID = 1L;

  BuildException(String message) {
    super(message);
  }

  BuildException(String message, Throwable cause) {
    super(message, cause);
  }
}
