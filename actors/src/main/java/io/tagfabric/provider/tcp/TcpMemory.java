package io.tagfabric.provider.tcp;

import io.tagfabric.provider.SharedMemory;
import io.tagfabric.provider.tcp.record.Place;
import io.tagfabric.provider.tcp.record.RecordWriter;
import io.tagfabric.wire.MemoryKey;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The bytes of long messages between this node and a peer: they go from the memory of the sender to
 * the socket, and from the socket into the memory of the receive. Thread: the domain's loop.
 */
final class TcpMemory implements SharedMemory {
  private final TcpTraffic traffic;

  TcpMemory(TcpTraffic traffic) {
    this.traffic = traffic;
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
    return length < Place.LEAST_BYTES ? null : traffic.place(buffer, offset, length);
  }

  @Override
  public boolean release(MemoryKey own) {
    return traffic.release(own);
  }

  @Override
  public void revoke(MemoryKey own) {
    traffic.release(own);
  }

  @Override
  public boolean read(
      MemoryKey peers, long position, MutableDirectBuffer target, int targetOffset, int length) {
    return false;
  }

  @Override
  public boolean write(
      MemoryKey peers, long position, DirectBuffer source, int sourceOffset, int length) {
    return traffic.write(peers, position, source, sourceOffset, length);
  }

  @Override
  public boolean hasRoom() {
    return traffic.hasRoom();
  }

  @Override
  public boolean lends(DirectBuffer buffer, int length) {
    return RecordWriter.lends(buffer, length);
  }

  @Override
  public void copyLent() {
    traffic.copyLent();
  }
}
