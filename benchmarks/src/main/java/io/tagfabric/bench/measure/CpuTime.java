package io.tagfabric.bench.measure;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts processor time that threads of this JVM take between {@link #begin} and {@link #end}; what
 * counting itself takes is not in the time of the calling thread. Compilers and the collector of
 * garbage are not among the threads. Unlike time by the clock, it does not grow because other
 * processes want the cores. Thread: one.
 */
public final class CpuTime {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Map<Long, Long> before = Map.of();
  private long ownBeforeNs;

  /**
   * What was taken.
   *
   * @param ownNs by the calling thread
   * @param othersNs by all others that live at the end
   */
  public record Spent(long ownNs, long othersNs) {
    /** By all together. */
    public long allNs() {
      return ownNs + othersNs;
    }
  }

  /** From here on it counts. */
  public void begin() {
    before = others();
    ownBeforeNs = THREADS.getCurrentThreadCpuTime();
  }

  /** Up to here it counted. */
  public Spent end() {
    long ownNs = THREADS.getCurrentThreadCpuTime() - ownBeforeNs;
    long othersNs = 0;
    for (Map.Entry<Long, Long> thread : others().entrySet()) {
      othersNs += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
    }
    return new Spent(ownNs, othersNs);
  }

  private static Map<Long, Long> others() {
    long[] ids = THREADS.getAllThreadIds();
    long[] timesNs = THREADS.getThreadCpuTime(ids);
    Map<Long, Long> times = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      // a thread that has just ended answers -1
      if (timesNs[i] >= 0 && ids[i] != Thread.currentThread().getId()) {
        times.put(ids[i], timesNs[i]);
      }
    }
    return times;
  }
}
