package io.tagfabric.match.core;

import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.table.PostedQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The subscriptions of one endpoint. An arrival finds the earliest that fits at the cost of the
 * classes in use, as among posted receives: their number does not matter.
 */
final class SubscriptionTable {
  private final PostedQueue subscriptions = new PostedQueue();
  private final Map<Object, List<Subscription>> bySubscriber = new HashMap<>();

  void add(Subscription subscription) {
    subscriptions.add(subscription);
    bySubscriber
        .computeIfAbsent(subscription.subscriber(), notUsed -> new ArrayList<>())
        .add(subscription);
  }

  /** A receive of the earliest subscription that fits, null if there is none. */
  PostedReceive matchArrival(long tag, int source) {
    if (subscriptions.count() == 0) {
      return null;
    }
    Subscription earliest = (Subscription) subscriptions.find(tag, source);
    return earliest == null ? null : earliest.next();
  }

  /** Takes a subscriber's subscriptions away; what they have matched before is still delivered. */
  void remove(Object subscriber) {
    List<Subscription> gone = bySubscriber.remove(subscriber);
    if (gone != null) {
      gone.forEach(subscriptions::remove);
    }
  }

  void clear() {
    List.copyOf(bySubscriber.keySet()).forEach(this::remove);
  }

  int size() {
    return subscriptions.count();
  }

  /** Subscriptions and keys looked at so far; what a cost claim is tested with. */
  long steps() {
    return subscriptions.steps();
  }
}
