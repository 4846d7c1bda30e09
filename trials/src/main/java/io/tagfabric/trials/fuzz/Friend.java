package io.tagfabric.trials.fuzz;

import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.trials.fuzz.Violation.Promise;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/** Talks correctly to the victim all the time and gets all of it back. Thread: one. */
final class Friend {
  /** A round trip takes longer: the victim hangs. */
  static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

  private static final int UNDER_WAY = 4;
  private static final int BATCH = 64;
  private static final int QUEUE = 256;

  private final FuzzCounts counts;
  private final Endpoint endpoint;
  private final int victim;
  private final CompletionHandler onSent = this::onSent;
  private final CompletionHandler onReceived = this::onReceived;
  private final UnsafeBuffer[] outgoing = new UnsafeBuffer[UNDER_WAY];
  private final UnsafeBuffer[] incoming = new UnsafeBuffer[UNDER_WAY];
  private final long[] sinceNs = new long[UNDER_WAY];
  private final boolean[] back = new boolean[UNDER_WAY];
  private final RegionDescriptor memory;
  private final UnsafeBuffer written = new UnsafeBuffer(new byte[OpenMemory.BYTES]);
  private final UnsafeBuffer read = new UnsafeBuffer(new byte[OpenMemory.BYTES]);
  private boolean accessing;
  private long accessedNs;
  private long accesses;
  private boolean talking = true;
  private long posted;
  private long begun;
  private long ended;
  private long sendsEnded;

  /**
   * @param memory of the victim that it alone accesses
   */
  Friend(Domain domain, EndpointAddress victimAddress, RegionDescriptor memory, FuzzCounts counts) {
    this.counts = counts;
    this.memory = memory;
    CompletionQueue sent = domain.openCompletionQueue(QUEUE);
    CompletionQueue received = domain.openCompletionQueue(QUEUE);
    endpoint = domain.openEndpoint("friend", sent, received);
    victim = domain.addressVector().insert(victimAddress);
    for (int i = 0; i < UNDER_WAY; i++) {
      outgoing[i] = new UnsafeBuffer(new byte[FriendMessages.longest()]);
      incoming[i] = new UnsafeBuffer(new byte[FriendMessages.longest()]);
    }
  }

  EndpointAddress address() {
    return endpoint.address();
  }

  /** Begins no further round trip. */
  void finish() {
    talking = false;
  }

  /** Whether all it has begun has come back. */
  boolean isDone() {
    return begun == ended && begun == sendsEnded && !accessing;
  }

  /** Round trips so far. */
  long roundTrips() {
    return ended;
  }

  void step(long nowNs) {
    if (talking && begun - ended < UNDER_WAY && begun - sendsEnded < UNDER_WAY) {
      begin(nowNs);
    }
    if (talking && !accessing) {
      access(nowNs);
    }
    endpoint.transmitQueue().read(onSent, BATCH);
    if (accessing && nowNs - accessedNs > PATIENCE_NS) {
      throw new Violation(Promise.END, "a read of the friend has not ended within 10 s");
    }
    endpoint.receiveQueue().read(onReceived, BATCH);
    if (begun > ended && nowNs - sinceNs[slot(ended)] > PATIENCE_NS) {
      throw new Violation(
          Promise.END, "message " + ended + " of the friend has not come back within 10 s");
    }
  }

  /** Writes to the victim's memory, and reads it back. */
  private void access(long nowNs) {
    int length = (int) (accesses * 7919 % OpenMemory.BYTES);
    KeyedBytes.fill(accesses, written, 0, length);
    EndpointMemory operations = endpoint.memory();
    if (operations.write(
            new RemoteRegion(victim, memory),
            0,
            written,
            0,
            length,
            SendOptions.DEFAULT.silent(),
            written)
        == Posted.TRY_AGAIN) {
      return;
    }
    if (operations.read(new RemoteRegion(victim, memory), 0, read, 0, length, read)
        == Posted.POSTED) {
      accessing = true;
      accessedNs = nowNs;
    }
  }

  private void onRead(int length) {
    for (int i = 0; i < length; i++) {
      if (read.getByte(i) != written.getByte(i)) {
        throw new Violation(
            Promise.FRIEND, "byte " + i + " of what the friend has written is another");
      }
    }
    accesses++;
    accessing = false;
  }

  private static int slot(long number) {
    return (int) (number % UNDER_WAY);
  }

  private void begin(long nowNs) {
    int slot = slot(begun);
    if (posted == begun) {
      Posted outcome =
          endpoint.postReceive(
              incoming[slot],
              0,
              FriendMessages.longest(),
              FriendMessages.BIT,
              FriendMessages.ignored(),
              victim,
              begun);
      if (outcome == Posted.TRY_AGAIN) {
        return;
      }
      posted++;
    }
    FriendMessages.fill(begun, outgoing[slot], 0);
    int length = FriendMessages.length(begun);
    if (endpoint.sendTagged(victim, outgoing[slot], 0, length, FriendMessages.tag(begun), null)
        == Posted.POSTED) {
      sinceNs[slot] = nowNs;
      begun++;
    }
  }

  private void onSent(CompletionEntry entry) {
    requireSuccess(entry);
    if (entry.context() == read) {
      onRead((int) entry.length());
      return;
    }
    sendsEnded++;
  }

  private void onReceived(CompletionEntry entry) {
    requireSuccess(entry);
    // answers come in order, and so each receive gets that of its own number
    long number = (Long) entry.context();
    int slot = slot(number);
    FriendMessages.check("the friend", number, entry.tag(), entry.length(), incoming[slot], 0);
    back[slot] = true;
    while (ended < begun && back[slot(ended)]) {
      back[slot(ended++)] = false;
      counts.friendRoundTrips++;
    }
  }

  private static void requireSuccess(CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.FAILED) {
      throw new Violation(
          Promise.FRIEND,
          "an operation of the friend failed: " + entry.error() + ", " + entry.detail());
    }
  }
}
