package io.tagfabric.match;

import java.util.ArrayList;
import java.util.List;

/** The standing routes of one endpoint, in the order added. */
final class RouteTable {
  private final List<TagRoute> routes = new ArrayList<>();

  void add(TagRoute route) {
    routes.add(route);
  }

  /** A receive of the earliest route that fits, null if there is none. */
  PostedReceive matchArrival(long tag, int source) {
    for (int i = 0; i < routes.size(); i++) {
      TagRoute route = routes.get(i);
      if (route.selector().matches(tag, source)) {
        return route.next();
      }
    }
    return null;
  }

  /** Takes a subscriber's routes away; what they have matched before is still delivered. */
  void remove(Object subscriber) {
    routes.removeIf(route -> route.subscriber().equals(subscriber));
  }

  void clear() {
    routes.clear();
  }

  int size() {
    return routes.size();
  }
}
