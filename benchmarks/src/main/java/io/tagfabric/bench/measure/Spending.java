package io.tagfabric.bench.measure;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts what this process spends on messages: processor time, and bytes of new objects. Nothing
 * that is done between an {@link #end} and the next {@link #begin} counts. Thread: one.
 */
public final class Spending {
  private static final com.sun.management.OperatingSystemMXBean PROCESS =
      (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final Allocation allocation = new Allocation();
  private long beganAtCpuNs;
  private long cpuNs;
  private long allocatedBytes;
  private double messages;

  /** From here on it counts. */
  public void begin() {
    allocation.sinceLastCall();
    beganAtCpuNs = PROCESS.getProcessCpuTime();
  }

  /**
   * Up to here it counted.
   *
   * @param messages moved since it began, or accesses, asks: what a row gives the time of
   */
  public void end(double messages) {
    cpuNs += PROCESS.getProcessCpuTime() - beganAtCpuNs;
    allocatedBytes += allocation.sinceLastCall();
    this.messages += messages;
  }

  /** A message's share, as fields of a row. */
  public Map<String, Object> perMessage() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("cpu_usec", cpuNs / 1e3 / messages);
    fields.put("allocated", allocatedPerMessage());
    return fields;
  }

  /** Bytes of new objects for each message. */
  public double allocatedPerMessage() {
    return allocatedBytes / messages;
  }
}
