package io.tagfabric.demos;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * One side of a ping-pong, on the direct face of its endpoint: it posts a receive, sends, and reads
 * completions from the queues. Thread: one.
 */
final class Player {
  private static final long BALL = 0xBA11;
  private static final int NO_BITS_IGNORED = 0;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Endpoint endpoint;
  private final int opponent;
  private final boolean check;
  private ByteBuffer outgoing;
  private ByteBuffer incoming;

  /**
   * @param opponent the other side's index in the address vector
   * @param check whether to fill and verify every byte
   */
  Player(Endpoint endpoint, int opponent, boolean check) {
    this.endpoint = endpoint;
    this.opponent = opponent;
    this.check = check;
  }

  /** Takes new buffers; no message may be under way. */
  void begin(int bytes) {
    outgoing = ByteBuffer.allocateDirect(bytes);
    incoming = ByteBuffer.allocateDirect(bytes);
  }

  /**
   * Posts a receive from the opponent only: if the opponent dies, it fails and names it. Posted
   * before the message comes, it gets the bytes without another copy.
   */
  void postReceive() {
    require(endpoint.postReceive(opponent, incoming, BALL, NO_BITS_IGNORED, null));
  }

  /** Sends a message and waits until its buffer may be used again. */
  void send(int number) {
    if (check) {
      Pattern.fill(outgoing, number);
    }
    require(endpoint.sendTagged(opponent, outgoing, BALL, null));
    await(endpoint.transmitQueue());
  }

  /** Waits for the message that the posted receive takes. */
  void awaitMessage(int number) {
    long length = ((Completion.Received) await(endpoint.receiveQueue())).length();
    if (check) {
      Pattern.verify(incoming, (int) length, number);
    }
  }

  private static Completion await(CompletionQueue queue) {
    Completion completion = queue.readBlocking(PATIENCE);
    if (completion == null) {
      throw new FabricException(FabricError.TIMED_OUT, "nothing came within " + PATIENCE);
    }
    if (completion instanceof Completion.Failed failed) {
      throw new FabricException(failed.error(), failed.detail());
    }
    return completion;
  }

  /** With one operation under way at a time, a queue of thousands of entries always has room. */
  private static void require(Posted posted) {
    if (posted != Posted.POSTED) {
      throw new IllegalStateException("the completion queue is full");
    }
  }
}
