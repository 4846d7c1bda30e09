package io.tagfabric.watch;

import io.tagfabric.report.JsonLine;
import io.tagfabric.trace.LiveRecording;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.TraceKind;
import io.tagfabric.trace.WatchDesk;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/** One domain of a job that is watched. Single threaded, but for {@link #tell}. */
final class WatchedDomain {
  private static final double NS_PER_US = 1_000;

  /** What a thread has driven since the last look. */
  private static final class Driven {
    long passes;
    long ns;
  }

  /** What might still go to a peer at a time on the clock of all processes of this host. */
  private record Credit(long messages, long bytes, long atNs) {}

  private final int lane;
  private final LiveRecording recording;
  private final Map<String, Driven> drivers = new TreeMap<>();
  private final Map<Long, Credit> credits = new LinkedHashMap<>();
  private long missed;
  private long sleeps;
  private volatile boolean closed;
  private volatile boolean frozenByThis;

  WatchedDomain(int lane, LiveRecording recording) {
    this.lane = lane;
    this.recording = recording;
  }

  int rank() {
    return recording.owner().rank();
  }

  int lane() {
    return lane;
  }

  long incarnation() {
    return recording.owner().incarnation();
  }

  WatchDesk desk() {
    return recording.desk();
  }

  /** Gives a command; false if the one before is not obeyed yet. Thread: any. */
  boolean tell(WatchDesk.Command command) {
    if (!desk().tell(command)) {
      return false;
    }
    switch (command) {
      case FREEZE -> frozenByThis = true;
      case GO -> frozenByThis = false;
      default -> {
        // It stands still or not, as before.
      }
    }
    return true;
  }

  /** Whether this server has frozen it, and has not let it go on. Thread: any. */
  boolean isFrozenByThis() {
    return frozenByThis;
  }

  /** Whether nothing more will come of it. */
  boolean isClosed() {
    return closed;
  }

  /** Whether its process has ended. */
  boolean isGone() {
    return ProcessHandle.of(recording.owner().process()).filter(p -> p.isAlive()).isEmpty();
  }

  /** Goes on from now, since nobody has looked. */
  void skip() {
    look();
    recording.skip();
    drivers.clear();
  }

  /** Somebody looks again: what is known of credits is read from all events that are there. */
  void recall() {
    recording.rewind();
    List<TraceEvent> events = new ArrayList<>();
    recording.poll(events);
    events.forEach(this::note);
    recording.sleeps();
  }

  /** Reads what has happened since the last time. */
  List<TraceEvent> read() {
    look();
    drivers.clear();
    List<TraceEvent> events = new ArrayList<>();
    missed = recording.poll(events);
    sleeps = recording.sleeps();
    events.forEach(this::note);
    return events;
  }

  private void look() {
    closed = closed || recording.isClosed() || isGone();
  }

  /** Credit that comes back is seen when the flow sends the next time, so it may be old. */
  private static long ageMs(Credit credit) {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - credit.atNs()));
  }

  private void note(TraceEvent event) {
    if (event.kind() == TraceKind.PASS) {
      Driven driven = drivers.computeIfAbsent(event.thread(), name -> new Driven());
      driven.passes++;
      driven.ns += event.extra();
    } else if (event.kind() == TraceKind.CREDIT) {
      credits.put(event.extra(), new Credit(event.number(), event.length(), event.timeNs()));
    } else if (event.kind() == TraceKind.FLOW_LOST) {
      credits.remove(event.extra());
    }
  }

  /**
   * What the page shows of it.
   *
   * @param peers names of ActorSystems by incarnation
   */
  JsonLine line(LongFunction<String> peers) {
    WatchDesk.Gauges gauges = desk().gauges();
    WatchDesk.State state = desk().state();
    List<JsonLine> driven = new ArrayList<>();
    drivers.forEach(
        (thread, its) ->
            driven.add(
                new JsonLine()
                    .put("thread", thread)
                    .put("passes", its.passes)
                    .put("us", its.ns / NS_PER_US)));
    List<JsonLine> left = new ArrayList<>();
    credits.forEach(
        (peer, credit) ->
            left.add(
                new JsonLine()
                    .put("peer", peers.apply(peer))
                    .put("messages", credit.messages())
                    .put("bytes", credit.bytes())
                    .put("ageMs", ageMs(credit))));
    return new JsonLine()
        .put("lane", lane)
        .put("rank", rank())
        .put("domain", recording.owner().domain())
        .put("closed", closed)
        .put("obeys", desk().obeys())
        .put("frozen", state.frozen())
        .put("mode", state.manual() || !state.switches() ? "manual" : "auto")
        .put("switches", state.switches())
        .put("posted", gauges.posted())
        .put("unexpected", gauges.unexpected())
        .put("unexpectedBytes", gauges.unexpectedBytes())
        .put("waitingSends", gauges.waitingSends())
        .put("applicationWaits", gauges.applicationWaits())
        .put("sleeps", sleeps)
        .put("missed", missed)
        .put("drivers", driven)
        .put("credits", left);
  }
}
