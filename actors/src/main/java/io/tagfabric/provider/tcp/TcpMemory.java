package io.tagfabric.provider.tcp;

import io.tagfabric.provider.SharedMemory;
import io.tagfabric.wire.MemoryKey;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The bytes of long messages between this node and a peer: they go from the memory of the sender to
 * the socket, and from the socket into the memory of the receive. Thread: the domain's loop.
 */
final class TcpMemory implements SharedMemory {
  /** Fewer are copied: that costs less than to read and write them by themselves. */
  static final int LEAST_BYTES = 16 * 1024;

  private final TcpPeer peer;

  TcpMemory(TcpPeer peer) {
    this.peer = peer;
  }

  @Override
  public int leastBytes() {
    return Integer.MAX_VALUE;
  }

  /** A peer reads nothing by itself. */
  @Override
  public MemoryKey keyOf(DirectBuffer buffer, int offset, int length) {
    return null;
  }

  @Override
  public MemoryKey targetOf(DirectBuffer buffer, int offset, int length) {
    return length < LEAST_BYTES ? null : peer.place(buffer, offset, length);
  }

  @Override
  public boolean release(MemoryKey own) {
    return peer.release(own);
  }

  @Override
  public void revoke(MemoryKey own) {
    peer.release(own);
  }

  @Override
  public boolean read(
      MemoryKey peers, long position, MutableDirectBuffer target, int targetOffset, int length) {
    return false;
  }

  @Override
  public boolean write(
      MemoryKey peers, long position, DirectBuffer source, int sourceOffset, int length) {
    return peer.write(peers, position, source, sourceOffset, length);
  }

  @Override
  public boolean hasRoom() {
    return peer.hasRoom();
  }

  @Override
  public boolean lends(DirectBuffer buffer, int length) {
    return length >= LEAST_BYTES && NioViews.has(buffer);
  }

  @Override
  public void copyLent() {
    peer.copyLent();
  }
}
