package io.tagfabric.exit;

import io.tagfabric.cluster.job.CodePolicy;
import java.util.ArrayList;
import java.util.List;

/** The verdict a rank ends with, as far as it knows, and those that count no more. */
final class Verdicts {
  private final CodePolicy policy;
  private final List<Integer> rejected = new ArrayList<>();
  private Verdict current;
  private Verdict heard;
  private Verdict inherited;

  Verdicts(CodePolicy policy) {
    this.policy = policy;
  }

  /** What counts now; null as long as the end has not begun. */
  Verdict current() {
    return current;
  }

  /** This rank's own wish, together with what others have said before. */
  void want(Verdict wanted) {
    current = heard == null ? wanted : wanted.merge(heard, policy);
  }

  /** Counts instead of all others. */
  void take(Verdict verdict) {
    current = verdict;
  }

  /** A wish that came too late. */
  void reject(Verdict wanted) {
    rejected.add(wanted.code());
  }

  /** What another rank has gathered in the reduction. */
  void hear(Verdict theirs) {
    heard = heard == null ? theirs : heard.merge(theirs, policy);
  }

  /** This rank reduces, too: what it has heard counts. */
  void mergeHeard() {
    current = current.merge(heard, policy);
  }

  /** The wish of a rank that wants to lead: this one's, should that rank be lost. */
  void inherit(Verdict theirs) {
    inherited = theirs;
  }

  Verdict inheritedOr(Verdict own) {
    return inherited == null ? own : inherited;
  }

  ExitNotice notice(ExitKind kind) {
    return new ExitNotice(current.code(), current.rank(), kind);
  }

  ExitResult result(
      boolean graceful, List<Integer> unanswered, boolean hooksOverran, ExitCounters counters) {
    return new ExitResult(
        current.code(),
        current.rank(),
        graceful,
        unanswered,
        List.copyOf(rejected),
        hooksOverran,
        counters);
  }
}
