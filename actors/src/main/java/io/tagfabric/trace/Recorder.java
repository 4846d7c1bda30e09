package io.tagfabric.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Writes what happens on one loop: into a ring of records in a mapped file, so that what a process
 * has written is there however it ends, and as events of a JFR recording that asks for them.
 *
 * <p>Off, which is {@link #OFF}, it costs its callers one branch: they ask {@link #isOn} before
 * they gather what they would tell. On, it allocates nothing but what JFR does.
 *
 * <p>Thread: {@link #record} and {@link #nextOperation} the one that has the loop; {@link #slept}
 * any.
 */
public final class Recorder {
  /** Records nothing. */
  public static final Recorder OFF = new Recorder(null, null, () -> 0);

  /**
   * Whose events they are.
   *
   * @param rank of the process in its job
   * @param process its id
   * @param incarnation uid of its ActorSystem
   * @param domain the name of the domain
   */
  public record Owner(int rank, long process, long incarnation, String domain) {}

  /** Null if there is none. */
  private final EventFile file;

  /** Null if no recording has asked. */
  private final FlightEvents flight;

  private final boolean on;
  private final LongSupplier time;
  private long operations;

  private Recorder(EventFile file, FlightEvents flight, LongSupplier time) {
    this.file = file;
    this.flight = flight;
    this.time = time;
    on = file != null || flight != null;
  }

  /**
   * Begins a file.
   *
   * @param events how many it keeps, at least 1
   * @param time the clock of the loop, in ns
   * @param timeOfDay in ns
   * @throws IOException if the file exists or has no room
   */
  public static Recorder open(
      Path file, Owner owner, int events, LongSupplier time, LongSupplier timeOfDay)
      throws IOException {
    return new Recorder(
        EventFile.open(file, owner, events, time, timeOfDay), FlightEvents.find(owner), time);
  }

  /**
   * One without a file: {@link #OFF} unless a JFR recording runs that asks for events of loops.
   *
   * @param time the clock of the loop, in ns
   */
  public static Recorder withoutFile(Owner owner, LongSupplier time) {
    FlightEvents flight = FlightEvents.find(owner);
    return flight == null ? OFF : new Recorder(null, flight, time);
  }

  /** Whether there is something to tell it. */
  public boolean isOn() {
    return on;
  }

  /** The time that events get, in ns. Thread: any. */
  public long nanoTime() {
    return time.getAsLong();
  }

  /** A number for an operation, by which its events are told from those of others. */
  public long nextOperation() {
    return ++operations;
  }

  /** Writes an event of now. The arguments are those of {@link TraceEvent}. */
  public void record(
      TraceKind kind,
      int how,
      long flow,
      long number,
      long operation,
      long tag,
      long length,
      long extra,
      int peer,
      int endpoint) {
    if (on) {
      recordAt(
          time.getAsLong(), kind, how, flow, number, operation, tag, length, extra, peer, endpoint);
    }
  }

  /** The same of a moment that is over. */
  public void recordAt(
      long timeNs,
      TraceKind kind,
      int how,
      long flow,
      long number,
      long operation,
      long tag,
      long length,
      long extra,
      int peer,
      int endpoint) {
    if (file != null) {
      file.event(timeNs, kind, how, flow, number, operation, tag, length, extra, peer, endpoint);
    }
    if (flight != null) {
      flight.message(kind, how, flow, number, operation, tag, length, extra, peer, endpoint);
    }
  }

  /** Writes words, in as many records as they need. Thread: as {@link #record}. */
  public void note(String text) {
    if (on) {
      TraceNotes.write(this, text);
    }
  }

  /** A pass has ended that has found work. */
  public void passed(long beganNs, int work) {
    if (file != null) {
      long nowNs = time.getAsLong();
      file.event(nowNs, TraceKind.PASS, 0, 0, 0, 0, 0, work, nowNs - beganNs, -1, 0);
    }
    if (flight != null) {
      flight.loop(TraceKind.PASS, time.getAsLong() - beganNs, work);
    }
  }

  /** The calling thread has slept. Thread: any. */
  public void slept(long beganNs) {
    if (on) {
      long nowNs = time.getAsLong();
      if (file != null) {
        file.slept(nowNs, nowNs - beganNs);
      }
      if (flight != null) {
        flight.loop(TraceKind.SLEPT, nowNs - beganNs, 0);
      }
    }
  }

  /** Where the domain is watched and told what to do; null without a file. */
  public WatchDesk desk() {
    return file == null ? null : file.desk();
  }

  /** The domain has closed. Thread: any. */
  public void closed() {
    if (file != null) {
      file.closed();
    }
  }
}
