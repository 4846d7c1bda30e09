package io.tagfabric.provider.shm;

/** A ring holds what no sender of this version writes; nothing more can be read from it. */
final class BrokenRingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenRingException(String message) {
    super(message);
  }
}
