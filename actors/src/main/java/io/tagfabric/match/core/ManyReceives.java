package io.tagfabric.match.core;

import io.tagfabric.match.ManyMessages;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.table.MatchTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses receives for messages where some take many, which need a slot in the queue for each:
 * without one a message waits, and with it those that come behind it. Single threaded.
 */
final class ManyReceives {
  /** Stands for a receive that cannot be told yet. */
  static final PostedReceive LATER = new PostedReceive();

  private final MatchTables tables;
  private final StandingReceives standing;
  private final Deliveries deliveries;
  private final ReceiveCompletions outcomes;

  /** Receives of many messages whose queue has no slot, in the order in which that was found. */
  private final List<ManyMessages> stalled = new ArrayList<>();

  private boolean resumeAsked;
  private Runnable onStalled = () -> {};

  ManyReceives(
      MatchTables tables,
      StandingReceives standing,
      Deliveries deliveries,
      ReceiveCompletions outcomes) {
    this.tables = tables;
    this.standing = standing;
    this.deliveries = deliveries;
    this.outcomes = outcomes;
  }

  /** Sets what runs when messages wait for a slot in a queue: it calls {@link #resume} later. */
  void whenStalled(Runnable newOnStalled) {
    onStalled = newOnStalled;
  }

  /** Whether no message waits for a slot. */
  boolean areFree() {
    return stalled.isEmpty();
  }

  /** All receives end. */
  void close() {
    stalled.clear();
  }

  /** Takes messages that wait, as long as they fit and there are slots for their completions. */
  void take(ManyMessages many) {
    PostedReceive whole = many.whole();
    MatchTable<PostedReceive, UnexpectedMessage> itsTable = tables.of(whole.isUntagged());
    many.stalled(false);
    while (!many.isClosed()) {
      UnexpectedMessage message = itsTable.peek(whole.tag(), whole.ignore(), whole.source());
      if (message == null) {
        return;
      }
      if (!many.takes(message.lengthBytes())) {
        retire(many);
      } else if (many.reserve()) {
        itsTable.remove(message);
        deliveries.takeWaiting(nextOf(many, message.lengthBytes()), message);
      } else {
        stall(many);
        return;
      }
    }
  }

  private PostedReceive nextOf(ManyMessages many, long length) {
    PostedReceive part = many.next(length);
    outcomes.accepted(part);
    if (many.isFull()) {
      tables.remove(many.whole());
      many.close(); // its last part tells that the buffer is free
    }
    return part;
  }

  /** Takes no more messages, so that the next receive gets them. */
  private void retire(ManyMessages many) {
    tables.remove(many.whole());
    many.close();
    outcomes.release(many);
  }

  private void stall(ManyMessages many) {
    many.stalled(true);
    stalled.add(many);
    if (!resumeAsked) {
      resumeAsked = true;
      onStalled.run();
    }
  }

  /** Goes on with messages that waited for a slot. */
  void resume() {
    resumeAsked = false;
    matchWaiting();
  }

  /** Gives messages that wait to receives: as if they came now, in the order in which they did. */
  void matchWaiting() {
    stalled.forEach(many -> many.stalled(false));
    stalled.clear();
    tables.forEachUnexpected(
        message -> {
          PostedReceive receive = matchWaiting(message);
          if (receive != null) {
            tables.remove(message);
            deliveries.takeWaiting(receive, message);
          }
        });
  }

  private PostedReceive matchWaiting(UnexpectedMessage message) {
    PostedReceive receive =
        choose(
            tables.of(message.untagged),
            message.tag(),
            message.source(),
            message.lengthBytes(),
            message);
    if (receive == LATER) {
      return null;
    }
    return receive != null || message.untagged
        ? receive
        : standing.subscribed(message.tag(), message.source());
  }

  /**
   * The earliest receive that fits a message, taken out or asked for its next part; null if there
   * is none. {@link #LATER} if it cannot be said yet: the earliest takes many messages and has no
   * slot, or could get one of those that wait for such a receive and came before.
   *
   * @param itself the message, if it is one of those that wait
   */
  PostedReceive choose(
      MatchTable<PostedReceive, UnexpectedMessage> itsTable,
      long tag,
      int source,
      long length,
      UnexpectedMessage itself) {
    PostedReceive receive;
    while ((receive = itsTable.peekArrival(tag, source)) != null) {
      ManyMessages many = receive.many();
      if ((many != null && many.isStalled()) || hasEarlier(itsTable, receive, itself)) {
        return LATER;
      }
      if (many == null) {
        itsTable.remove(receive);
        return receive;
      }
      if (!many.takes(length)) {
        retire(many);
      } else if (many.reserve()) {
        return nextOf(many, length);
      } else {
        stall(many);
        return LATER;
      }
    }
    return null;
  }

  private boolean hasEarlier(
      MatchTable<PostedReceive, UnexpectedMessage> itsTable,
      PostedReceive receive,
      UnexpectedMessage itself) {
    if (stalled.isEmpty()) {
      return false;
    }
    UnexpectedMessage earliest = itsTable.peek(receive.tag(), receive.ignore(), receive.source());
    return earliest != null && earliest != itself;
  }
}
