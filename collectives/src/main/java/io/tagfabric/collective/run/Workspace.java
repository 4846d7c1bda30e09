package io.tagfabric.collective.run;

import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.OperatorException;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.schedule.Memory;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.collective.schedule.Slice;
import io.tagfabric.collective.schedule.Step;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The memories of one run of a schedule, and the steps that need no other rank. Plain Java; used by
 * one thread at a time.
 */
final class Workspace {
  /** No array is longer in every JVM. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private final ElementKind kind;
  private final ReduceOp operator;
  private final Elements input;
  private final Elements output;
  private final UnsafeBuffer scratch;

  /**
   * Binds the memories.
   *
   * @param operator null if the schedule does not reduce
   */
  Workspace(
      ElementKind kind, ReduceOp operator, Elements input, Elements output, int scratchLength) {
    this.kind = kind;
    this.operator = operator;
    this.input = input;
    this.output = output;
    this.scratch = new UnsafeBuffer(new byte[scratchBytes(kind, scratchLength)]);
  }

  private static int scratchBytes(ElementKind kind, int length) {
    long bytes = (long) length * kind.bytes();
    if (bytes > MOST_BYTES) {
      throw new FabricException(
          FabricError.NO_MEMORY,
          "the algorithm needs "
              + bytes
              + " bytes of its own > "
              + MOST_BYTES
              + ", the longest array; call with fewer elements or force another algorithm");
    }
    return (int) bytes;
  }

  /** The memories of a part of a call. */
  static Workspace of(Schedule schedule, CollectiveCall call, Elements input, Elements output) {
    return new Workspace(output.kind(), call.operator(), input, output, schedule.scratchLength());
  }

  /** Where a memory is. */
  MutableDirectBuffer buffer(Memory memory) {
    return switch (memory) {
      case INPUT -> input.buffer();
      case OUTPUT -> output.buffer();
      case SCRATCH -> scratch;
    };
  }

  /** Where a slice begins in its buffer, in bytes. */
  int offset(Slice slice) {
    int base =
        switch (slice.memory()) {
          case INPUT -> input.offset();
          case OUTPUT -> output.offset();
          case SCRATCH -> 0;
        };
    return base + slice.offset() * kind.bytes();
  }

  /** Bytes of a slice. */
  int length(Slice slice) {
    return slice.length() * kind.bytes();
  }

  /** Puts received bytes in their place. */
  void fill(Slice into, DirectBuffer bytes, int offset) {
    buffer(into.memory()).putBytes(offset(into), bytes, offset, length(into));
  }

  /** Copies or combines. */
  void perform(Step.Local step) {
    if (step instanceof Step.Copy copy) {
      fill(copy.into(), buffer(copy.from().memory()), offset(copy.from()));
    } else if (step instanceof Step.Reduce reduce) {
      OperatorException.combine(
          operator,
          kind,
          buffer(reduce.left().memory()),
          offset(reduce.left()),
          buffer(reduce.right().memory()),
          offset(reduce.right()),
          buffer(reduce.into().memory()),
          offset(reduce.into()),
          reduce.into().length());
    }
  }
}
