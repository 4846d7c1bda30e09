package io.tagfabric.match.core;

import io.tagfabric.error.FabricError;
import io.tagfabric.match.MessageReader;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MessageView;
import java.util.function.LongPredicate;

/**
 * Takes messages with a tag that no posted receive takes: subscriptions, or one reader of all, or
 * nobody if the tag is not wanted any more. Single threaded.
 */
final class StandingReceives {
  private final SubscriptionTable subscriptions = new SubscriptionTable();
  private final Subscription sink =
      new Subscription(TagSelector.any(), this, Integer.MAX_VALUE, notUsed -> {});

  /** Takes all messages; null if there is none. */
  private StandingReader reader;

  /** Tags of messages that nobody wants; null for none. */
  private LongPredicate unwanted;

  /** From now on all messages go to a reader; before any has come. */
  void read(MessageReader newReader) {
    reader = new StandingReader(newReader);
  }

  /** Whether a reader takes all. */
  boolean isRead() {
    return reader != null;
  }

  void add(Subscription subscription) {
    subscriptions.add(subscription);
  }

  void remove(Object subscriber) {
    subscriptions.remove(subscriber);
  }

  /** Messages with these tags go to nobody, unless a subscription takes them. */
  void discard(LongPredicate tags) {
    unwanted = tags;
  }

  /** Takes a message that nobody wants. */
  PostedReceive nobody() {
    return sink.next();
  }

  /** A receive of the earliest subscription that fits, null if there is none. */
  PostedReceive subscribed(long tag, int source) {
    return subscriptions.matchArrival(tag, source);
  }

  /** What takes a message; null if it has to wait. */
  PostedReceive taking(long tag, int source, boolean closed) {
    PostedReceive receive = subscriptions.matchArrival(tag, source);
    if (receive != null) {
      return receive;
    }
    if (reader != null && !closed) {
      return reader.next(source);
    }
    return unwanted != null && unwanted.test(tag) ? sink.next() : null;
  }

  /** Has a whole message read where it lies, if a reader takes all and none is before it. */
  boolean readNow(FrameOrigin origin, MessageView message) {
    if (reader == null || message.isUntagged() || !reader.readsNow(origin.peer())) {
      return false;
    }
    origin.consumed(message.length());
    reader.read(origin.peer(), message);
    return true;
  }

  /** A peer is lost; what came of it half way has ended. */
  void lost(int peer, FabricError error, String detail, boolean forGood) {
    if (reader != null) {
      reader.lost(peer, error, detail, forGood);
    }
  }

  /** Subscriptions end. */
  void close() {
    subscriptions.clear();
  }
}
