package io.tagfabric.trials.roll;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one node has sent and received. Messages of a kind from one node to another are numbered
 * from 0. The node writes its book when it ends. Nodes are named by their place and how often it
 * was taken before, such as {@code 2.1}. Thread: any.
 */
final class Book {
  /** What is counted for each pair of nodes. */
  enum Kind {
    /** Messages from actor to actor. */
    TELL,
    /** Tagged messages from endpoint to endpoint. */
    TAGGED,
    /** Elements of a stream from endpoint to endpoint. */
    STREAM
  }

  /** The messages of one kind to, or from, one node. */
  record Pair(Kind kind, String other) {}

  /** What was sent to one node. */
  static final class Sent {
    private long count;
    private final NumberRuns open = new NumberRuns();
    private final List<Long> openMs = new ArrayList<>();
    private long unsettled;

    /** How many; their numbers are below that. */
    long count() {
      return count;
    }

    /** Those that may not have come: a failed send, or a tell to a node that is leaving. */
    NumberRuns open() {
      return open;
    }

    /** When each open tell was told, by the clock of the host; empty for sends. */
    List<Long> openMs() {
      return openMs;
    }

    /** Sends of which the sender was told neither success nor failure. */
    long unsettled() {
      return unsettled;
    }
  }

  /** The questions to one node. */
  static final class Asked {
    private long asked;
    private long answered;
    private long lost;
    private long longestMs;

    long asked() {
      return asked;
    }

    long answered() {
      return answered;
    }

    /** Those without an answer, although the node that was asked was not leaving. */
    long lost() {
      return lost;
    }

    /** The longest wait for an answer of a node that was not leaving. */
    long longestMs() {
      return longestMs;
    }
  }

  private final String node;
  private final Map<Pair, Sent> sent = new LinkedHashMap<>();
  private final Map<Pair, NumberRuns> received = new LinkedHashMap<>();
  private final Map<String, Asked> asked = new LinkedHashMap<>();
  private long stoppedMs;

  Book(String node) {
    this.node = node;
  }

  String node() {
    return node;
  }

  /** When the actor of the node stopped, by the clock of the host; 0 if it did not say. */
  synchronized long stoppedMs() {
    return stoppedMs;
  }

  synchronized Map<Pair, Sent> sent() {
    return Map.copyOf(sent);
  }

  synchronized Map<Pair, NumberRuns> received() {
    return Map.copyOf(received);
  }

  synchronized Map<String, Asked> asked() {
    return Map.copyOf(asked);
  }

  /** The number of the next message; it is sent next. */
  synchronized long send(Kind kind, String to) {
    Sent row = sentTo(kind, to);
    row.unsettled += kind == Kind.TELL ? 0 : 1;
    return row.count++;
  }

  /** The number of the next tell to a node that is known to leave. */
  synchronized long tellLeaving(String to, long nowMs) {
    Sent row = sentTo(Kind.TELL, to);
    row.open.add(row.count);
    row.openMs.add(nowMs);
    return row.count++;
  }

  /** The sender was told that a send has succeeded, or that it has failed. */
  synchronized void settle(Kind kind, String to, long number, boolean succeeded) {
    Sent row = sentTo(kind, to);
    row.unsettled--;
    if (!succeeded) {
      row.open.add(number);
    }
  }

  /** A message has come. */
  synchronized void receive(Kind kind, String from, long number) {
    received.computeIfAbsent(new Pair(kind, from), any -> new NumberRuns()).add(number);
  }

  /** A question is asked. */
  synchronized void ask(String to) {
    askedOf(to).asked++;
  }

  /**
   * A question was answered.
   *
   * @param stays whether the node that was asked is not leaving
   */
  synchronized void answer(String to, long ms, boolean stays) {
    Asked row = askedOf(to);
    row.answered++;
    row.longestMs = stays ? Math.max(row.longestMs, ms) : row.longestMs;
  }

  /** A question to a node that is not leaving has got no answer. */
  synchronized void lose(String to) {
    askedOf(to).lost++;
  }

  /** The actor of the node has stopped. */
  synchronized void stop(long nowMs) {
    stoppedMs = nowMs;
  }

  /** Sends that are not settled. */
  synchronized long unsettled() {
    return sent.values().stream().mapToLong(Sent::unsettled).sum();
  }

  private Sent sentTo(Kind kind, String to) {
    return sent.computeIfAbsent(new Pair(kind, to), any -> new Sent());
  }

  private Asked askedOf(String to) {
    return asked.computeIfAbsent(to, any -> new Asked());
  }

  // ---- as text ----

  /** The book, with a last line by which a reader knows that it is whole. */
  synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("node " + node + " " + stoppedMs);
    sent.forEach(
        (pair, row) ->
            lines.add(
                Stream.of(
                        "sent",
                        pair.kind(),
                        pair.other(),
                        row.count,
                        row.unsettled,
                        "=" + row.open,
                        "=" + joined(row.openMs))
                    .map(String::valueOf)
                    .collect(Collectors.joining(" "))));
    received.forEach(
        (pair, runs) -> lines.add("received " + pair.kind() + " " + pair.other() + " =" + runs));
    asked.forEach(
        (other, row) ->
            lines.add(
                Stream.of("asked", other, row.asked, row.answered, row.lost, row.longestMs)
                    .map(String::valueOf)
                    .collect(Collectors.joining(" "))));
    lines.add("end");
    return lines;
  }

  private static String joined(List<Long> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /**
   * Reads what {@link #lines} has written.
   *
   * @throws IllegalArgumentException if it is something else, or not whole
   */
  static Book parse(List<String> lines) {
    if (lines.isEmpty() || !lines.get(lines.size() - 1).equals("end")) {
      throw new IllegalArgumentException("a book of " + lines.size() + " lines has no end");
    }
    String[] first = lines.get(0).split(" ", -1);
    Book book = new Book(first[1]);
    book.stoppedMs = Long.parseLong(first[2]);
    for (String line : lines.subList(1, lines.size() - 1)) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "sent" -> {
          Sent row = book.sentTo(Kind.valueOf(words[1]), words[2]);
          row.count = Long.parseLong(words[3]);
          row.unsettled = Long.parseLong(words[4]);
          NumberRuns.parse(words[5].substring(1)).runs().forEach(run -> addAll(row.open, run));
          Stream.of(words[6].substring(1).split(","))
              .filter(word -> !word.isEmpty())
              .forEach(word -> row.openMs.add(Long.parseLong(word)));
        }
        case "received" ->
            book.received.put(
                new Pair(Kind.valueOf(words[1]), words[2]),
                NumberRuns.parse(words[3].substring(1)));
        case "asked" -> {
          Asked row = book.askedOf(words[1]);
          row.asked = Long.parseLong(words[2]);
          row.answered = Long.parseLong(words[3]);
          row.lost = Long.parseLong(words[4]);
          row.longestMs = Long.parseLong(words[5]);
        }
        default -> throw new IllegalArgumentException("line [" + line + "] is none of a book");
      }
    }
    return book;
  }

  private static void addAll(NumberRuns numbers, NumberRuns.Run run) {
    for (long number = run.first(); number <= run.last(); number++) {
      numbers.add(number);
    }
  }
}
