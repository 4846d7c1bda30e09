package io.tagfabric.trials.exit;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Something that some ranks of a case have to say, or must not.
 *
 * @param who these ranks
 * @param text part of a line of theirs
 * @param wanted whether they have to say it
 * @param what it means, as the end of a sentence
 */
record ExitEvidence(Who who, String text, boolean wanted, String what) {
  /** Ranks by their place, which is turned round when the order is reversed. */
  enum Who {
    ALL,
    FIRST,
    LAST,
    ALL_BUT_LAST;

    /** The ranks of a job; none if the job is too small. */
    List<Integer> ranks(int size, boolean reverse) {
      int first = reverse ? size - 1 : 0;
      int last = size - 1 - first;
      return IntStream.range(0, size)
          .filter(
              rank ->
                  switch (this) {
                    case ALL -> true;
                    case FIRST -> rank == first;
                    case LAST -> rank == last;
                    case ALL_BUT_LAST -> rank != last;
                  })
          .boxed()
          .toList();
    }
  }

  static ExitEvidence says(Who who, String text, String what) {
    return new ExitEvidence(who, text, true, what);
  }

  static ExitEvidence never(Who who, String text, String what) {
    return new ExitEvidence(who, text, false, what);
  }
}
