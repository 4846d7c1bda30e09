package io.tagfabric.flow.window;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.wire.Packet;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Consumer;
import org.agrona.collections.IntArrayQueue;

/**
 * The packets of a flow that are in flight. Over an unreliable channel it keeps them until they are
 * acknowledged; over a reliable one it only counts.
 */
@InternalApi
public final class SendWindow {
  private final int maxPackets;
  private final long maxBytes;
  private boolean keepsPackets;
  private final PacketBudget budget;
  private final Runnable onRoom;
  private final ArrayDeque<Packet> kept = new ArrayDeque<>();
  private final IntArrayQueue lengths = new IntArrayQueue();
  private long acknowledged;
  private long sent;
  private long bytes;
  private boolean waits;

  /**
   * A window.
   *
   * @param budget of all flows of the endpoint; only packets that are kept count
   * @param onRoom runs when there is room in it for which {@link #isOpenElseWaits} was false
   */
  public SendWindow(
      int maxPackets, long maxBytes, boolean keepsPackets, PacketBudget budget, Runnable onRoom) {
    this.maxPackets = maxPackets;
    this.maxBytes = maxBytes;
    this.keepsPackets = keepsPackets;
    this.budget = budget;
    this.onRoom = onRoom;
  }

  /** Whether packets are kept from now on; there is none yet. */
  public void keepsPackets(boolean keeps) {
    keepsPackets = keeps;
  }

  /** Whether one more packet may leave; if only the budget is against it, it tells when it may. */
  public boolean isOpenElseWaits() {
    if (!isOwnOpen()) {
      return false;
    }
    if (isWithinBudget()) {
      return true;
    }
    if (!waits) {
      waits = true;
      budget.await(this);
    }
    return false;
  }

  /** Whether one more packet may leave, and nobody has been promised to hear of that. */
  boolean isOpen() {
    return !waits && isOwnOpen() && isWithinBudget();
  }

  private boolean isOwnOpen() {
    return sent - acknowledged < maxPackets && bytes < maxBytes;
  }

  private boolean isWithinBudget() {
    return !keepsPackets || sent == acknowledged || budget.hasRoom();
  }

  /** There is room in the budget. */
  void hasRoomAgain() {
    waits = false;
    onRoom.run();
  }

  /** Whether it is so full that the peer shall say at once what has come. */
  public boolean needsWord() {
    return !isOwnOpen() || (keepsPackets && budget.isShort());
  }

  /** Sequence the next packet will have. */
  long nextSequence() {
    return sent + 1;
  }

  public long highestSent() {
    return sent;
  }

  public long acknowledged() {
    return acknowledged;
  }

  public boolean hasUnacknowledged() {
    return sent != acknowledged;
  }

  int unacknowledgedPackets() {
    return (int) (sent - acknowledged);
  }

  /** Counts a packet in and gives it its sequence; takes over the caller's reference. */
  public void add(Packet packet) {
    packet.sequence(++sent);
    bytes += packet.length();
    if (keepsPackets) {
      kept.addLast(packet);
      budget.take();
    } else {
      lengths.addInt(packet.length());
    }
  }

  /**
   * Everything up to {@code sequence} has come.
   *
   * @return whether that was news
   */
  public boolean acknowledge(long sequence) {
    if (sequence <= acknowledged || sequence > sent) {
      return false;
    }
    int packets = (int) (sequence - acknowledged);
    while (acknowledged < sequence) {
      acknowledged++;
      if (keepsPackets) {
        Packet packet = kept.pollFirst();
        bytes -= packet.length();
        packet.release();
      } else {
        bytes -= lengths.pollInt();
      }
    }
    if (keepsPackets) {
      budget.giveBack(packets);
    }
    return true;
  }

  /** Hands out the oldest unacknowledged packets, at most {@code limit}; returns how many. */
  int replay(int limit, Consumer<Packet> again) {
    int count = 0;
    for (Iterator<Packet> packets = kept.iterator(); packets.hasNext() && count < limit; ) {
      again.accept(packets.next());
      count++;
    }
    return count;
  }

  /** Gives all kept packets up. */
  public void clear() {
    int packets = kept.size();
    for (Packet packet : kept) {
      packet.release();
    }
    kept.clear();
    lengths.clear();
    bytes = 0;
    acknowledged = sent;
    budget.giveBack(packets);
  }
}
