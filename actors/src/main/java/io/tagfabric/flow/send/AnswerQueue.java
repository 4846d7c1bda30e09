package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.PacketLayout;
import java.util.ArrayDeque;

/**
 * Answers to the peer's requests that wait for room in a packet: first those without payload, in
 * their order, then bytes, by turns.
 */
@InternalApi
public final class AnswerQueue {
  private static final int MIN_PART_BYTES = 512;

  /** Bytes of one answer before it is another's turn. */
  private static final int TURN_BYTES = 128 * 1024;

  /** A frame up to this length can leave without a packet. */
  private static final int SHORT_BYTES = PacketOutbox.BARE_BYTES;

  private final PacketOutbox outbox;
  private final ArrayDeque<Answer> words = new ArrayDeque<>();
  private final ArrayDeque<Answer> bytes = new ArrayDeque<>();

  public AnswerQueue(PacketOutbox outbox) {
    this.outbox = outbox;
  }

  /** Accepts an answer; it leaves with a flush. */
  public void submit(Answer answer) {
    (answer.leftBytes() == 0 ? words : bytes).addLast(answer);
  }

  /** Puts them into packets, as far as the window allows. */
  void pump() {
    pumpWords();
    while (!bytes.isEmpty()) {
      Answer answer = bytes.peekFirst();
      if (!takeTurn(answer)) {
        return;
      }
      bytes.pollFirst();
      if (answer.isOver()) {
        answer.onEnd();
      } else {
        bytes.addLast(answer);
      }
    }
    pumpWords(); // one that could not go on has left a word
  }

  /** Puts the only one that waits into a packet, if it is short and a packet has room for it. */
  public void pumpShort() {
    if (bytes.isEmpty()) {
      if (words.size() == 1) {
        pumpWords();
      }
    } else if (words.isEmpty() && bytes.size() == 1 && isShort(bytes.peekFirst())) {
      pump();
    }
  }

  private static boolean isShort(Answer answer) {
    return answer.prepared() == null && answer.overheadBytes() + answer.leftBytes() <= SHORT_BYTES;
  }

  private void pumpWords() {
    while (!words.isEmpty()
        && outbox.room(PacketLayout.aligned(words.peekFirst().overheadBytes()))) {
      Answer word = words.pollFirst();
      word.write(outbox.writer().accesses(), outbox.open(), 0);
      word.onEnd();
    }
  }

  /** False if the window closes before the turn is over. */
  private boolean takeTurn(Answer answer) {
    if (answer.prepared() != null) {
      return writePrepared(answer);
    }
    int written = 0;
    while (written < TURN_BYTES && !answer.isOver()) {
      int part = outbox.roomForPart(answer.leftBytes(), MIN_PART_BYTES, answer.overheadBytes());
      if (part == 0) {
        return false;
      }
      answer.write(outbox.writer().accesses(), outbox.open(), part);
      written += part;
    }
    return true;
  }

  private boolean writePrepared(Answer answer) {
    int left = answer.leftBytes();
    int frameBytes = PacketLayout.aligned(answer.overheadBytes() + left);
    if (!outbox.roomFor(answer.prepared(), frameBytes)) {
      return false;
    }
    answer.write(outbox.writer().accesses(), outbox.open(), left);
    return true;
  }

  boolean hasWaiting() {
    return !words.isEmpty() || !bytes.isEmpty();
  }

  /** Gives all of them up. */
  void endAll() {
    // One that ends may leave a word, which is given up too.
    while (hasWaiting()) {
      Answer answer = bytes.pollFirst();
      (answer == null ? words.pollFirst() : answer).onEnd();
    }
  }
}
