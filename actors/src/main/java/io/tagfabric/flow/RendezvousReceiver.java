package io.tagfabric.flow;

import io.tagfabric.flow.send.ControlQueue;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.flow.window.SizeClasses;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.wire.Announced;
import io.tagfabric.wire.MemoryKey;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The receiver's side of messages that ask first: asks for the bytes of those that a receive has
 * taken. Single threaded: the domain's loop.
 */
final class RendezvousReceiver implements Announced {
  private final FlowGate gate;
  private SizeClasses sizes;
  private SharedMemory memory;
  private final ControlQueue control;
  private final FlowCounters counters;

  RendezvousReceiver(
      FlowGate gate,
      SizeClasses sizes,
      SharedMemory memory,
      ControlQueue control,
      FlowCounters counters) {
    this.gate = gate;
    this.sizes = sizes;
    this.memory = memory;
    this.control = control;
    this.counters = counters;
  }

  /** Goes another way from now on; nothing was asked for. */
  void link(SizeClasses others, SharedMemory other) {
    sizes = others;
    memory = other;
  }

  @Override
  public int windowBytes() {
    return sizes.windowBytes();
  }

  @Override
  public long bytesUnderWay() {
    return sizes.bytesUnderWay();
  }

  @Override
  public void clear(
      long message, long receive, long wanted, long clearedTo, long moreBytes, MemoryKey target) {
    if (!gate.isLost()) {
      control.clear(message, receive, wanted, clearedTo, moreBytes, target);
      gate.queueFlush();
    }
  }

  @Override
  public void finish(long message, int errorCode) {
    if (!gate.isLost()) {
      control.finish(message, errorCode);
      gate.queueFlush();
    }
  }

  @Override
  public MemoryKey targetOf(DirectBuffer buffer, int offset, int length) {
    return memory == null ? null : memory.targetOf(buffer, offset, length);
  }

  @Override
  public boolean release(MemoryKey own) {
    return memory.release(own);
  }

  @Override
  public void revoke(MemoryKey own) {
    memory.revoke(own);
  }

  @Override
  public boolean read(
      MemoryKey source, long position, MutableDirectBuffer target, int offset, int length) {
    if (memory == null || !memory.read(source, position, target, offset, length)) {
      return false;
    }
    counters.directBytes += length;
    return true;
  }

  @Override
  public void settled(long bytes) {
    control.settled(bytes);
  }
}
