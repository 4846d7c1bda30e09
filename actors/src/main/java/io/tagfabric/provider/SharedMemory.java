package io.tagfabric.provider;

import io.tagfabric.wire.MemoryKey;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Bytes of long messages that do not travel in packets: one side names where they lie or shall lie,
 * and the other reads or writes them there. Thread: the domain's loop.
 *
 * <p>A key is good until its owner revokes it. A reader finds out afterwards that the bytes may
 * have changed meanwhile; a writer looks before.
 */
public interface SharedMemory {
  /** So long is the shortest message of this side that the peer reads where it lies. */
  int leastBytes();

  /**
   * Names bytes of this side for the peer; null if they lie in memory the peer cannot reach, or are
   * fewer than {@link #leastBytes}.
   */
  MemoryKey keyOf(DirectBuffer buffer, int offset, int length);

  /**
   * Names bytes of this side that the peer shall write; null if it cannot, or they are too few. To
   * be ended by {@link #release} or {@link #revoke}.
   */
  default MemoryKey targetOf(DirectBuffer buffer, int offset, int length) {
    return keyOf(buffer, offset, length);
  }

  /**
   * The peer has said that it has written all bytes of a {@link #targetOf target}.
   *
   * @return false if they could not be put there
   */
  default boolean release(MemoryKey own) {
    return true;
  }

  /** From now on no key to the same memory is good; later ones are. */
  void revoke(MemoryKey own);

  /**
   * Copies bytes of the peer.
   *
   * @param position where to begin, counted from the key's first byte
   * @return false if they cannot be read, or the key was revoked before the copy was complete
   */
  boolean read(
      MemoryKey peers, long position, MutableDirectBuffer target, int targetOffset, int length);

  /**
   * Writes bytes to the peer's memory. They are there before anything that is offered to the
   * channel later.
   *
   * @param position where to begin, counted from the key's first byte
   * @return false if nothing was written, because the peer's memory is gone or the key revoked
   */
  boolean write(MemoryKey peers, long position, DirectBuffer source, int sourceOffset, int length);

  /** Whether {@link #write} may be called now; if not, later. */
  default boolean hasRoom() {
    return true;
  }

  /**
   * Whether {@link #write} lends bytes of a buffer instead of copying them: they must stay as they
   * are until the peer has said that it has them all, or until {@link #copyLent}.
   */
  default boolean lends(DirectBuffer buffer, int length) {
    return false;
  }

  /** Copies what is still lent, since the program may change it from now on. */
  default void copyLent() {}
}
