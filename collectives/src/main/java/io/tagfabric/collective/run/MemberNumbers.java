package io.tagfabric.collective.run;

import io.tagfabric.annotation.InternalApi;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * A number for each of some members. They are kept as runs of members that follow one another and
 * have the same number: as a rule members of a large team name the same, so a handful of runs stand
 * for thousands of them.
 *
 * @param runs in the order of members; none touches the next, if they have the same number
 */
@InternalApi
public record MemberNumbers(List<Run> runs) {
  /** Of no member. */
  public static final MemberNumbers NONE = new MemberNumbers(List.of());

  /**
   * Members that have the same number.
   *
   * @param first the lowest of them
   * @param count how many follow one another
   */
  @InternalApi
  public record Run(int first, int count, int number) {
    private long end() {
      return (long) first + count;
    }

    private boolean goesOnIn(Run next) {
      return end() == next.first && number == next.number;
    }
  }

  /** What to do with a member's number. */
  @InternalApi
  @FunctionalInterface
  public interface Action {
    /** Looks at one. */
    void accept(int member, int number);
  }

  /**
   * Takes runs over.
   *
   * @throws IllegalArgumentException if they are not in order, or not as few as can be
   */
  public MemberNumbers {
    runs = List.copyOf(runs);
    long end = 0;
    Run last = null;
    for (Run run : runs) {
      if (run.count < 1 || run.first < end || run.end() > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "the members of " + run + " do not follow those before " + end);
      }
      if (last != null && last.goesOnIn(run)) {
        throw new IllegalArgumentException(last + " and " + run + " are one run, not two");
      }
      end = run.end();
      last = run;
    }
  }

  /** Of one member. */
  public static MemberNumbers of(int member, int number) {
    return new MemberNumbers(List.of(new Run(member, 1, number)));
  }

  /**
   * All of them together. No member should have two; of one that has, the one of the run that
   * begins first is kept.
   */
  static MemberNumbers of(Collection<MemberNumbers> parts) {
    List<Run> all = new ArrayList<>();
    parts.forEach(part -> all.addAll(part.runs));
    all.sort(Comparator.comparingInt(Run::first).thenComparingInt(Run::count));
    List<Run> joined = new ArrayList<>();
    for (Run run : all) {
      join(joined, run);
    }
    return new MemberNumbers(joined);
  }

  /** Adds a run, without the members that are there. */
  private static void join(List<Run> joined, Run run) {
    Run rest = run;
    if (!joined.isEmpty()) {
      Run last = joined.get(joined.size() - 1);
      if (run.end() <= last.end()) {
        return;
      }
      int first = (int) Math.max(run.first, last.end());
      rest = new Run(first, (int) (run.end() - first), run.number);
      if (last.goesOnIn(rest)) {
        joined.remove(joined.size() - 1);
        rest = new Run(last.first, last.count + rest.count, last.number);
      }
    }
    joined.add(rest);
  }

  /** Both together. */
  MemberNumbers and(MemberNumbers other) {
    if (other.runs.isEmpty()) {
      return this;
    }
    return runs.isEmpty() ? other : of(List.of(this, other));
  }

  public boolean isEmpty() {
    return runs.isEmpty();
  }

  /** Of how many members. */
  public int size() {
    return runs.stream().mapToInt(Run::count).sum();
  }

  /** One more than the highest member; 0 if there is none. */
  public int length() {
    return runs.isEmpty() ? 0 : (int) runs.get(runs.size() - 1).end();
  }

  /** Those that have a number. */
  public BitSet members() {
    BitSet members = new BitSet();
    runs.forEach(run -> members.set(run.first, run.first + run.count));
    return members;
  }

  /** The numbers in the order of members. */
  public int[] numbers() {
    int[] numbers = new int[size()];
    int at = 0;
    for (Run run : runs) {
      Arrays.fill(numbers, at, at + run.count, run.number);
      at += run.count;
    }
    return numbers;
  }

  /** The same without some members. */
  MemberNumbers without(BitSet gone) {
    List<Run> left = new ArrayList<>();
    for (Run run : runs) {
      int end = run.first + run.count;
      int from = gone.nextClearBit(run.first);
      while (from < end) {
        int next = gone.nextSetBit(from);
        int to = next < 0 ? end : Math.min(next, end);
        left.add(new Run(from, to - from, run.number));
        from = gone.nextClearBit(to);
      }
    }
    return new MemberNumbers(left);
  }

  /** Looks at each in the order of members. */
  public void forEach(Action action) {
    for (Run run : runs) {
      for (int member = run.first; member < run.first + run.count; member++) {
        action.accept(member, run.number);
      }
    }
  }
}
