package io.tagfabric.flow;

import io.tagfabric.provider.SharedMemory;
import io.tagfabric.wire.MemoryKey;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The receiver's side of messages that ask first: brings the bytes of those that a receive has
 * taken. Single threaded: the domain's loop.
 */
public final class RendezvousReceiver {
  private final Flow flow;
  private final SizeClasses sizes;
  private final SharedMemory memory;
  private final ControlQueue control;
  private final FlowCounters counters;

  RendezvousReceiver(
      Flow flow,
      SizeClasses sizes,
      SharedMemory memory,
      ControlQueue control,
      FlowCounters counters) {
    this.flow = flow;
    this.sizes = sizes;
    this.memory = memory;
    this.control = control;
    this.counters = counters;
  }

  /** How messages of this flow travel by their length. */
  public SizeClasses sizes() {
    return sizes;
  }

  /**
   * Asks the sender of a request for bytes of its message.
   *
   * @param wanted bytes wanted in all
   * @param clearedTo bytes before this position may be sent now
   * @param moreBytes that this asks for beyond what was asked before
   * @param target where the sender may write them itself, null if nowhere
   */
  public void clearToSend(
      long message, long receive, long wanted, long clearedTo, long moreBytes, MemoryKey target) {
    if (!flow.isLost()) {
      control.clear(message, receive, wanted, clearedTo, moreBytes, target);
      flow.queueFlush();
    }
  }

  /**
   * Tells the sender of a request how the receive that took its message has ended.
   *
   * @param errorCode 0 if the bytes wanted are in its buffer
   */
  public void finish(long message, int errorCode) {
    if (!flow.isLost()) {
      control.finish(message, errorCode);
      flow.queueFlush();
    }
  }

  /** Names bytes of this side that the peer can write itself; null if it cannot reach them. */
  public MemoryKey keyOf(DirectBuffer buffer, int offset, int length) {
    return memory == null ? null : memory.keyOf(buffer, offset, length);
  }

  /**
   * Reads bytes of the peer's memory; as {@link SharedMemory#read}.
   *
   * @return false if they must be asked for instead
   */
  public boolean read(
      MemoryKey source, long position, MutableDirectBuffer target, int offset, int length) {
    if (memory == null || !memory.read(source, position, target, offset, length)) {
      return false;
    }
    counters.directBytes += length;
    return true;
  }

  /** Bytes that were asked for will not come. */
  public void forgo(long bytes) {
    control.settled(bytes);
  }
}
