package io.tagfabric.trace;

import static io.tagfabric.trace.TraceLayout.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a recorder has left, of a process that has ended.
 *
 * @param owner whose events they are
 * @param wallNs time of day at {@code loopNs}
 * @param loopNs the same moment on the clock that events have
 * @param closed whether the domain has closed in order
 * @param dropped events that were overwritten by later ones
 * @param droppedSleeps sleeps of which the same is true
 * @param events in the order of their times
 */
public record Recording(
    Recorder.Owner owner,
    long wallNs,
    long loopNs,
    boolean closed,
    long dropped,
    long droppedSleeps,
    List<TraceEvent> events) {
  public Recording {
    events = List.copyOf(events);
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read, or is not what a recorder writes
   */
  public static Recording read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.capacity() < RECORDS_AT
        || bytes.getLong(MAGIC_AT) != MAGIC
        || bytes.getInt(VERSION_AT) != VERSION) {
      throw new IOException(file + " does not begin as the file of a recorder does");
    }
    int capacity = bytes.getInt(EVENTS_AT);
    int sleeps = bytes.getInt(SLEEPS_AT);
    if (capacity < 1
        || sleeps < 1
        || RECORDS_AT + ((long) capacity + sleeps) * RECORD_BYTES > bytes.capacity()) {
      throw new IOException(
          file + " is cut short: bytes=" + bytes.capacity() + " of events=" + capacity);
    }
    List<String> threads = threads(bytes);
    List<TraceEvent> events = new ArrayList<>();
    long written = bytes.getLong(EVENTS_WRITTEN_AT);
    long slept = bytes.getLong(SLEEPS_WRITTEN_AT);
    int sleepsAt = RECORDS_AT + capacity * RECORD_BYTES;
    long dropped = readRing(bytes, RECORDS_AT, capacity, written, threads, events);
    long droppedSleeps = readRing(bytes, sleepsAt, sleeps, slept, threads, events);
    events.sort(Comparator.comparingLong(TraceEvent::timeNs));
    TraceNotes.join(events);
    return new Recording(
        new Recorder.Owner(
            bytes.getInt(RANK_AT),
            bytes.getLong(PROCESS_AT),
            bytes.getLong(INCARNATION_AT),
            name(bytes, NAME_AT, NAME_BYTES)),
        bytes.getLong(WALL_AT),
        bytes.getLong(LOOP_AT),
        bytes.getInt(CLOSED_AT) == 1,
        dropped,
        droppedSleeps,
        events);
  }

  /** The names of threads, by number. */
  static List<String> threads(ByteBuffer bytes) {
    List<String> threads = new ArrayList<>();
    int known = Math.min(bytes.getInt(THREADS_AT), MAX_THREADS);
    for (int i = 0; i < known; i++) {
      threads.add(name(bytes, THREAD_NAMES_AT + i * THREAD_NAME_BYTES, THREAD_NAME_BYTES));
    }
    return threads;
  }

  /** Returns how many are gone. */
  private static long readRing(
      ByteBuffer bytes,
      int ringAt,
      int capacity,
      long written,
      List<String> threads,
      List<TraceEvent> events) {
    // A process that was killed while it wrote over the oldest record has left that one in pieces.
    long first = written >= capacity ? written - capacity + 1 : 0;
    for (long i = first; i < written; i++) {
      int at = ringAt + (int) (i % capacity) * RECORD_BYTES;
      TraceKind.of(bytes.getInt(at + KIND))
          .ifPresent(kind -> events.add(event(bytes, at, kind, threads)));
    }
    return first;
  }

  static TraceEvent event(ByteBuffer bytes, int at, TraceKind kind, List<String> threads) {
    int thread = bytes.getInt(at + THREAD);
    return new TraceEvent(
        bytes.getLong(at + TIME),
        kind,
        bytes.getInt(at + HOW),
        thread >= 0 && thread < threads.size() ? threads.get(thread) : "?",
        bytes.getLong(at + FLOW),
        bytes.getLong(at + NUMBER),
        bytes.getLong(at + OPERATION),
        bytes.getLong(at + TAG),
        bytes.getLong(at + LENGTH),
        bytes.getLong(at + EXTRA),
        bytes.getInt(at + PEER),
        bytes.getInt(at + ENDPOINT),
        "");
  }

  static String name(ByteBuffer bytes, int at, int room) {
    int length = Math.max(0, Math.min(bytes.getInt(at), room - Integer.BYTES));
    byte[] name = new byte[length];
    bytes.get(at + Integer.BYTES, name);
    return new String(name, StandardCharsets.UTF_8);
  }
}
