package io.tagfabric.exit;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.CodePolicy;

/**
 * An exit code and where it comes from.
 *
 * @param code 0 to 255
 * @param atMs when it was asked for, by the clock of that rank's host, in ms since 1970
 * @param rank the one that asked
 */
@InternalApi
public record Verdict(int code, long atMs, int rank) {
  /** The one of two that a policy prefers; ties go to the lower rank, so order does not matter. */
  Verdict merge(Verdict other, CodePolicy policy) {
    int order =
        switch (policy) {
          case MAX -> Integer.compare(other.code, code);
          case FIRST -> Long.compare(atMs, other.atMs);
          case LEADER -> 0;
        };
    return order < 0 || (order == 0 && rank <= other.rank) ? this : other;
  }
}
