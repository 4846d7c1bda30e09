package io.tagfabric.active;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A place that was claimed for the payload of an active message: the program writes the bytes there
 * and commits, and they are not copied on the way into the packet. A claim that is closed without a
 * commit sends nothing, and gives its room and credit back. Thread: one at a time.
 *
 * @source GASNet-EX, negotiated payload
 */
public abstract sealed class ActiveClaim implements AutoCloseable
    permits ActiveRequestClaim, ActiveReplyClaim {
  private final UnsafeBuffer shown = new UnsafeBuffer(0, 0);
  private final MutableDirectBuffer place;
  private final int at;
  private final int capacity;
  private final int argumentCount;
  private final boolean inPacket;
  private boolean over;

  ActiveClaim(
      MutableDirectBuffer place, int at, int capacity, int argumentCount, boolean inPacket) {
    this.place = place;
    this.at = at;
    this.capacity = capacity;
    this.argumentCount = argumentCount;
    this.inPacket = inPacket;
    shown.wrap(place, at, capacity);
  }

  /** Requires numbers that make sense. */
  static void require(int argumentCount, int leastBytes, int mostBytes, int maxMedium) {
    if (argumentCount < 0 || argumentCount > ActiveBody.MOST_ARGUMENTS) {
      throw new IllegalArgumentException(
          "argumentCount=" + argumentCount + " is outside 0.." + ActiveBody.MOST_ARGUMENTS);
    }
    if (leastBytes < 0 || leastBytes > mostBytes || leastBytes > maxMedium) {
      throw new IllegalArgumentException(
          "leastBytes="
              + leastBytes
              + " is outside 0.."
              + Math.min(mostBytes, maxMedium)
              + ", mostBytes="
              + mostBytes
              + " and tagfabric.am.max-medium="
              + maxMedium);
    }
  }

  /**
   * Where to write, from index 0 on; what is in it at first is not defined. After a commit or close
   * it has no bytes.
   */
  public MutableDirectBuffer buffer() {
    return shown;
  }

  /** The most payload bytes that can be committed. */
  public int capacity() {
    return capacity;
  }

  /** How many arguments the commit must have. */
  public int argumentCount() {
    return argumentCount;
  }

  /**
   * Whether the place is in the packet that leaves. If not, it is a buffer, of the program or of
   * the library, from which the bytes are copied into packets once.
   */
  public boolean isInPacket() {
    return inPacket;
  }

  /** Whether it was neither committed nor closed. */
  public boolean isOpen() {
    return !over;
  }

  /** Gives the claim up, if it was not committed; otherwise nothing happens. */
  @Override
  public final void close() {
    if (!over) {
      end();
      giveUp();
    }
  }

  abstract void giveUp();

  /** Requires what a commit may be, and makes its body; the claim stays open if it may not. */
  final ActiveBody body(int length, int[] arguments) {
    if (over) {
      throw new IllegalStateException("the claim was committed or closed already");
    }
    if (length < 0 || length > capacity) {
      throw new IllegalArgumentException(
          "lengthBytes=" + length + " is outside 0.." + capacity + ", the capacity of the claim");
    }
    if (arguments.length != argumentCount) {
      throw new IllegalArgumentException(
          "arguments=" + arguments.length + " but the claim was made for " + argumentCount);
    }
    return ActiveBody.inPlace(arguments, place, at, length);
  }

  final void end() {
    over = true;
    shown.wrap(0, 0);
  }
}
