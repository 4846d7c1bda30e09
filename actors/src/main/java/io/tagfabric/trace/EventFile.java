package io.tagfabric.trace;

import static io.tagfabric.trace.TraceLayout.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A mapped file with a ring of events and one of sleeps. When a ring is full, the oldest record
 * goes.
 *
 * <p>Thread: {@link #event} the one that has the loop; {@link #slept} and {@link #closed} any.
 */
final class EventFile {
  /** Sleeps have a ring of their own, with so many times fewer records. */
  private static final int EVENTS_PER_SLEEP = 8;

  private static final int CLOCK_TRIES = 16;

  private final UnsafeBuffer buffer;
  private final int events;
  private final int sleeps;
  private final int sleepsAt;
  private final Object sleepLock = new Object();
  private final Thread[] threads = new Thread[MAX_THREADS];

  private long written;
  private Thread lastThread;
  private int lastThreadIndex;

  // Guarded by sleepLock.
  private long sleepsWritten;
  private int threadsKnown;

  private EventFile(UnsafeBuffer buffer, int events, int sleeps) {
    this.buffer = buffer;
    this.events = events;
    this.sleeps = sleeps;
    sleepsAt = RECORDS_AT + events * RECORD_BYTES;
  }

  /** As {@link Recorder#open}. */
  static EventFile open(
      Path file, Recorder.Owner owner, int events, LongSupplier time, LongSupplier timeOfDay)
      throws IOException {
    int sleeps = Math.max(1, events / EVENTS_PER_SLEEP);
    int bytes = TraceLayout.bytes(events, sleeps);
    UnsafeBuffer buffer;
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      // The buffer keeps the mapping: threads that are late may write after the domain has closed.
      buffer = new UnsafeBuffer(map(channel, file, bytes));
    }
    buffer.putInt(VERSION_AT, VERSION, ByteOrder.LITTLE_ENDIAN);
    putInt(buffer, RANK_AT, owner.rank());
    putLong(buffer, PROCESS_AT, owner.process());
    putLong(buffer, INCARNATION_AT, owner.incarnation());
    putInt(buffer, EVENTS_AT, events);
    putInt(buffer, SLEEPS_AT, sleeps);
    putName(buffer, NAME_AT, NAME_BYTES, owner.domain());
    compareClocks(buffer, time, timeOfDay);
    buffer.putLongOrdered(MAGIC_AT, MAGIC); // who reads it live sees the rest then
    return new EventFile(buffer, events, sleeps);
  }

  private static ByteBuffer map(FileChannel channel, Path file, int bytes) throws IOException {
    try {
      fill(channel, bytes);
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
    } catch (IOException noRoom) {
      Files.deleteIfExists(file); // what is there of it would take the last room from others
      throw noRoom;
    }
  }

  /** A mapped file without room for a page would end the process when the page is written. */
  private static void fill(FileChannel channel, int bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(1 << 16);
    long at = 0;
    while (at < bytes) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
      at += channel.write(zeros, at);
    }
  }

  /** One moment on both clocks: of some tries the one that took the shortest time. */
  private static void compareClocks(
      UnsafeBuffer buffer, LongSupplier time, LongSupplier timeOfDay) {
    long shortestNs = Long.MAX_VALUE;
    for (int i = 0; i < CLOCK_TRIES; i++) {
      long beforeNs = time.getAsLong();
      long wallNs = timeOfDay.getAsLong();
      long tookNs = time.getAsLong() - beforeNs;
      if (tookNs < shortestNs) {
        shortestNs = tookNs;
        putLong(buffer, WALL_AT, wallNs);
        putLong(buffer, LOOP_AT, beforeNs + tookNs / 2);
      }
    }
  }

  /** Writes an event. The arguments are those of {@link TraceEvent}. */
  void event(
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
    int at = RECORDS_AT + (int) (written % events) * RECORD_BYTES;
    putLong(buffer, at + TIME, timeNs);
    putInt(buffer, at + KIND, kind.code());
    putInt(buffer, at + HOW, how);
    putLong(buffer, at + FLOW, flow);
    putLong(buffer, at + NUMBER, number);
    putLong(buffer, at + OPERATION, operation);
    putLong(buffer, at + TAG, tag);
    putLong(buffer, at + LENGTH, length);
    putLong(buffer, at + EXTRA, extra);
    putInt(buffer, at + PEER, peer);
    putInt(buffer, at + ENDPOINT, endpoint);
    putInt(buffer, at + THREAD, threadIndex());
    written++;
    buffer.putLongOrdered(EVENTS_WRITTEN_AT, written);
  }

  /** The calling thread has slept so long. */
  void slept(long nowNs, long sleptNs) {
    synchronized (sleepLock) {
      int at = sleepsAt + (int) (sleepsWritten % sleeps) * RECORD_BYTES;
      putLong(buffer, at + TIME, nowNs);
      putInt(buffer, at + KIND, TraceKind.SLEPT.code());
      putLong(buffer, at + EXTRA, sleptNs);
      putInt(buffer, at + PEER, -1);
      putInt(buffer, at + THREAD, find(Thread.currentThread()));
      sleepsWritten++;
      buffer.putLongOrdered(SLEEPS_WRITTEN_AT, sleepsWritten);
    }
  }

  /** The part of it by which the domain is watched and told what to do. */
  WatchDesk desk() {
    return new WatchDesk(buffer);
  }

  /** The domain has closed. */
  void closed() {
    putInt(buffer, CLOSED_AT, 1);
  }

  private int threadIndex() {
    Thread thread = Thread.currentThread();
    if (thread != lastThread) {
      synchronized (sleepLock) {
        lastThreadIndex = find(thread);
      }
      lastThread = thread;
    }
    return lastThreadIndex;
  }

  /** The place of its name; the last place is for all that there was no room for. */
  private int find(Thread thread) {
    for (int i = 0; i < threadsKnown; i++) {
      if (threads[i] == thread) {
        return i;
      }
    }
    boolean isFull = threadsKnown >= MAX_THREADS - 1;
    int index = isFull ? MAX_THREADS - 1 : threadsKnown++;
    int at = THREAD_NAMES_AT + index * THREAD_NAME_BYTES;
    putName(buffer, at, THREAD_NAME_BYTES, isFull ? "other threads" : thread.getName());
    threads[index] = thread;
    putInt(buffer, THREADS_AT, isFull ? MAX_THREADS : threadsKnown);
    return index;
  }

  private static void putLong(UnsafeBuffer buffer, int at, long value) {
    buffer.putLong(at, value, ByteOrder.LITTLE_ENDIAN);
  }

  private static void putInt(UnsafeBuffer buffer, int at, int value) {
    buffer.putInt(at, value, ByteOrder.LITTLE_ENDIAN);
  }

  /** A length of four bytes, then as much of the name as there is room for. */
  private static void putName(UnsafeBuffer buffer, int at, int room, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    byte[] kept = Arrays.copyOf(bytes, Math.min(bytes.length, room - Integer.BYTES));
    buffer.putBytes(at + Integer.BYTES, kept);
    putInt(buffer, at, kept.length);
  }
}
