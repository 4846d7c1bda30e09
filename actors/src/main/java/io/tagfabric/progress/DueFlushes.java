package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;
import java.util.ArrayList;
import java.util.List;

/**
 * Flushes that run at the end of a pass only if something is due: a domain may have thousands of
 * endpoints, of which a pass concerns few. Nothing is allocated while as many are due as were
 * before.
 *
 * <p>Thread: the one that has the domain's loop.
 */
@InternalApi
public final class DueFlushes {
  /** Due before all in the list; mostly there is one, which needs no list. */
  private Flush first;

  private List<Flush> due = new ArrayList<>();
  private List<Flush> running = new ArrayList<>();

  DueFlushes() {}

  /** One of them; it is due when its owner says so. */
  @InternalApi
  public final class Flush {
    private final ProgressLoop.Step step;
    private boolean isDue;
    private boolean closed;

    private Flush(ProgressLoop.Step step) {
      this.step = step;
    }

    /** Lets the step run at the end of this pass; of the next one, if this one is past that. */
    public void mark() {
      if (!isDue) {
        isDue = true;
        if (isEmpty()) {
          first = this;
        } else {
          due.add(this);
        }
      }
    }

    /** What was due is done, before the end of the pass. */
    public void unmark() {
      if (isDue) {
        isDue = false;
        if (first == this) {
          first = null;
          return;
        }
        int last = due.size() - 1;
        if (last >= 0 && due.get(last) == this) {
          due.remove(last);
        }
      }
    }

    /** Never again. */
    public void close() {
      closed = true;
    }

    private int run() {
      boolean runs = isDue && !closed;
      isDue = false;
      return runs ? step.run() : 0;
    }
  }

  Flush add(ProgressLoop.Step step) {
    return new Flush(step);
  }

  /** Whether nothing is due; one that was unmarked may still seem to be. */
  boolean isEmpty() {
    return first == null && due.isEmpty();
  }

  /** Runs what is due now. Returns the work done. */
  int run() {
    Flush lone = first;
    if (due.isEmpty()) {
      return lone == null ? 0 : runAlone(lone);
    }
    if (lone != null) {
      first = null;
      due.add(0, lone);
    }
    return runAll();
  }

  private int runAlone(Flush lone) {
    first = null;
    boolean complete = false;
    try {
      int work = lone.run();
      complete = true;
      return work;
    } finally {
      if (!complete) {
        lone.mark();
      }
    }
  }

  private int runAll() {
    List<Flush> now = due;
    due = running;
    running = now;
    int work = 0;
    int begun = 0;
    try {
      while (begun < now.size()) {
        work += now.get(begun).run();
        begun++;
      }
    } finally {
      // After a failure it, and the others, still have their turn.
      for (int i = begun; i < now.size(); i++) {
        Flush left = now.get(i);
        if (i == begun) {
          left.mark();
        } else {
          due.add(left);
        }
      }
      now.clear();
    }
    return work;
  }
}
