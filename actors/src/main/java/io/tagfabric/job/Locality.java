package io.tagfabric.job;

/**
 * Where a rank runs, by numbers that are the same in all ranks of its job.
 *
 * @param host hosts are numbered from 0 in the order of the lowest rank on them
 * @param vm JVMs likewise; several ranks may share one
 */
public record Locality(int host, int vm) {
  /** Whether two ranks reach each other through memory. */
  public boolean isOnHostOf(Locality other) {
    return host == other.host;
  }

  /** Whether two ranks share a JVM. */
  public boolean isInVmOf(Locality other) {
    return vm == other.vm;
  }
}
