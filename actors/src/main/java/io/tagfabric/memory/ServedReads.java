package io.tagfabric.memory;

import io.tagfabric.wire.FrameOrigin;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * The reads of peers that are served: so many at a time, the others wait in the order that they
 * came. A read that waits holds the credit of its request, so there is a bound to them.
 */
final class ServedReads {
  private final int most;
  private final MemoryTarget target;
  private final ArrayDeque<ReadAnswer> waiting = new ArrayDeque<>();
  private final ArrayDeque<ReadAnswer> pool = new ArrayDeque<>();
  private int served;
  private boolean serves;

  ServedReads(int most, MemoryTarget target) {
    this.most = most;
    this.target = target;
  }

  /** Accepts a read that its region allows. */
  void accept(FrameOrigin origin, Region region, long operation, long offset, int length) {
    ReadAnswer read = pool.isEmpty() ? new ReadAnswer(this) : pool.pollLast();
    read.show(origin, region, operation, offset, length);
    region.enter();
    waiting.addLast(read);
    serve();
  }

  private void serve() {
    if (serves) {
      return; // one that ends at once must not begin the next by a deeper call
    }
    serves = true;
    while (served < most && !waiting.isEmpty()) {
      ReadAnswer next = waiting.pollFirst();
      served++;
      next.origin.answer(next);
    }
    serves = false;
  }

  /** All bytes of a read have left, or no more will. */
  void ended(ReadAnswer read) {
    served--;
    finish(read);
    serve();
  }

  private void finish(ReadAnswer read) {
    FrameOrigin origin = read.origin;
    Region region = read.region;
    if (!read.isWhole() && (region.isCut() || !region.hasItsFile()) && !origin.isLost()) {
      target.refuseCut(origin, region, read.operation, read.offset, read.length);
    } else {
      if (read.isWhole()) {
        region.accessed(read.length);
      }
      origin.consumed();
    }
    region.leave();
    read.forget();
    pool.addLast(read);
  }

  /** A peer is lost: what it waits for is dropped. */
  void lost(FrameOrigin origin) {
    for (Iterator<ReadAnswer> reads = waiting.iterator(); reads.hasNext(); ) {
      ReadAnswer read = reads.next();
      if (read.origin == origin) {
        reads.remove();
        finish(read);
      }
    }
  }
}
