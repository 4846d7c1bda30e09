package io.tagfabric.simulation.swarm;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All operations of a run, and what must hold of each when it ends. */
final class Ledger {
  private final Trace trace;
  private final Probes probes;
  private final PacketWatch packets;
  final List<Message> messages = new ArrayList<>();
  final List<Receive> receives = new ArrayList<>();
  private final Map<Integer, Message> byNumber = new HashMap<>();
  private final MatchOrder order;
  private long lastEndNs;

  Ledger(Trace trace, Probes probes, PacketWatch packets) {
    this.packets = packets;
    this.trace = trace;
    this.probes = probes;
    order = new MatchOrder(probes);
  }

  void posted(Message message, long place) {
    deferred(message);
    begun(message, place);
  }

  /** It will begin when a counter says so. */
  void deferred(Message message) {
    messages.add(message);
    byNumber.put(message.number, message);
  }

  /** It takes its place among all that its sender sends. */
  void begun(Message message, long place) {
    message.order = place;
    message.count();
    order.begun(message);
    trace.note(10, message.number, message.length, message.tag(), () -> "send    " + message);
  }

  /** It was refused, so nothing has happened. */
  void refused(Message message) {
    messages.remove(messages.size() - 1);
    byNumber.remove(message.number);
    if (!message.isDeferred()) {
      order.refused(message);
    }
    message.uncount();
    trace.note(11, message.number, 0, 0, () -> "send refused, no slot");
    probes.reach(Probe.TRY_AGAIN);
  }

  void posted(Receive receive, long place) {
    receives.add(receive);
    begun(receive, place);
  }

  /** It will begin when a counter says so. */
  void deferred(Receive receive) {
    receives.add(receive);
  }

  /** It takes its place among the receives. */
  void begun(Receive receive, long place) {
    receive.order = place;
    trace.note(12, receive.number, receive.capacity, receive.tag, () -> "receive " + receive);
  }

  void refused(Receive receive) {
    receives.remove(receives.size() - 1);
    trace.note(13, receive.number, 0, 0, () -> "receive refused, no slot");
    probes.reach(Probe.TRY_AGAIN);
  }

  // ---- ends of sends ----

  void ended(Message message, CompletionEntry entry) {
    Violation.require(
        entry.tagged() != message.untagged && entry.tag() == message.tag(),
        Invariant.MATCH,
        "%s ended as %s",
        message,
        entry);
    if (entry.kind() == CompletionEntry.Kind.SENT) {
      Violation.require(
          !message.silent, Invariant.ONCE, "%s leaves an entry, and shall not", message);
      sent(message);
      order.requireFence(message);
    } else {
      failed(message, entry.error(), entry.mayHaveArrived(), entry.detail());
    }
  }

  void sent(Message message) {
    message.ends++;
    trace.note(20, message.number, 0, 0, () -> "sent    " + message);
    requireOnce(message.ends, message);
    Violation.require(
        !message.isTooLong(),
        Invariant.CAUSE,
        "%s is said to have been sent, but its receiver takes %d bytes at most",
        message,
        message.to.maxMessageBytes);
    message.spoil();
    if (message.cancelRequested) {
      probes.reach(Probe.SEND_CANCELLED_LATE);
    }
  }

  /** The end of a message that was injected without a tag; which it is, nobody can tell. */
  void unnamedEnd(Node from, CompletionEntry entry) {
    Node to = from.node(entry.peer());
    boolean allowed =
        switch (entry.error()) {
          case CANCELED -> !from.isUp();
          case CONNECTION_RESET, TIMED_OUT, SHUTDOWN -> from.mayLose(to);
          case PROTOCOL -> from.hasLied(to);
          default -> false;
        };
    from.unnamedFailures++;
    Violation.require(
        allowed, Invariant.CAUSE, "an injected message failed for no reason: %s", entry);
  }

  void failed(Message message, Completion.Failed failure) {
    failed(message, failure.error(), failure.mayHaveArrived(), failure.detail());
  }

  private void failed(Message message, FabricError error, boolean mayHaveArrived, String detail) {
    message.ends++;
    message.failed = true;
    message.uncount();
    message.error = error;
    message.mayHaveArrived = mayHaveArrived;
    message.spoil();
    trace.note(
        21,
        message.number,
        error.code(),
        0,
        () -> "failed  " + message + ": " + error + ", " + detail);
    requireOnce(message.ends, message);
    boolean allowed =
        switch (error) {
          case CANCELED -> message.cancelRequested || !message.from.isUp() || isAborted(message);
          case CONNECTION_RESET, TIMED_OUT, SHUTDOWN ->
              message.from.mayLose(message.to) && !isRefusedLate(message.from, message.to, detail);
          case PROTOCOL -> message.from.hasLied(message.to);
          case MESSAGE_SIZE -> message.isTooLong() && !mayHaveArrived;
          default -> false;
        };
    Violation.require(
        allowed, Invariant.CAUSE, "%s failed with %s (%s) for no reason", message, error, detail);
    probes.reachIf(error == FabricError.MESSAGE_SIZE, Probe.TOO_LONG);
    probes.reachIf(error == FabricError.CANCELED, Probe.SEND_CANCELLED);
    probes.reachIf(error == FabricError.TIMED_OUT, Probe.PEER_TIMED_OUT);
    probes.reachIf(error == FabricError.CONNECTION_RESET, Probe.PEER_RESET);
    probes.reachIf(error == FabricError.SHUTDOWN, Probe.PEER_SHUT_DOWN);
    probes.reach(mayHaveArrived ? Probe.MAY_HAVE_ARRIVED : Probe.NEVER_ARRIVED);
  }

  /**
   * A peer refuses a flow before it is open, not afterwards; but it refuses another one if it has
   * lost its asker meanwhile, which may not know of that.
   */
  private boolean isRefusedLate(Node by, Node peer, String detail) {
    return detail != null
        && detail.contains("refused by")
        && !detail.contains("was given up before")
        && packets.hasSent(by, peer);
  }

  /** The receiver closed while it took the message. */
  private static boolean isAborted(Message message) {
    return message.to.closing;
  }

  private static void requireOnce(int ends, Object operation) {
    Violation.require(ends == 1, Invariant.ONCE, "%s has ended %d times", operation, ends);
  }

  // ---- ends of receives ----

  void ended(Receive receive, CompletionEntry entry, long nowNs) {
    boolean released = entry.kind() == CompletionEntry.Kind.RELEASED;
    Violation.require(
        receive.ends == 0 && (!released || receive.many != null),
        Invariant.ONCE,
        "%s has ended, and then with %s",
        receive,
        entry);
    receive.ends += released || receive.many == null ? 1 : 0;
    if (released) {
      trace.note(32, receive.number, entry.length(), 0, () -> "freed   " + receive);
      receive.many.release(entry.length());
      probes.reach(Probe.RELEASED);
      return;
    }
    if (entry.kind() == CompletionEntry.Kind.RECEIVED) {
      Message message = matched(receive, entry);
      Violation.require(
          message.length == entry.length(),
          Invariant.BYTES,
          "%s ended with %d bytes of %s",
          receive,
          entry.length(),
          message);
      take(receive, message, (int) entry.offset(), message.length, nowNs);
      return;
    }
    FabricError error = entry.error();
    receive.failed = true;
    receive.error = error;
    trace.note(
        31,
        receive.number,
        error.code(),
        0,
        () -> "failed  " + receive + ": " + error + ", " + entry.detail());
    if (error == FabricError.TRUNCATED) {
      Message message = matched(receive, entry);
      Violation.require(
          message.length == entry.length() + entry.overflowLength()
              && entry.length() == receive.capacity,
          Invariant.BYTES,
          "%s was cut to %d bytes and %d more of %s",
          receive,
          entry.length(),
          entry.overflowLength(),
          message);
      message.cut = true;
      take(receive, message, (int) entry.offset(), receive.capacity, nowNs);
      probes.reach(Probe.TRUNCATED);
      return;
    }
    requireCause(receive, error, entry);
    if (receive.many == null) {
      receive.poison(); // a part of a message may be there
    } else {
      receive.many.fail(entry);
    }
  }

  private void requireCause(Receive receive, FabricError error, CompletionEntry entry) {
    Node source = entry.peer() < 0 ? null : receive.at.node(entry.peer());
    boolean allowed =
        switch (error) {
          case CANCELED ->
              receive.cancelRequested || !receive.at.isUp() || hasCancelledSends(receive.at);
          case CONNECTION_RESET, TIMED_OUT, SHUTDOWN ->
              source == null
                  || receive.at.mayLose(source)
                      && !isRefusedLate(receive.at, source, entry.detail());
          case PROTOCOL -> source == null || receive.at.hasLied(source);
          default -> false;
        };
    Violation.require(
        allowed,
        Invariant.CAUSE,
        "%s failed with %s (%s) for no reason",
        receive,
        error,
        entry.detail());
    if (error == FabricError.CANCELED) {
      probes.reach(receive.cancelRequested ? Probe.RECEIVE_CANCELLED : Probe.ABORTED);
    }
  }

  private boolean hasCancelledSends(Node to) {
    return messages.stream().anyMatch(message -> message.to == to && message.cancelRequested);
  }

  private Message matched(Receive receive, CompletionEntry entry) {
    boolean inBytes = !entry.tagged() || Message.isExact(entry.tag());
    int number =
        inBytes ? receive.numberInBytes((int) entry.offset()) : Message.numberOf(entry.tag());
    Message message = byNumber.get(number);
    Violation.require(
        message != null && message.to == receive.at,
        Invariant.MATCH,
        "%s ended with message %d, which was not sent to it",
        receive,
        number);
    Violation.require(
        receive.at.node(entry.peer()) == message.from
            && message.tag() == entry.tag()
            && message.untagged != entry.tagged()
            && message.hasData == entry.hasData()
            && entry.data() == (message.hasData ? message.number : 0),
        Invariant.MATCH,
        "%s ended with source %s and tag %x, but took %s",
        receive,
        receive.at.node(entry.peer()),
        entry.tag(),
        message);
    Violation.require(
        receive.accepts(message),
        Invariant.MATCH,
        "%s took %s, which it does not want",
        receive,
        message);
    Violation.require(
        message.matched == null,
        Invariant.MATCH,
        "%s took %s, which %s had taken",
        receive,
        message,
        message.matched);
    return message;
  }

  private void take(Receive receive, Message message, int at, int placed, long nowNs) {
    message.matched = receive;
    message.matchedAt = at;
    message.uncount();
    if (receive.many != null) {
      receive.many.take(message, at, placed);
      probes.reachIf(at > 0, Probe.BEHIND_ANOTHER);
    } else {
      Violation.require(
          at == 0, Invariant.BYTES, "%s has %s at %d, not at its start", receive, message, at);
      receive.matched = message;
      receive.placed = placed;
    }
    probes.reachIf(message.untagged, Probe.UNTAGGED);
    trace.note(
        30, receive.number, message.number, placed, () -> "taken   " + message + " by " + receive);
    if (receive.many == null) {
      requireBytes(receive);
    }
    probes.reachIf(message.from == message.to, Probe.SENT_TO_SELF);
    probes.reachIf(message.postedNs < receive.postedNs, Probe.UNEXPECTED);
    lastEndNs = nowNs;
  }

  long lastEndNs() {
    return lastEndNs;
  }

  private static void requireBytes(Receive receive) {
    int wrong = receive.firstWrongByte();
    Violation.require(
        wrong < 0,
        Invariant.BYTES,
        "byte %d of %s is %s, of %s",
        wrong,
        receive,
        wrong < 0 ? 0 : receive.buffer.getByte(receive.offset + wrong),
        receive.matched);
  }

  // ---- at the end ----

  /** Everything has come to its end. */
  void requireEnd() {
    for (Message message : messages) {
      if (message.from.isAlive()) {
        int ends = message.silent && message.ends == 0 ? 1 : message.ends;
        Violation.require(ends == 1, Invariant.ONCE, "%s has ended %d times", message, ends);
        requireSaid(message);
      }
    }
    for (Receive receive : receives) {
      if (receive.at.isAlive()) {
        Violation.require(
            receive.ends == 1, Invariant.ONCE, "%s has ended %d times", receive, receive.ends);
        if (receive.many == null) {
          requireBytes(receive);
        } else {
          receive.many.requireEnd(messages);
        }
      }
    }
    order.requireOrder(receives);
  }

  /** What the sender was told is so. */
  private static void requireSaid(Message message) {
    if (message.failed) {
      Violation.require(
          message.mayHaveArrived || message.matched == null || message.cut,
          Invariant.CAUSE,
          "%s failed with %s and cannot have arrived, but %s has it",
          message,
          message.error,
          message.matched);
    } else if (message.level == CompletionLevel.MATCH && message.to.isAlive()) {
      Violation.require(
          message.matched != null || message.to.closing || isPerhapsTaken(message),
          Invariant.CAUSE,
          "%s is said to have matched, but no receive has it",
          message);
    }
  }

  /** Its receive failed after it had matched. */
  private static boolean isPerhapsTaken(Message message) {
    return message.to.wasCutOff() || message.from.wasCutOff();
  }
}
