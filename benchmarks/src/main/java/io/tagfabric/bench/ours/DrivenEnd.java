package io.tagfabric.bench.ours;

import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.ProgressLoop;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One of two ends with a domain each that one thread drives: whatever this one waits for, the other
 * makes progress too.
 */
final class DrivenEnd extends FabricEnd {
  private static final int POLLS_BEFORE_PARK = 64;

  /** Where a provider has threads of its own, polling on would count as its cost. */
  private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(10);

  private final ProgressLoop loop;
  private DrivenEnd other;

  private DrivenEnd(Endpoint endpoint, int peer, Buffers buffers) {
    super(endpoint, peer, Waiting.POLLING, buffers);
    loop = endpoint.receiveQueue().loop();
  }

  /** Two ends, each the other's peer; the first is near. */
  static DrivenEnd[] pair(
      Endpoint near, Buffers nearBuffers, Endpoint far, Buffers farBuffers, int toFar, int toNear) {
    DrivenEnd[] ends = {
      new DrivenEnd(near, toFar, nearBuffers), new DrivenEnd(far, toNear, farBuffers)
    };
    ends[0].other = ends[1];
    ends[1].other = ends[0];
    return ends;
  }

  /**
   * What this end has sent leaves. A read of its queue would also look several times for what
   * cannot have come yet.
   */
  private void pass() {
    loop.advance();
  }

  @Override
  void giveWay(int polls) {
    other.pass();
    if (polls % POLLS_BEFORE_PARK == 0) {
      LockSupport.parkNanos(PARK_NS);
    }
  }

  @Override
  public void await(int messages) {
    int polls = 0;
    long beginNs = 0;
    while (received() < messages) {
      other.pass();
      poll();
      if (++polls % POLLS_BEFORE_PARK == 0 && received() < messages) {
        LockSupport.parkNanos(PARK_NS);
        beginNs = requireTime(beginNs, messages);
      }
    }
  }

  private long requireTime(long beginNs, int messages) {
    long nowNs = System.nanoTime();
    if (beginNs != 0 && nowNs - beginNs > PATIENCE.toNanos()) {
      throw new FabricException(
          FabricError.TIMED_OUT,
          "received=" + received() + " of " + messages + " messages within " + PATIENCE);
    }
    return beginNs == 0 ? nowNs : beginNs;
  }
}
