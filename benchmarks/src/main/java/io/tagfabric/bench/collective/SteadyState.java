package io.tagfabric.bench.collective;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/**
 * Says when a warm-up may end: rounds go on until several in a row have brought nothing more while
 * this JVM's compiler was nearly idle, or there have been enough.
 */
final class SteadyState {
  private static final int VAIN_ROUNDS = 3;
  private static final int MOST_ROUNDS = 20;
  private static final double GAIN = 0.95;

  /** So much of a round the compiler may take. */
  private static final double COMPILING = 0.02;

  private static final double NS_PER_MS = 1e6;

  private long beganNs = System.nanoTime();
  private long compiledMs = compiledMs();
  private long bestNs = Long.MAX_VALUE;
  private int vain;
  private int rounds;

  /** Notes a round's median; true if no other round is needed. */
  boolean isReachedWith(long medianNs) {
    rounds++;
    boolean compiling = isCompiling();
    vain = compiling || medianNs < GAIN * bestNs ? 0 : vain + 1;
    bestNs = Math.min(bestNs, medianNs);
    return vain == VAIN_ROUNDS || rounds == MOST_ROUNDS;
  }

  private boolean isCompiling() {
    long beforeNs = beganNs;
    long beforeMs = compiledMs;
    beganNs = System.nanoTime();
    compiledMs = compiledMs();
    return (compiledMs - beforeMs) * NS_PER_MS > COMPILING * (beganNs - beforeNs);
  }

  /** 0 where nothing is compiled. */
  private static long compiledMs() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return compiler == null ? 0 : compiler.getTotalCompilationTime();
  }
}
