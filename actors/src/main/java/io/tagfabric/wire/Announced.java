package io.tagfabric.wire;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Brings the bytes of messages that a peer has announced and a receive has taken. Single threaded:
 * the domain's loop.
 */
public interface Announced {
  /** A message is asked for by so many bytes at a time. */
  int windowBytes();

  /** Bytes of one message that may be under way. */
  long bytesUnderWay();

  /**
   * Asks for bytes of a message.
   *
   * @param wanted bytes wanted in all
   * @param clearedTo bytes before this position may be sent now
   * @param moreBytes that this asks for beyond what was asked before
   * @param target where the sender may write them itself, null if nowhere
   */
  void clear(
      long message, long receive, long wanted, long clearedTo, long moreBytes, MemoryKey target);

  /**
   * Tells the sender how the receive that took its message has ended.
   *
   * @param errorCode 0 if the bytes wanted are in its buffer
   */
  void finish(long message, int errorCode);

  /**
   * Names bytes of this side that the peer can write itself; null if it cannot reach them. To be
   * ended by {@link #release} or {@link #revoke}.
   */
  MemoryKey targetOf(DirectBuffer buffer, int offset, int length);

  /**
   * The peer says that it has written all bytes of a {@link #targetOf target}.
   *
   * @return false if they are not there
   */
  boolean release(MemoryKey own);

  /** The peer must not write into this side's memory any more by a key of {@link #targetOf}. */
  void revoke(MemoryKey own);

  /**
   * Reads bytes of the peer's memory.
   *
   * @return false if they must be asked for instead
   */
  boolean read(MemoryKey source, long position, MutableDirectBuffer target, int offset, int length);

  /** So many bytes that were asked for have come, or never will. */
  void settled(long bytes);
}
