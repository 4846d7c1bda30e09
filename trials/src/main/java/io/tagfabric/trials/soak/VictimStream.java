package io.tagfabric.trials.soak;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.Posted;
import java.util.Set;
import java.util.function.LongConsumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Receives the messages of one sender that may be killed at any moment, in the order that it sends
 * them: whatever comes must be the next message, with its bytes, until the sender is lost; then
 * every receive that waits must fail because of that. A loss forgets what its sender had only
 * announced: a receive that is posted before the loss is heard of takes what came whole behind it.
 * Thread: one.
 */
final class VictimStream {
  private static final int WINDOW = 64;
  private static final int MOST_FORGOTTEN = 4096;
  private static final int WORD = Long.BYTES;
  private static final long ANY_TAG = MessageStream.TAGS - 1L;

  /** How a receive may end whose sender was killed: UDP says only that nobody listens there. */
  private static final Set<FabricError> LOSSES =
      Set.of(FabricError.CONNECTION_RESET, FabricError.SHUTDOWN);

  /** A receive and the message that it must get. */
  record Slot(VictimStream stream, long number, UnsafeBuffer buffer) {}

  private final Endpoint endpoint;
  private final int peer;
  private final MessageStream stream;
  private final long killAfter;
  private final LongConsumer killer;
  private long posted;
  private long ended;
  private long received;
  private long corrupted;
  private long cutOff;

  /** Messages of a killed sender before the last one received that will never come. */
  private long forgotten;

  private boolean killed;
  private boolean lost;
  private String trouble = "";

  /**
   * @param killAfter so many messages later the sender is killed, at the earliest; {@code
   *     Long.MAX_VALUE} for never
   * @param killer is called once, with the number of messages received, when that is reached
   */
  VictimStream(
      Endpoint endpoint, int peer, MessageStream stream, long killAfter, LongConsumer killer) {
    this.endpoint = endpoint;
    this.peer = peer;
    this.stream = stream;
    this.killAfter = killAfter;
    this.killer = killer;
  }

  /** Posts receives as far as there is room; returns how many. */
  int post() {
    int before = (int) posted;
    while (!lost && posted - ended < WINDOW && posted < stream.count()) {
      UnsafeBuffer buffer = new UnsafeBuffer(new byte[stream.length(posted)]);
      Slot slot = new Slot(this, posted, buffer);
      if (endpoint.postReceive(buffer, 0, buffer.capacity(), 0, ANY_TAG, peer, slot)
          == Posted.TRY_AGAIN) {
        break;
      }
      posted++;
    }
    return (int) posted - before;
  }

  /** One of its receives has ended. */
  void onEnded(CompletionEntry entry, Slot slot) {
    ended++;
    boolean failed = entry.kind() == CompletionEntry.Kind.FAILED;
    boolean isMessage = !failed || (killed && entry.error() == FabricError.TRUNCATED);
    long number = isMessage ? numberOf(entry, slot) : -1;
    if (failed && number < 0) {
      lost = true;
      cutOff++;
      if (!killed || !LOSSES.contains(entry.error())) {
        trouble = "a receive ended with " + entry.error() + ": " + entry.detail();
      }
      return;
    }
    received++;
    if (number < 0) {
      corrupted++;
    } else {
      forgotten = number - slot.number;
    }
    if (!killed && received >= killAfter) {
      killed = true;
      killer.accept(received);
    }
  }

  /** Which message that is: the next one, or a later one of a killed sender; -1 if none of them. */
  private long numberOf(CompletionEntry entry, Slot slot) {
    long next = slot.number + forgotten;
    long last = killed ? Math.min(next + MOST_FORGOTTEN, stream.count() - 1) : next;
    for (long number = next; number <= last; number++) {
      if (isMessage(number, entry, slot.buffer)) {
        return number;
      }
    }
    return -1;
  }

  private boolean isMessage(long number, CompletionEntry entry, UnsafeBuffer buffer) {
    int length = stream.length(number);
    int placed = Math.min(length, buffer.capacity());
    // The last bytes of a message are others than those words would have there.
    int compared = placed < length ? placed - placed % WORD : placed;
    return entry.peer() == peer
        && entry.tag() == stream.tag(number)
        && entry.length() == placed
        && entry.overflowLength() == length - placed
        && stream.matches(number, buffer, compared);
  }

  /** Whether nothing is left to come, from a sender that was lost or has sent all. */
  boolean isDone() {
    return ended == posted && (lost || received == stream.count());
  }

  /** Whether it lost its sender in the midst of messages. */
  boolean isLost() {
    return lost;
  }

  long received() {
    return received;
  }

  long corrupted() {
    return corrupted;
  }

  /** Receives that ended because their sender was lost. */
  long cutOff() {
    return cutOff;
  }

  /** What went wrong beside that, empty if nothing did. */
  String trouble() {
    return trouble.isEmpty() ? "" : "rank " + peer + ": " + trouble;
  }

  @Override
  public String toString() {
    return "peer "
        + peer
        + (killed ? ", killed" : "")
        + (lost ? ", lost" : "")
        + ": posted="
        + posted
        + " ended="
        + ended
        + " received="
        + received;
  }
}
