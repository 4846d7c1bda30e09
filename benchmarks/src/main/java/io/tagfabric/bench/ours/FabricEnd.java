package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.ProbingEnd;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import io.tagfabric.match.Probe;
import io.tagfabric.receive.Receives;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** An end that is an endpoint of ours and one of its peers, through the direct face. */
class FabricEnd implements ProbingEnd {
  /** How a wait passes the time when nothing comes. */
  enum Waiting {
    /**
     * Polls for a millisecond, then waits as BLOCKING does. After a few microseconds it yields
     * between polls: a scheduler may have put both ends on one core, and then each would poll its
     * time slice of some milliseconds away before the other could answer.
     */
    POLLING,
    /** Leaves it to the queue, which gives the core away as its settings say. */
    BLOCKING
  }

  static final long TAG = 7;
  private static final long FIRST_LABEL = 1L << 32;
  private static final int BATCH = 256;
  private static final int POLLS_PER_LOOK = 64;
  private static final long POLLING_NS = 1_000_000;
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Endpoint endpoint;
  private final int peer;
  private final Waiting waiting;
  private final Buffers buffers;
  private final CompletionQueue arrivals;
  private final CompletionHandler onReceived = this::onReceived;
  private final CompletionHandler onSent = FabricEnd::requireSuccess;
  private MutableDirectBuffer outgoing = new UnsafeBuffer(new byte[0]);
  private MutableDirectBuffer incoming = new UnsafeBuffer(new byte[0]);
  private int received;
  private int unreadSends;

  FabricEnd(Endpoint endpoint, int peer, Waiting waiting, Buffers buffers) {
    this.endpoint = endpoint;
    this.peer = peer;
    this.waiting = waiting;
    this.buffers = buffers;
    arrivals = endpoint.receiveQueue();
  }

  @Override
  public void begin(int sentBytes, int receivedBytes) {
    drainSends();
    outgoing = buffers.outgoing(sentBytes);
    incoming = buffers.incoming(receivedBytes);
    received = 0;
  }

  @Override
  public int received() {
    return received;
  }

  @Override
  public void postReceive() {
    postReceive(TAG);
  }

  @Override
  public void postReceive(int label) {
    postReceive(FIRST_LABEL + label);
  }

  private void postReceive(long tag) {
    postReceive(endpoint, peer, tag);
  }

  /** Makes room for one message of a peer. */
  final void postReceive(Receives receives, int source, long tag) {
    int polls = 0;
    while (receives.postReceive(incoming, 0, incoming.capacity(), tag, 0, source, null)
        == Posted.TRY_AGAIN) {
      poll();
      giveWay(++polls);
    }
  }

  @Override
  public void probe(int label) {
    int polls = 0;
    Probe probe = Probe.peek(TagSelector.exact(FIRST_LABEL + label).from(peer));
    while (endpoint.post(probe, null) == Posted.TRY_AGAIN) {
      poll();
      giveWay(++polls);
    }
  }

  @Override
  public void send() {
    send(TAG);
  }

  @Override
  public void send(int label) {
    send(FIRST_LABEL + label);
  }

  private void send(long tag) {
    send(endpoint, peer, tag);
  }

  /** Sends from one of the endpoints that share the queues of this end. */
  final void send(Endpoint from, int to, long tag) {
    int length = outgoing.capacity();
    int polls = 0;
    if (length <= from.settings().injectBytes()) {
      while (from.injectTagged(to, outgoing, 0, length, tag) == Posted.TRY_AGAIN) {
        drainSends();
        giveWay(++polls);
      }
      return;
    }
    while (from.sendTagged(to, outgoing, 0, length, tag, null) == Posted.TRY_AGAIN) {
      drainSends();
      giveWay(++polls);
    }
    if (++unreadSends >= BATCH) {
      drainSends();
    }
  }

  private void drainSends() {
    unreadSends = 0;
    while (endpoint.transmitQueue().read(onSent, BATCH) == BATCH) {
      // there may be more
    }
  }

  @Override
  public void poll() {
    arrivals.read(onReceived, BATCH);
  }

  @Override
  public void await(int messages) {
    while (received < messages) {
      if (waiting == Waiting.POLLING && pollUntilReceived()) {
        continue;
      }
      waitFor(messages);
    }
  }

  @Override
  public void awaitAsleep(int messages) {
    while (received < messages) {
      waitFor(messages);
    }
  }

  /** Waits until more have come; so many are wanted. */
  void waitFor(int messages) {
    if (arrivals.readBlocking(onReceived, BATCH, PATIENCE) == 0) {
      throw new FabricException(
          FabricError.TIMED_OUT,
          "received=" + received + " of " + messages + " messages, none for " + PATIENCE);
    }
  }

  /** So many have come since it began. */
  final void received(int count) {
    received = count;
  }

  private boolean pollUntilReceived() {
    int before = received;
    long beginNs = 0;
    for (int polls = 1; received == before; polls++) {
      poll();
      if (polls % POLLS_PER_LOOK == 0) {
        long nowNs = System.nanoTime();
        if (beginNs == 0) {
          beginNs = nowNs;
        } else if (nowNs - beginNs > POLLING_NS) {
          return received != before;
        }
        Thread.yield();
      }
    }
    return true;
  }

  /** Lets others work after so many polls in vain. */
  void giveWay(int polls) {
    if (polls % POLLS_PER_LOOK == 0) {
      Thread.yield();
    }
  }

  @Override
  public MutableDirectBuffer outgoing() {
    return outgoing;
  }

  @Override
  public DirectBuffer incoming() {
    return incoming;
  }

  void onReceived(CompletionEntry entry) {
    requireSuccess(entry);
    received++;
  }

  private static void requireSuccess(CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.FAILED) {
      throw new FabricException(entry.error(), entry.detail());
    }
  }
}
