package io.tagfabric.trials.soak;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.endpoint.Posted;
import io.tagfabric.error.FabricError;
import java.util.Set;
import java.util.function.LongConsumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Receives the messages of one sender that may be killed at any moment, in the order that it sends
 * them: whatever comes must be the next message, with its bytes, until the sender is lost; then
 * every receive that waits must fail because of that. Thread: one.
 */
final class VictimStream {
  private static final int WINDOW = 64;
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
    if (entry.kind() == CompletionEntry.Kind.FAILED) {
      lost = true;
      cutOff++;
      if (!killed || !LOSSES.contains(entry.error())) {
        trouble = "a receive ended with " + entry.error() + ": " + entry.detail();
      }
      return;
    }
    received++;
    boolean asSent =
        entry.length() == slot.buffer.capacity()
            && entry.tag() == stream.tag(slot.number)
            && entry.peer() == peer
            && stream.matches(slot.number, slot.buffer, slot.buffer.capacity());
    corrupted += asSent ? 0 : 1;
    if (!killed && received >= killAfter) {
      killed = true;
      killer.accept(received);
    }
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
