package io.tagfabric.provider;

import io.tagfabric.wire.MemoryKey;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The memory that both ends of a channel reach: each reads and writes what the other has exported.
 * Thread: the domain's loop.
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
   * Copies bytes to the peer.
   *
   * @param position where to begin, counted from the key's first byte
   * @return false if nothing was written, because the peer's memory is gone or the key revoked
   */
  boolean write(MemoryKey peers, long position, DirectBuffer source, int sourceOffset, int length);
}
