package io.tagfabric.collective.host;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.Elements;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reduce and allreduce of long vectors. The vector goes through in windows of a slice for each
 * member. In a stage each member writes the slices that others combine, combines its own slice of
 * all, and fetches the slices of the window before that others have combined:
 *
 * <pre>
 *   stage          0              1              2
 *   contributions  window 0       window 1
 *   results                       window 0       window 1
 * </pre>
 *
 * <p>Each byte is combined once. Members read {@code (2p-1)/p} of the vector, and write as much.
 */
final class SlicedFoldWork extends SharedWork {
  private final Fold fold = new Fold();
  private final int count;
  private final boolean hasResult;

  /** Then combining overwrites what this member contributes before it is its turn. */
  private final boolean inPlace;

  private int slice;
  private int windows;
  private int resultAt;
  private UnsafeBuffer partial;

  SlicedFoldWork(SharedCall call) {
    super(call);
    count = call.count();
    inPlace = call.input().isSame(call.output());
    hasResult = call.collective() == Collective.ALLREDUCE || rank == call.shape().root();
  }

  @Override
  public String algorithm() {
    return "slices";
  }

  @Override
  void plan() {
    slice = fitting(layout().sliceBytes);
    windows = stagesFor(count, slice * size);
    resultAt = size * layout().sliceBytes;
    if (!hasResult && partial == null) {
      partial = new UnsafeBuffer(new byte[slice * kind.bytes()]);
    }
  }

  @Override
  void begin(int stage) {
    fold.begin();
  }

  @Override
  int stages() {
    return windows + 1;
  }

  @Override
  boolean isInline() {
    return false;
  }

  private int first(int window, int member) {
    int begin = window * slice * size;
    return begin + Math.min(member * each(window), rest(window));
  }

  private int length(int window, int member) {
    int from = Math.min(member * each(window), rest(window));
    return Math.min(each(window), rest(window) - from);
  }

  private int rest(int window) {
    return Math.min(slice * size, count - window * slice * size);
  }

  /** The last window is cut as evenly as the others. */
  private int each(int window) {
    return (rest(window) + size - 1) / size;
  }

  @Override
  boolean writes(int stage) {
    return true;
  }

  @Override
  void write(int stage, int at) {
    if (stage < windows) {
      for (int member = 0; member < size; member++) {
        if (member != rank || inPlace) {
          put(
              call.input(),
              first(stage, member),
              length(stage, member),
              at + member * layout().sliceBytes);
        }
      }
    }
    if (stage > 0) {
      int window = stage - 1;
      if (hasResult) {
        put(call.output(), first(window, rank), length(window, rank), at + resultAt);
      } else {
        int bytes = length(window, rank) * kind.bytes();
        ((MutableDirectBuffer) memory()).putBytes(at + resultAt, partial, 0, bytes);
      }
    }
  }

  @Override
  boolean reads(int stage, int member) {
    return true;
  }

  @Override
  void read(int stage, int member, int at) {
    if (stage < windows) {
      add(stage, memory(), at + rank * layout().sliceBytes);
    }
    if (stage > 0 && hasResult) {
      int window = stage - 1;
      get(at + resultAt, call.output(), first(window, member), length(window, member));
    }
  }

  @Override
  void readOwn(int stage, int at) {
    if (stage < windows && inPlace) {
      add(stage, memory(), at + rank * layout().sliceBytes);
    } else if (stage < windows) {
      Elements input = call.input();
      add(stage, input.buffer(), input.offset() + first(stage, rank) * kind.bytes());
    }
  }

  private void add(int window, DirectBuffer buffer, int at) {
    fold.add(buffer, at, into(), intoAt(window), length(window, rank));
  }

  private MutableDirectBuffer into() {
    return hasResult ? call.output().buffer() : partial;
  }

  private int intoAt(int window) {
    return hasResult ? call.output().offset() + first(window, rank) * kind.bytes() : 0;
  }

  @Override
  void end(int stage) {
    if (stage < windows) {
      fold.end(into(), intoAt(stage), length(stage, rank));
    }
  }
}
