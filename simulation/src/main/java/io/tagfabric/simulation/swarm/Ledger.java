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
  private long lastEndNs;

  Ledger(Trace trace, Probes probes, PacketWatch packets) {
    this.packets = packets;
    this.trace = trace;
    this.probes = probes;
  }

  void posted(Message message) {
    messages.add(message);
    byNumber.put(message.number, message);
    message.count();
    trace.note(10, message.number, message.length, message.tag(), () -> "send    " + message);
  }

  /** It was refused, so nothing has happened. */
  void refused(Message message) {
    messages.remove(messages.size() - 1);
    byNumber.remove(message.number);
    message.uncount();
    trace.note(11, message.number, 0, 0, () -> "send refused, no slot");
    probes.reach(Probe.TRY_AGAIN);
  }

  void posted(Receive receive) {
    receives.add(receive);
    trace.note(12, receive.number, receive.capacity, receive.tag, () -> "receive " + receive);
  }

  void refused(Receive receive) {
    receives.remove(receives.size() - 1);
    trace.note(13, receive.number, 0, 0, () -> "receive refused, no slot");
    probes.reach(Probe.TRY_AGAIN);
  }

  // ---- ends of sends ----

  void ended(Message message, CompletionEntry entry) {
    if (entry.kind() == CompletionEntry.Kind.SENT) {
      sent(message);
    } else {
      failed(message, entry.error(), entry.mayHaveArrived(), entry.detail());
    }
  }

  void sent(Message message) {
    message.ends++;
    trace.note(20, message.number, 0, 0, () -> "sent    " + message);
    requireOnce(message.ends, message);
    message.spoil();
    if (message.cancelRequested) {
      probes.reach(Probe.SEND_CANCELLED_LATE);
    }
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
          default -> false;
        };
    Violation.require(
        allowed, Invariant.CAUSE, "%s failed with %s (%s) for no reason", message, error, detail);
    probes.reachIf(error == FabricError.CANCELED, Probe.SEND_CANCELLED);
    probes.reachIf(error == FabricError.TIMED_OUT, Probe.PEER_TIMED_OUT);
    probes.reachIf(error == FabricError.CONNECTION_RESET, Probe.PEER_RESET);
    probes.reachIf(error == FabricError.SHUTDOWN, Probe.PEER_SHUT_DOWN);
    probes.reach(mayHaveArrived ? Probe.MAY_HAVE_ARRIVED : Probe.NEVER_ARRIVED);
  }

  /** A peer refuses a flow before it is open, not afterwards. */
  private boolean isRefusedLate(Node by, Node peer, String detail) {
    return detail != null && detail.contains("refused by") && packets.hasSent(by, peer);
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
    receive.ends++;
    requireOnce(receive.ends, receive);
    if (entry.kind() == CompletionEntry.Kind.RECEIVED) {
      Message message = matched(receive, entry);
      Violation.require(
          message.length == entry.length(),
          Invariant.BYTES,
          "%s ended with %d bytes of %s",
          receive,
          entry.length(),
          message);
      take(receive, message, message.length, nowNs);
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
      take(receive, message, receive.capacity, nowNs);
      probes.reach(Probe.TRUNCATED);
      return;
    }
    requireCause(receive, error, entry);
    receive.poison(); // a part of a message may be there
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
    int number =
        Message.isExact(entry.tag()) ? receive.numberInBytes() : Message.numberOf(entry.tag());
    Message message = byNumber.get(number);
    Violation.require(
        message != null && message.to == receive.at,
        Invariant.MATCH,
        "%s ended with message %d, which was not sent to it",
        receive,
        number);
    Violation.require(
        receive.at.node(entry.peer()) == message.from && message.tag() == entry.tag(),
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

  private void take(Receive receive, Message message, int placed, long nowNs) {
    message.matched = receive;
    message.uncount();
    receive.matched = message;
    receive.placed = placed;
    trace.note(
        30, receive.number, message.number, placed, () -> "taken   " + message + " by " + receive);
    requireBytes(receive);
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
        requireBytes(receive);
      }
    }
    requireOrder();
  }

  /** What the sender was told is so. */
  private static void requireSaid(Message message) {
    if (message.failed) {
      Violation.require(
          message.mayHaveArrived || message.matched == null || message.matched.failed,
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

  /**
   * What a receiver has matched is what two plain lists would have: a receive takes the earliest
   * message of a sender that it wants, a message the earliest receive that wants it.
   */
  private void requireOrder() {
    Map<Node, List<Receive>> byPlace = new HashMap<>();
    for (Receive receive : receives) {
      byPlace.computeIfAbsent(receive.at, at -> new ArrayList<>()).add(receive);
    }
    Map<Node, Map<Node, List<Message>>> byPair = new HashMap<>();
    for (Message message : messages) {
      byPair
          .computeIfAbsent(message.to, to -> new HashMap<>())
          .computeIfAbsent(message.from, from -> new ArrayList<>())
          .add(message);
    }
    byPair.forEach(
        (to, senders) -> {
          if (to.isAlive()) { // of another one nobody has read all completions
            senders
                .values()
                .forEach(sent -> requireOrder(sent, byPlace.getOrDefault(to, List.of())));
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
                    : earlier.matched.number > by.number);
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
        if (before.number >= by.number) {
          break;
        }
        boolean passedOver =
            before.accepts(message)
                && !before.failed
                && (before.matched == null
                    || (before.matched.from == message.from
                        && before.matched.number > message.number));
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
}
