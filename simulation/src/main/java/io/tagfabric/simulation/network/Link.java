package io.tagfabric.simulation.network;

/** The way from one node to another. Thread: the simulation's. */
public final class Link {
  private long latencyNs = 20_000;
  private long jitterNs;
  private boolean held;
  private boolean cut;
  private boolean givenUp;

  /** How long a packet takes at least, and how much longer at most. */
  public void latency(long newLatencyNs, long newJitterNs) {
    latencyNs = newLatencyNs;
    jitterNs = newJitterNs;
  }

  /** Packets wait from now on. */
  public void hold() {
    held = true;
  }

  /** Packets that wait go on, in their order. */
  public void release() {
    held = false;
  }

  /** Nothing gets through from now on: packets are lost, or wait if the provider is reliable. */
  public void cut() {
    cut = true;
  }

  /** Ends what {@link #cut} began. */
  public void heal() {
    cut = false;
  }

  /** What is under way or waits is lost for good, and nothing comes through any more. */
  void giveUp() {
    givenUp = true;
    held = false;
  }

  /** Whether it was given up. */
  boolean isGivenUp() {
    return givenUp;
  }

  /** Whether packets wait. */
  public boolean isHeld() {
    return held;
  }

  /** Whether nothing gets through. */
  public boolean isCut() {
    return cut;
  }

  long latencyNs() {
    return latencyNs;
  }

  long jitterNs() {
    return jitterNs;
  }
}
