package io.tagfabric.simulation.swarm;

import io.tagfabric.complete.CompletionEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** What has become of a receive that takes many messages into one buffer. */
final class ManyParts {
  /** Where a message lies. */
  private record Part(int at, int length, Message message) {}

  private final Receive receive;
  private final int leastFree;
  private final List<Part> parts = new ArrayList<>();
  private int failed;
  private boolean over;
  private boolean cancelled;
  private int used = -1;

  ManyParts(Receive receive, int leastFree) {
    this.receive = receive;
    this.leastFree = leastFree;
  }

  /** A message has come, all of it or what had room. */
  void take(Message message, int at, int length) {
    Violation.require(
        at >= 0 && at + length <= receive.capacity && (at == 0 || length == message.length),
        Invariant.BYTES,
        "%s has %d bytes of %s at %d",
        receive,
        length,
        message,
        at);
    parts.add(new Part(at, length, message));
    requireBytes(parts.get(parts.size() - 1));
  }

  /** One of its messages, or the whole of it, has failed. */
  void fail(CompletionEntry entry) {
    boolean whole = "cancelled".equals(entry.detail());
    Violation.require(
        !whole || !cancelled, Invariant.ONCE, "%s has been cancelled more than once", receive);
    cancelled |= whole;
    over |= !entry.detail().contains("the sender has cancelled");
    failed++;
  }

  /** The buffer is the program's again. */
  void release(long usedBytes) {
    used = (int) usedBytes;
    List<Part> placed = new ArrayList<>(parts);
    placed.sort(Comparator.comparingInt(Part::at).thenComparing(Part::length));
    int at = 0;
    long sum = 0;
    for (Part part : placed) {
      Violation.require(
          part.at >= at, Invariant.BYTES, "%s has two messages at %d", receive, part.at);
      Violation.require(
          part.at == 0 || receive.capacity - part.at >= leastFree,
          Invariant.BYTES,
          "%s took %s at %d, although fewer than %d bytes were free",
          receive,
          part.message,
          part.at,
          leastFree);
      at = part.at + part.length;
      sum += part.length;
    }
    Violation.require(
        at <= used && (failed > 0 ? sum <= used : sum == used),
        Invariant.BYTES,
        "%s is said to have used %d bytes, and messages of %d bytes lie in it up to %d",
        receive,
        used,
        sum,
        at);
  }

  /** Whether it has taken no message, so that any would fit. */
  boolean isUntouched() {
    return parts.isEmpty() && failed == 0;
  }

  /** Messages that came whole. */
  long whole() {
    return parts.stream().filter(part -> part.length == part.message.length).count();
  }

  /** Their bytes. */
  long wholeBytes() {
    return parts.stream()
        .filter(part -> part.length == part.message.length)
        .mapToLong(Part::length)
        .sum();
  }

  /** Messages that were cut. */
  long cut() {
    return parts.size() - whole();
  }

  /** Failures that were those of a message, or of the whole. */
  int failed() {
    return failed;
  }

  /** What must hold when all is over. */
  void requireEnd(List<Message> messages) {
    parts.forEach(this::requireBytes);
    if (used < 0) {
      return;
    }
    for (int i = used; i < receive.capacity; i++) {
      Violation.require(
          receive.buffer.getByte(receive.offset + i) == Receive.POISON,
          Invariant.BYTES,
          "byte %d of %s was written, of which %d bytes were used",
          i,
          receive,
          used);
    }
    boolean full = receive.capacity - used < leastFree;
    Violation.require(
        full || over || messages.stream().anyMatch(this::isTooLong),
        Invariant.MATCH,
        "%s took no more with %d bytes free, although nothing came that did not fit",
        receive,
        receive.capacity - used);
  }

  private boolean isTooLong(Message message) {
    return message.length > receive.capacity - used
        && message.matched != receive
        && receive.accepts(message);
  }

  private void requireBytes(Part part) {
    byte[] found = new byte[part.length];
    receive.buffer.getBytes(receive.offset + part.at, found, 0, part.length);
    int wrong = Arrays.mismatch(found, 0, part.length, part.message.bytes(), 0, part.length);
    Violation.require(
        wrong < 0, Invariant.BYTES, "byte %d of %s is wrong in %s", wrong, part.message, receive);
  }
}
