package io.tagfabric.match;

import io.tagfabric.error.FabricError;
import io.tagfabric.tag.TagSelector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a receive context must do, by walking lists; it tells events in words. */
final class NaiveReceives {
  /** A receive, or one turn of a route. */
  static final class Pending {
    final String name;
    final TagSelector selector;
    final int capacity;
    final Route route;
    String result;

    Pending(String name, TagSelector selector, int capacity, Route route) {
      this.name = name;
      this.selector = selector;
      this.capacity = capacity;
      this.route = route;
    }
  }

  static final class Route {
    final String name;
    final TagSelector selector;
    final int maxLength;
    final ArrayDeque<Pending> turns = new ArrayDeque<>();

    Route(String name, TagSelector selector, int maxLength) {
      this.name = name;
      this.selector = selector;
      this.maxLength = maxLength;
    }
  }

  record Message(int number, int source, long tag, int length, boolean announced) {}

  final List<String> events = new ArrayList<>();
  final List<Pending> posted = new ArrayList<>();
  final List<Message> unexpected = new ArrayList<>();
  final Map<Integer, Pending> transfers = new HashMap<>();
  final Map<Integer, Message> moving = new HashMap<>();
  final Map<Integer, Integer> consumed = new HashMap<>();
  final Set<Integer> lost = new HashSet<>();
  private final List<Route> routes = new ArrayList<>();
  private boolean closed;

  void post(String name, TagSelector selector, int capacity) {
    Pending receive = new Pending(name, selector, capacity, null);
    if (closed) {
      events.add(name + " failed CANCELED");
      return;
    }
    Message message = takeWaiting(selector);
    if (message != null) {
      match(receive, message);
    } else if (lost.contains(selector.source())) {
      events.add(name + " failed CONNECTION_RESET");
    } else {
      posted.add(receive);
    }
  }

  private Message takeWaiting(TagSelector selector) {
    for (Iterator<Message> each = unexpected.iterator(); each.hasNext(); ) {
      Message message = each.next();
      if (selector.matches(message.tag, message.source)) {
        each.remove();
        return message;
      }
    }
    return null;
  }

  void arrive(Message message) {
    if (closed) {
      return;
    }
    for (Iterator<Pending> each = posted.iterator(); each.hasNext(); ) {
      Pending receive = each.next();
      if (receive.selector.matches(message.tag, message.source)) {
        each.remove();
        match(receive, message);
        return;
      }
    }
    for (Route route : routes) {
      if (route.selector.matches(message.tag, message.source)) {
        match(turn(route), message);
        return;
      }
    }
    unexpected.add(message);
  }

  private static Pending turn(Route route) {
    Pending turn = new Pending(route.name, route.selector, route.maxLength, route);
    route.turns.addLast(turn);
    return turn;
  }

  private void match(Pending receive, Message message) {
    consumed.merge(message.source, 1, Integer::sum);
    if (message.announced) {
      events.add("clear " + message.number + " " + Math.min(message.length, receive.capacity));
      transfers.put(message.number, receive);
      moving.put(message.number, message);
    } else {
      end(receive, message, null);
    }
  }

  void ended(int number, FabricError error) {
    end(transfers.remove(number), moving.remove(number), error);
  }

  private void end(Pending receive, Message message, FabricError error) {
    String outcome;
    if (error != null) {
      outcome = "failed " + error;
    } else if (message.length > receive.capacity) {
      outcome = "failed TRUNCATED " + receive.capacity + "+" + (message.length - receive.capacity);
      outcome += message.number % 2 == 0 ? " data " + message.number : "";
    } else {
      outcome = "got " + message.number + " of " + message.length;
    }
    if (receive.route == null) {
      events.add(receive.name + " " + outcome);
      return;
    }
    receive.result = outcome;
    ArrayDeque<Pending> turns = receive.route.turns;
    while (!turns.isEmpty() && turns.peekFirst().result != null) {
      Pending done = turns.pollFirst();
      if (done.result.startsWith("got")) {
        events.add(done.name + " " + done.result);
      }
    }
  }

  void cancel(String name) {
    for (Iterator<Pending> each = posted.iterator(); each.hasNext(); ) {
      if (each.next().name.equals(name)) {
        each.remove();
        events.add(name + " failed CANCELED");
        return;
      }
    }
  }

  void addRoute(String name, TagSelector selector, int maxLength) {
    if (closed) {
      return;
    }
    Route route = new Route(name, selector, maxLength);
    routes.add(route);
    Message message;
    while ((message = takeWaiting(selector)) != null) {
      match(turn(route), message);
    }
  }

  void removeRoute(String name) {
    routes.removeIf(route -> route.name.equals(name));
  }

  void peerLost(int peer) {
    lost.add(peer);
    for (Pending receive : List.copyOf(posted)) {
      if (receive.selector.source() == peer) {
        posted.remove(receive);
        events.add(receive.name + " failed CONNECTION_RESET");
      }
    }
    unexpected.removeIf(message -> message.announced && message.source == peer);
  }

  void close() {
    closed = true;
    posted.forEach(receive -> events.add(receive.name + " failed CANCELED"));
    posted.clear();
    routes.clear();
  }
}
