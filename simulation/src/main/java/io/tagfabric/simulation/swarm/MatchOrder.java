package io.tagfabric.simulation.swarm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The order in which nodes have sent to one another, and what follows from it. */
final class MatchOrder {
  /** From one node to another. */
  private record Way(Node from, Node to) {}

  private final Probes probes;
  private final Map<Way, List<Message>> sent = new HashMap<>();

  MatchOrder(Probes probes) {
    this.probes = probes;
  }

  /** It is the latest of its sender. */
  void begun(Message message) {
    sent.computeIfAbsent(new Way(message.from, message.to), way -> new ArrayList<>()).add(message);
  }

  /** It was, and is not sent. */
  void refused(Message message) {
    List<Message> way = sent.get(new Way(message.from, message.to));
    way.remove(way.size() - 1);
  }

  /** What was sent before a fence has ended before the fenced one, and what follows it. */
  void requireFence(Message ended) {
    List<Message> way = sent.get(new Way(ended.from, ended.to));
    int at = way.size() - 1;
    while (at >= 0 && (way.get(at).order > ended.order || !isFence(way.get(at)))) {
      at--;
    }
    for (int i = 0; i < at; i++) {
      Violation.require(
          way.get(i).silent || way.get(i).hasEnded(),
          Invariant.ORDER,
          "%s has ended before %s, which was sent before the fence of %s",
          ended,
          way.get(i),
          way.get(at));
    }
    probes.reachIf(at > 0, Probe.FENCED);
  }

  /** One that was taken back keeps nothing apart. */
  private static boolean isFence(Message message) {
    return message.fenced && !message.failed && !message.cancelRequested;
  }

  /**
   * What a receiver has matched is what two plain lists would have: a receive takes the earliest
   * message of a sender that it wants, a message the earliest receive that wants it.
   */
  void requireOrder(List<Receive> receives) {
    Map<Node, List<Receive>> byPlace = new HashMap<>();
    for (Receive receive : receives) {
      if (receive.order >= 0) {
        byPlace.computeIfAbsent(receive.at, at -> new ArrayList<>()).add(receive);
      }
    }
    byPlace.values().forEach(each -> each.sort(Comparator.comparingLong(one -> one.order)));
    sent.forEach(
        (way, all) -> {
          if (way.to.isAlive()) { // of another one nobody has read all completions
            requireOrder(all, byPlace.getOrDefault(way.to, List.of()));
          }
        });
  }

  private static void requireOrder(List<Message> sent, List<Receive> posted) {
    for (int i = 0; i < sent.size(); i++) {
      Message message = sent.get(i);
      Receive by = message.matched;
      if (by == null) {
        continue;
      }
      for (int j = 0; j < i; j++) {
        Message earlier = sent.get(j);
        boolean overtaken =
            by.accepts(earlier)
                && !earlier.isGone()
                && (earlier.matched == null
                    ? earlier.to.isUp() && earlier.from.isUp() && !earlier.from.mayLose(earlier.to)
                    : earlier.isMatchedAfter(message));
        Violation.require(
            !overtaken,
            Invariant.ORDER,
            "%s was taken by %s before %s, which was sent earlier and taken by %s",
            message,
            by,
            earlier,
            earlier.matched);
      }
      for (Receive before : posted) {
        if (before.order >= by.order) {
          break;
        }
        boolean passedOver =
            before.accepts(message) && !before.failed && hasPassedOver(before, message);
        Violation.require(
            !passedOver,
            Invariant.ORDER,
            "%s was taken by %s, although %s, which was posted earlier, took %s",
            message,
            by,
            before,
            before.matched);
      }
    }
  }

  /** Whether an earlier receive has taken what came after a message, or nothing. */
  private static boolean hasPassedOver(Receive before, Message message) {
    if (before.many != null) { // what it took after the message is out of order there
      return before.many.isUntouched();
    }
    return before.matched == null
        || (before.matched.from == message.from && before.matched.order > message.order);
  }
}
