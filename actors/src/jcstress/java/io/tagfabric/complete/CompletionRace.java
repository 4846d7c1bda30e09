package io.tagfabric.complete;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread reads while the loop publishes two completions, which makes the ring grow. */
@JCStressTest
@Outcome(id = "[123], 3", expect = Expect.ACCEPTABLE, desc = "each is read once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a completion is lost, doubled or torn")
@State
public class CompletionRace {
  private static final int TWO = 1000;
  private static final int THREE = 1_000_000;
  private static final int SLOTS = 2;

  private final CompletionRing ring = new CompletionRing(3, null, SLOTS);
  private final CompletionBatch batch = new CompletionBatch();
  private int sum;

  public CompletionRace() {
    ring.tryReserve();
    ring.tryReserve();
    ring.tryReserve();
    batch.next().setSent("one", 0, 1, 0);
    ring.publish(batch);
    batch.next().setSent("two", 0, TWO, 0);
    batch.next().setSent("three", 0, THREE, 0);
  }

  private int read() {
    return ring.read(entry -> sum += (int) entry.tag(), 3);
  }

  @Actor
  public void publishes() {
    ring.publish(batch);
  }

  @Actor
  public void reads(II_Result result) {
    result.r1 = read();
  }

  @Arbiter
  public void readsTheRest(II_Result result) {
    int all = result.r1 + read();
    // As many as were written, with what was written.
    result.r2 = sum == 1 + TWO + THREE ? all : -all;
  }
}
