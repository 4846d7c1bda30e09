package io.tagfabric.watch;

import io.tagfabric.report.JsonLine;
import io.tagfabric.trace.LiveRecording;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.WatchDesk;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** One domain of a job that is watched. Single threaded, but for {@link #tell}. */
final class WatchedDomain {
  private final int lane;
  private final LiveRecording recording;
  private final Tally tally = new Tally();
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
    tally.nextFrame();
  }

  /** Somebody looks again: what is known of credits is read from all events that are there. */
  void recall() {
    recording.rewind();
    List<TraceEvent> events = new ArrayList<>();
    recording.poll(events);
    events.forEach(tally::note);
    recording.sleeps();
  }

  /** Reads what has happened since the last time. */
  List<TraceEvent> read() {
    look();
    tally.nextFrame();
    List<TraceEvent> events = new ArrayList<>();
    missed = recording.poll(events);
    sleeps = recording.sleeps();
    events.forEach(tally::note);
    return events;
  }

  private void look() {
    closed = closed || recording.isClosed() || isGone();
  }

  /**
   * What the page shows of it.
   *
   * @param peers names of ActorSystems by incarnation
   */
  JsonLine line(LongFunction<String> peers) {
    WatchDesk.Gauges gauges = desk().gauges();
    WatchDesk.State state = desk().state();
    JsonLine line =
        new JsonLine()
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
            .put("missed", missed);
    return tally.put(line, System.nanoTime(), peers);
  }
}
