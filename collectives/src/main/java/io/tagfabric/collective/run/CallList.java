package io.tagfabric.collective.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The calls of a member that have not ended, in the order in which they were started. A call has
 * its neighbours itself, so nothing is allocated and none is looked for. Only passes of the loop
 * touch it.
 */
final class CallList {
  private CallRun first;
  private CallRun last;

  /** Adds one that is in no list. */
  void add(CallRun run) {
    run.listed = true;
    run.before = last;
    if (last == null) {
      first = run;
    } else {
      last.after = run;
    }
    last = run;
  }

  /** Takes one out; false if it is not there any more. */
  boolean remove(CallRun run) {
    if (!run.listed) {
      return false;
    }
    run.listed = false;
    if (run.before == null) {
      first = run.after;
    } else {
      run.before.after = run.after;
    }
    if (run.after == null) {
      last = run.before;
    } else {
      run.after.before = run.before;
    }
    run.before = null;
    run.after = null;
    return true;
  }

  boolean isEmpty() {
    return first == null;
  }

  boolean has(Predicate<CallRun> wanted) {
    return find(wanted) != null;
  }

  /** The first of them, null if there is none. */
  CallRun find(Predicate<CallRun> wanted) {
    for (CallRun run = first; run != null; run = run.after) {
      if (wanted.test(run)) {
        return run;
      }
    }
    return null;
  }

  /** All of them now. */
  List<CallRun> copy() {
    List<CallRun> all = new ArrayList<>();
    for (CallRun run = first; run != null; run = run.after) {
      all.add(run);
    }
    return all;
  }
}
