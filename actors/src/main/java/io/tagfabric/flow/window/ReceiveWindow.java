package io.tagfabric.flow.window;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.wire.Packet;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Puts the packets of a flow back in order: what is next passes, what is early waits (a bounded
 * number), what came before is dropped.
 */
@InternalApi
public final class ReceiveWindow {
  private int maxParked;
  private final Long2ObjectHashMap<Packet> parked = new Long2ObjectHashMap<>();
  private long received;
  private long highestKnown;

  public ReceiveWindow(int maxParked) {
    this.maxParked = maxParked;
  }

  /** How many may be early from now on. */
  public void maxParked(int most) {
    maxParked = most;
  }

  /** Verdict on a packet. */
  public enum Verdict {
    NEXT,
    EARLY,
    DUPLICATE
  }

  /** All packets up to this one have passed. */
  long received() {
    return received;
  }

  /** Whether the sender has sent packets that have not passed. */
  public boolean hasGap() {
    return highestKnown > received;
  }

  /** The sender says that it has sent packets up to this one. */
  public void senderHasSent(long sequence) {
    highestKnown = Math.max(highestKnown, sequence);
  }

  /** Judges a packet; an early one is kept with a reference of its own if there is room. */
  public Verdict offer(Packet packet, long sequence) {
    senderHasSent(sequence);
    if (sequence == received + 1) {
      received = sequence;
      return Verdict.NEXT;
    }
    if (sequence <= received || parked.containsKey(sequence)) {
      return Verdict.DUPLICATE;
    }
    if (parked.size() < maxParked) {
      parked.put(sequence, packet.keep());
    }
    return Verdict.EARLY;
  }

  /** The parked packet that is next now, null if there is none; the caller releases it. */
  public Packet pollNext() {
    if (parked.isEmpty()) {
      return null;
    }
    Packet packet = parked.remove(received + 1);
    if (packet != null) {
      received++;
    }
    return packet;
  }

  /** The packet that has passed last was not taken after all; nor are those after it. */
  public void takeBack() {
    received--;
  }

  public void clear() {
    parked.forEach((sequence, packet) -> packet.release());
    parked.clear();
  }
}
