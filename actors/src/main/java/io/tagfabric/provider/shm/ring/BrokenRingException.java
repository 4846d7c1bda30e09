package io.tagfabric.provider.shm.ring;

/** A ring holds what no sender of this version writes; nothing more can be read from it. */
public final class BrokenRingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BrokenRingException(String message) {
    super(message);
  }
}
