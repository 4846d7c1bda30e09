package io.tagfabric.bench.measure;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** Counts bytes that the threads of this JVM allocate on the heap, freed or not. Thread: one. */
public final class Allocation {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Map<Long, Long> lastOfThreads = new HashMap<>();

  /**
   * Bytes since the last call, by all threads that live now; since their beginning in the first.
   * What a thread allocated that has ended in between is not known.
   */
  public long sinceLastCall() {
    Map<Long, Long> ofThreads = new HashMap<>();
    long[] ids = THREADS.getAllThreadIds();
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    long total = 0;
    for (int i = 0; i < ids.length; i++) {
      // a thread that has just ended answers -1
      if (bytes[i] >= 0) {
        ofThreads.put(ids[i], bytes[i]);
        total += bytes[i] - lastOfThreads.getOrDefault(ids[i], 0L);
      }
    }
    lastOfThreads = ofThreads;
    return total;
  }

  /** Bytes that the calling thread has allocated since it began. */
  public static long ofThisThread() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
