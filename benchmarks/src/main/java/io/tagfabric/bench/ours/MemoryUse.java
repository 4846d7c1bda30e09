package io.tagfabric.bench.ours;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What this process holds at a moment.
 *
 * @param heap bytes of reachable objects
 * @param direct bytes of direct buffers
 * @param shared bytes touched of files mapped from /dev/shm; 0 where there is no /proc
 */
record MemoryUse(long heap, long direct, long shared) {
  private static final Path MAPPINGS = Path.of("/proc/self/smaps");
  private static final String SHARED = "/dev/shm/";
  private static final String RESIDENT = "Rss:";

  /** The serial collector leaves what is 5 % of the heap where it lies, but each fourth time. */
  private static final int COLLECTIONS = 4;

  private static final int MOST_LOOKS = 20;
  private static final int STEADY_BYTES = 4096;
  private static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Collects garbage and looks, again and again until the heap has stopped shrinking. */
  static MemoryUse now() {
    MemoryUse last = look();
    for (int looks = 1; looks < MOST_LOOKS; looks++) {
      LockSupport.parkNanos(SETTLE_NS);
      MemoryUse next = look();
      if (last.heap - next.heap < STEADY_BYTES) {
        return next;
      }
      last = next;
    }
    return last;
  }

  private static MemoryUse look() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return new MemoryUse(heap, direct, residentShared());
  }

  private static long residentShared() {
    if (!Files.isReadable(MAPPINGS)) {
      return 0;
    }
    try {
      return residentIn(Files.readAllLines(MAPPINGS), SHARED);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Bytes resident in the mappings of files whose path begins so.
   *
   * @source proc(5), /proc/pid/smaps
   */
  static long residentIn(List<String> lines, String path) {
    long bytes = 0;
    boolean inside = false;
    for (String line : lines) {
      if (isHeader(line)) {
        inside = line.contains(" " + path);
      } else if (inside && line.startsWith(RESIDENT)) {
        String[] words = line.substring(RESIDENT.length()).strip().split(" ", -1);
        bytes += Long.parseLong(words[0]) * 1024;
      }
    }
    return bytes;
  }

  /** A mapping begins with its addresses, a line about it with a name and a colon. */
  private static boolean isHeader(String line) {
    int blank = line.indexOf(' ');
    return blank > 0 && line.charAt(blank - 1) != ':';
  }

  /** What has come since. */
  MemoryUse since(MemoryUse before) {
    return new MemoryUse(heap - before.heap, direct - before.direct, shared - before.shared);
  }
}
