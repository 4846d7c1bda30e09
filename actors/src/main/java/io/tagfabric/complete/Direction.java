package io.tagfabric.complete;

/**
 * Which way the bytes of an operation went, and which side started it.
 *
 * <p>Seen from the program that reads the completion. A message is tagged or not, which its
 * completion says; the direction is the same.
 *
 * @source libfabric fi_cq(3), completion flags: each combination of FI_MSG, FI_TAGGED, FI_RMA or
 *     FI_ATOMIC with FI_SEND, FI_RECV, FI_READ, FI_WRITE, FI_REMOTE_READ or FI_REMOTE_WRITE
 */
public enum Direction {
  /** A message to a peer. */
  SEND,
  /** A message from a peer. */
  RECEIVE,
  /** This side fetched bytes from a peer's memory. */
  READ,
  /** This side put bytes into a peer's memory. */
  WRITE,
  /** This side updated elements of a peer's memory, whether or not it fetched their old values. */
  ATOMIC,
  /** A peer fetched bytes from memory of this side. */
  REMOTE_READ,
  /** A peer put bytes into memory of this side. */
  REMOTE_WRITE,
  /** A peer updated elements of memory of this side, whether or not it fetched the old values. */
  REMOTE_ATOMIC;

  /** Whether it is that of a message, and not of an access to memory. */
  boolean isMessage() {
    return this == SEND || this == RECEIVE;
  }

  /** Whether a peer accessed memory of this side, so that no operation of this side ended. */
  boolean isRemote() {
    return this == REMOTE_READ || this == REMOTE_WRITE || this == REMOTE_ATOMIC;
  }

  /** Refuses all but READ, WRITE and ATOMIC. */
  void requireAccess() {
    if (isMessage() || isRemote()) {
      throw new IllegalArgumentException(
          "direction=" + this + " is no access of this side, give READ, WRITE or ATOMIC");
    }
  }

  /** Refuses all but REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC. */
  void requireRemote() {
    if (!isRemote()) {
      throw new IllegalArgumentException(
          "direction="
              + this
              + " is no access by a peer, give REMOTE_READ, REMOTE_WRITE or REMOTE_ATOMIC");
    }
  }
}
