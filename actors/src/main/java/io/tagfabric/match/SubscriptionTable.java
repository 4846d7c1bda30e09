package io.tagfabric.match;

import java.util.ArrayList;
import java.util.List;

/** The subscriptions of one endpoint, in the order added. */
final class SubscriptionTable {
  private final List<Subscription> subscriptions = new ArrayList<>();

  void add(Subscription subscription) {
    subscriptions.add(subscription);
  }

  /** A receive of the earliest subscription that fits, null if there is none. */
  PostedReceive matchArrival(long tag, int source) {
    for (int i = 0; i < subscriptions.size(); i++) {
      Subscription subscription = subscriptions.get(i);
      if (subscription.selector().matches(tag, source)) {
        return subscription.next();
      }
    }
    return null;
  }

  /** Takes a subscriber's subscriptions away; what they have matched before is still delivered. */
  void remove(Object subscriber) {
    subscriptions.removeIf(subscription -> subscription.subscriber().equals(subscriber));
  }

  void clear() {
    subscriptions.clear();
  }

  int size() {
    return subscriptions.size();
  }
}
