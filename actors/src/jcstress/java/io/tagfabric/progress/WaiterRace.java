package io.tagfabric.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A thread begins to wait while another makes true what it waits for. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "the waiter saw it or was woken")
@Outcome(id = "false", expect = Expect.FORBIDDEN, desc = "the waiter slept though it was true")
@State
public class WaiterRace {
  private static final long LOST_NS = 5_000_000_000L;
  private static final VarHandle CONDITION;

  static {
    try {
      CONDITION =
          MethodHandles.lookup().findVarHandle(WaiterRace.class, "condition", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LoopSleepers sleepers =
      new LoopSleepers(
          this,
          TimeSource.SYSTEM,
          new LoopSleepers.Work() {
            @Override
            public boolean hasQueued() {
              return false;
            }

            @Override
            public long nextTimerNs() {
              return Long.MAX_VALUE;
            }
          });

  boolean condition;

  private boolean holds() {
    return (boolean) CONDITION.getAcquire(this);
  }

  @Actor
  public void waits(Z_Result result) {
    sleepers.enterWait();
    long beganNs = System.nanoTime();
    while (!holds() && System.nanoTime() - beganNs < LOST_NS) {
      sleepers.parkWaiter(this::holds, LOST_NS);
    }
    result.r1 = System.nanoTime() - beganNs < LOST_NS;
    sleepers.leaveWait();
  }

  @Actor
  public void makesTrue() {
    CONDITION.setRelease(this, true);
    sleepers.wakeWaiters();
  }
}
