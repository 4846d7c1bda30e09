package io.tagfabric.complete;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The loop publishes two completions into a ring of two while a thread reads. */
@JCStressTest
@Outcome(id = "[012], 2", expect = Expect.ACCEPTABLE, desc = "each is read once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a completion is lost, doubled or torn")
@State
public class CompletionRace {
  private static final int SUM = 1000;

  private final CompletionRing ring = new CompletionRing(2);
  private final CompletionBatch batch = new CompletionBatch();
  private int sum;

  public CompletionRace() {
    ring.tryReserve();
    ring.tryReserve();
    batch.next().setSent("one", 0, 1, 0);
    batch.next().setSent("two", 0, SUM, 0);
  }

  private int read() {
    return ring.read(entry -> sum += (int) entry.tag(), 2);
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
    result.r2 = sum == 1 + SUM ? all : -all;
  }
}
