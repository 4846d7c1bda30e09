package io.tagfabric.trace;

import static io.tagfabric.trace.TraceLayout.*;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a recorder writes, read while it does, by another process. The recorder never waits for its
 * readers: one that is slow misses events. Not thread safe.
 */
public final class LiveRecording {
  private final ByteBuffer bytes;
  private final UnsafeBuffer buffer;
  private final Recorder.Owner owner;
  private final int events;
  private final int sleeps;
  private final WatchDesk desk;
  private long next;
  private long sleepsSeen;

  private LiveRecording(ByteBuffer bytes) {
    this.bytes = bytes;
    buffer = new UnsafeBuffer(bytes);
    events = bytes.getInt(EVENTS_AT);
    sleeps = bytes.getInt(SLEEPS_AT);
    owner =
        new Recorder.Owner(
            bytes.getInt(RANK_AT),
            bytes.getLong(PROCESS_AT),
            bytes.getLong(INCARNATION_AT),
            Recording.name(bytes, NAME_AT, NAME_BYTES));
    desk = new WatchDesk(buffer);
  }

  /**
   * Opens a file.
   *
   * @throws IOException if it cannot be read, or a recorder has not begun it yet
   */
  public static LiveRecording open(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long size = channel.size();
      if (size < RECORDS_AT) {
        throw new IOException(file + " is not a whole file of a recorder");
      }
      ByteBuffer bytes =
          channel.map(FileChannel.MapMode.READ_WRITE, 0, size).order(ByteOrder.LITTLE_ENDIAN);
      boolean begun = new UnsafeBuffer(bytes).getLongVolatile(MAGIC_AT) == MAGIC;
      int events = bytes.getInt(EVENTS_AT);
      int sleeps = bytes.getInt(SLEEPS_AT);
      if (!begun
          || bytes.getInt(VERSION_AT) != VERSION
          || events < 1
          || sleeps < 1
          || RECORDS_AT + ((long) events + sleeps) * RECORD_BYTES > size) {
        throw new IOException(file + " is not a whole file of a recorder");
      }
      return new LiveRecording(bytes);
    }
  }

  /** Whose events they are. */
  public Recorder.Owner owner() {
    return owner;
  }

  /** Whether the domain has closed. */
  public boolean isClosed() {
    return buffer.getIntVolatile(CLOSED_AT) == 1;
  }

  /** Where it is told what to do. */
  public WatchDesk desk() {
    return desk;
  }

  /** Goes on from now: what was written before is not read. */
  public void skip() {
    next = buffer.getLongVolatile(EVENTS_WRITTEN_AT);
    sleepsSeen = buffer.getLongVolatile(SLEEPS_WRITTEN_AT);
  }

  /** Begins again with the oldest event that is there. */
  public void rewind() {
    next = Math.max(0, buffer.getLongVolatile(EVENTS_WRITTEN_AT) - events + 1);
  }

  /**
   * Reads the events since the last time.
   *
   * @param into gets them
   * @return how many were missed, since they are overwritten
   */
  public long poll(List<TraceEvent> into) {
    long written = buffer.getLongVolatile(EVENTS_WRITTEN_AT);
    List<String> threads = Recording.threads(bytes);
    long missed = 0;
    while (next < written) {
      // The record that is written next lies in the place of the oldest one.
      long oldest = Math.max(0, written - events + 1);
      if (next < oldest) {
        missed += oldest - next;
        next = oldest;
      }
      int at = RECORDS_AT + (int) (next % events) * RECORD_BYTES;
      TraceEvent event =
          TraceKind.of(bytes.getInt(at + KIND))
              .map(kind -> Recording.event(bytes, at, kind, threads))
              .orElse(null);
      VarHandle.loadLoadFence();
      written = Math.max(written, buffer.getLongVolatile(EVENTS_WRITTEN_AT));
      if (event == null || next < written - events + 1) {
        missed++;
      } else {
        into.add(event);
      }
      next++;
    }
    return missed;
  }

  /**
   * All that is there now, as if the domain had ended. It goes on from here: what was not read by
   * {@link #poll} before is not read by it any more.
   */
  public Recording snapshot() {
    rewind();
    List<TraceEvent> all = new ArrayList<>();
    long dropped = next + poll(all);
    long written = buffer.getLongVolatile(SLEEPS_WRITTEN_AT);
    int sleepsAt = RECORDS_AT + events * RECORD_BYTES;
    List<String> threads = Recording.threads(bytes);
    long droppedSleeps = Math.max(0, written - sleeps + 1);
    for (long i = droppedSleeps; i < written; i++) {
      int at = sleepsAt + (int) (i % sleeps) * RECORD_BYTES;
      TraceEvent slept = Recording.event(bytes, at, TraceKind.SLEPT, threads);
      VarHandle.loadLoadFence();
      if (i > buffer.getLongVolatile(SLEEPS_WRITTEN_AT) - sleeps) {
        all.add(slept);
      }
    }
    all.sort(Comparator.comparingLong(TraceEvent::timeNs));
    TraceNotes.join(all);
    return new Recording(
        owner,
        bytes.getLong(WALL_AT),
        bytes.getLong(LOOP_AT),
        isClosed(),
        dropped,
        droppedSleeps,
        all);
  }

  /** How many sleeps of threads that drive were written since the last time. */
  public long sleeps() {
    long written = buffer.getLongVolatile(SLEEPS_WRITTEN_AT);
    long since = written - sleepsSeen;
    sleepsSeen = written;
    return since;
  }
}
