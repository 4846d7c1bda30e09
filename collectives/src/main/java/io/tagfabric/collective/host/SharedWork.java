package io.tagfabric.collective.host;

import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.OperatorException;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What one member does in one collective, as stages that all members count alike: in each it may
 * write into its own slot, and reads the slots of some others. Moved by a {@link SharedBoard}.
 *
 * <p>Contributions are combined in rank order, whatever the operator.
 */
public abstract class SharedWork {
  private static final int DIRECT_BYTES = 32 << 10;

  final SharedCall call;
  final int rank;
  final int size;
  final ElementKind kind;
  private SharedLayout layout;
  private UnsafeBuffer memory;

  SharedWork(SharedCall call) {
    this.call = call;
    this.rank = call.shape().rank();
    this.size = call.shape().size();
    this.kind = call.output().kind();
  }

  /**
   * The work for a call in the memory of a segment.
   *
   * @throws IllegalArgumentException if there is none for such calls
   */
  public static SharedWork of(SharedCall call, SharedSegment segment) {
    return switch (call.collective()) {
      case BARRIER -> new BarrierWork(call);
      case BROADCAST -> new BroadcastWork(call);
      case SCAN, EXSCAN -> new FoldWork(call);
      case REDUCE, ALLREDUCE ->
          isShort(call, segment.layout()) ? new FoldWork(call) : new SlicedFoldWork(call);
      case GATHER, ALLGATHER -> new GatherWork(call);
      case SCATTER, ALLTOALL, REDUCE_SCATTER -> new DealWork(call);
      case NEIGHBOUR_EXCHANGE ->
          throw new IllegalArgumentException("neighbours do not meet in one memory");
    };
  }

  /** Whether all may read all: less work than slices up to about here, and one stage. */
  private static boolean isShort(SharedCall call, SharedLayout layout) {
    int bytes = call.output().kind().bytes() * call.count();
    return bytes <= Math.min(layout.sliceBytes, DIRECT_BYTES / call.shape().size());
  }

  /** As in reports. */
  public String algorithm() {
    return "flags";
  }

  final void bind(SharedLayout layoutOfAll, UnsafeBuffer memoryOfAll) {
    layout = layoutOfAll;
    memory = memoryOfAll;
    plan();
  }

  /** Cuts the work into stages; the layout is known. */
  abstract void plan();

  /** Before anything else of a stage. */
  void begin(int stage) {}

  /** How many there are, at least 1. */
  abstract int stages();

  /** Whether the data stand beside the flag. */
  abstract boolean isInline();

  /** Whether this member writes in a stage. */
  abstract boolean writes(int stage);

  abstract void write(int stage, int at);

  /** Whether this member reads what another writes in a stage. */
  abstract boolean reads(int stage, int member);

  abstract void read(int stage, int member, int at);

  /** Comes between the others, in its place. */
  void readOwn(int stage, int at) {}

  final long signature() {
    return call.signature();
  }

  final SharedLayout layout() {
    return layout;
  }

  final DirectBuffer memory() {
    return memory;
  }

  /** Elements that fit into so many bytes, at least one. */
  final int fitting(int bytes) {
    return Math.max(1, bytes / kind.bytes());
  }

  static int stagesFor(int count, int each) {
    return Math.max(1, (int) ((count + (long) each - 1) / each));
  }

  final void put(Elements from, int first, int count, int at) {
    int bytes = kind.bytes();
    memory.putBytes(at, from.buffer(), from.offset() + first * bytes, count * bytes);
  }

  final void get(int at, Elements into, int first, int count) {
    int bytes = kind.bytes();
    into.buffer().putBytes(into.offset() + first * bytes, memory, at, count * bytes);
  }

  final void copy(Elements from, int first, Elements into, int intoFirst, int count) {
    int bytes = kind.bytes();
    into.buffer()
        .putBytes(
            into.offset() + intoFirst * bytes,
            from.buffer(),
            from.offset() + first * bytes,
            count * bytes);
  }

  /** Combines contributions that come one by one; the first two at once. */
  final class Fold {
    private DirectBuffer first;
    private int firstAt;
    private int seen;

    void begin() {
      seen = 0;
    }

    /** Whether none has come. */
    boolean isEmpty() {
      return seen == 0;
    }

    void add(DirectBuffer buffer, int at, MutableDirectBuffer into, int intoAt, int count) {
      if (seen == 0) {
        first = buffer;
        firstAt = at;
      } else if (seen == 1) {
        combine(first, firstAt, buffer, at, into, intoAt, count);
      } else {
        combine(into, intoAt, buffer, at, into, intoAt, count);
      }
      seen++;
    }

    private void combine(
        DirectBuffer left,
        int leftAt,
        DirectBuffer right,
        int rightAt,
        MutableDirectBuffer into,
        int intoAt,
        int count) {
      OperatorException.combine(
          call.operator(), kind, left, leftAt, right, rightAt, into, intoAt, count);
    }

    /** After the last one: a single contribution is the result. */
    void end(MutableDirectBuffer into, int intoAt, int count) {
      if (seen == 1) {
        into.putBytes(intoAt, first, firstAt, count * kind.bytes());
      }
    }
  }

  /** After all have been read. */
  void end(int stage) {}
}
