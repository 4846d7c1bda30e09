package io.tagfabric.bench.ours;

import io.tagfabric.active.ActiveListener;
import io.tagfabric.active.ActiveMessages;
import io.tagfabric.active.ActiveReply;
import io.tagfabric.active.ActiveRequestClaim;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import java.time.Duration;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One of two sides: the near one asks, the far one answers tagged messages and active requests in
 * one loop, so that both are served alike. Thread: one.
 */
final class AmSide {
  private static final int ECHO = 1;
  private static final int END = 2;
  private static final long TAG = 12;
  private static final int WORD = 8;
  private static final int BATCH = 64;
  private static final int[] TWO = {1, 2};
  private static final int[] NONE = {};
  private static final byte[] NOTHING = {};
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Endpoint endpoint;
  private final ActiveMessages active;
  private final int peer;
  private final UnsafeBuffer out = new UnsafeBuffer(new byte[WORD]);
  private final UnsafeBuffer in = new UnsafeBuffer(new byte[WORD]);
  private final CompletionHandler onReceived = this::onReceived;
  private final ActiveListener listener =
      new ActiveListener() {
        @Override
        public void onReply(ActiveReply reply) {
          replies++;
        }

        @Override
        public void onFailed(FabricException reason) {
          failure = reason;
        }
      };
  private int received;
  private long replies;
  private FabricException failure;
  private boolean over;
  private int polls;

  AmSide(Endpoint endpoint, int peer) {
    this.endpoint = endpoint;
    this.peer = peer;
    active = endpoint.active();
    active.register(
        ECHO,
        call -> {
          if (call.argumentCount() == 2) {
            call.reply(new int[] {call.argument(0), call.argument(1)}, NOTHING);
          }
        });
    active.register(END, call -> over = true);
  }

  /** How the other side is reached. */
  String provider() {
    return endpoint.futures().flows().toCompletableFuture().join().flows().stream()
        .filter(flow -> flow.peer() == peer)
        .map(Endpoint.FlowInfo::provider)
        .findFirst()
        .orElse("none");
  }

  private void onReceived(CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.FAILED) {
      failure = new FabricException(entry.error(), entry.detail());
    }
    received++;
  }

  private int poll() {
    int work = endpoint.receiveQueue().read(onReceived, BATCH);
    if (work > 0) {
      polls = 0;
    } else if (++polls % BATCH == 0) {
      Thread.yield(); // both ends may be on one core
    }
    if (failure != null) {
      throw failure;
    }
    return work;
  }

  private void post() {
    if (endpoint.postReceive(in, 0, WORD, TAG, 0, peer, null) != Posted.POSTED) {
      throw new FabricException(FabricError.AGAIN, "the receive queue is full");
    }
  }

  private void send() {
    while (endpoint.injectTagged(peer, out, 0, WORD, TAG) != Posted.POSTED) {
      poll();
    }
  }

  /** The far side, until the near one ends. */
  void serve() {
    post();
    while (!over) {
      poll();
      while (received > 0) {
        received--;
        post();
        send();
      }
    }
  }

  /** Tagged messages to and fro; nanoseconds of all round trips. */
  long tagged(int count) {
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      post();
      send();
      while (received == 0) {
        poll();
      }
      received = 0;
    }
    return System.nanoTime() - beginNs;
  }

  /** Short requests, each when the one before is replied; nanoseconds of all. */
  long shorts(int count) {
    return ask(TWO, NOTHING, count);
  }

  /** The same of mediums, whose replies are empty; the program writes the payload each time. */
  long mediums(byte[] source, int count) {
    byte[] payload = new byte[source.length];
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      System.arraycopy(source, 0, payload, 0, source.length);
      askOne(NONE, payload);
    }
    return System.nanoTime() - beginNs;
  }

  /** The same, written into the packet that leaves, as far as one has room. */
  long claims(byte[] source, int count) {
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      commit(active.prepare(peer, 0, source.length, source.length), source);
    }
    return System.nanoTime() - beginNs;
  }

  /** The same, written into a buffer of the program from which it leaves. */
  long buffers(byte[] source, int count) {
    UnsafeBuffer own = new UnsafeBuffer(new byte[source.length]);
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      commit(active.prepare(peer, 0, own, 0, source.length), source);
    }
    return System.nanoTime() - beginNs;
  }

  private void commit(ActiveRequestClaim claim, byte[] source) {
    long wanted = replies + 1;
    claim.buffer().putBytes(0, source);
    claim.commit(ECHO, source.length, NONE, listener);
    await(wanted);
  }

  private long ask(int[] arguments, byte[] payload, int count) {
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      askOne(arguments, payload);
    }
    return System.nanoTime() - beginNs;
  }

  private void askOne(int[] arguments, byte[] payload) {
    long wanted = replies + 1;
    while (active.tryRequest(peer, ECHO, arguments, payload, listener) != Posted.POSTED) {
      poll();
    }
    await(wanted);
  }

  private void await(long wanted) {
    polls = 0;
    while (replies < wanted) {
      poll();
    }
  }

  /** The near side has measured all. */
  void end() {
    var ended = active.request(peer, END).toCompletableFuture();
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (!ended.isDone() && System.nanoTime() - deadlineNs < 0) {
      poll();
    }
  }
}
