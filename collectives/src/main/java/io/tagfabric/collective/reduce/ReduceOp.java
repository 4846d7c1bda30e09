package io.tagfabric.collective.reduce;

import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Combines two runs of elements into one. It must be associative; where {@link #commutative} says
 * no, the operand of the lower ranks is always on the left, and only algorithms that keep rank
 * order are used.
 *
 * <p>Floating-point sums are not associative. The result then depends on team size, algorithm and
 * length, but for a fixed team, settings and arguments it is the same in every run, and the same at
 * all ranks.
 *
 * <p>Thread: any, and several at once. An operator that throws, whatever it is, fails the
 * collective at all members that wait for it, and the error names the rank whose operator it was.
 * After an OutOfMemoryError or InternalError that rank's domain closes, too.
 *
 * @source MPI-4.1 §6.9.5 (user-defined reduction operations)
 */
public interface ReduceOp {
  /** Its name in reports; members whose names differ have made a mistake. */
  String name();

  /** Whether the operands may be swapped. */
  boolean commutative();

  /** Whether elements of a kind can be combined. */
  boolean supports(ElementKind kind);

  /**
   * Sets {@code into[i] = left[i] op right[i]} for {@code count} elements; into may be one of the
   * operands.
   *
   * @param leftOffset in bytes, as the other offsets
   */
  void combine(
      ElementKind kind,
      DirectBuffer left,
      int leftOffset,
      DirectBuffer right,
      int rightOffset,
      MutableDirectBuffer into,
      int intoOffset,
      int count);

  /**
   * Combines elements of this program alone: {@code inOut[i] = input[i] op inOut[i]}.
   *
   * @throws IllegalArgumentException if kinds or counts differ, or the kind cannot be combined
   * @source MPI-4.1 §6.9.7 (MPI_Reduce_local)
   */
  default void reduceLocal(Elements input, Elements inOut) {
    if (input.kind() != inOut.kind() || input.count() != inOut.count() || !supports(input.kind())) {
      throw new IllegalArgumentException(
          input
              + " and "
              + inOut
              + " cannot be combined by operator="
              + name()
              + ", make them fit");
    }
    combine(
        inOut.kind(),
        input.buffer(),
        input.offset(),
        inOut.buffer(),
        inOut.offset(),
        inOut.buffer(),
        inOut.offset(),
        inOut.count());
  }

  /** Combines one element; offsets are in bytes. */
  @FunctionalInterface
  interface Combiner {
    void combine(
        DirectBuffer left,
        int leftOffset,
        DirectBuffer right,
        int rightOffset,
        MutableDirectBuffer into,
        int intoOffset);
  }

  /**
   * An operator of a program for one kind.
   *
   * @param combiner is called for each element, in order
   */
  static ReduceOp of(String name, boolean commutative, ElementKind kind, Combiner combiner) {
    return new ElementwiseOp(name, commutative, kind, combiner);
  }

  /** An operator of a program for FLOAT64. */
  static ReduceOp ofDoubles(String name, boolean commutative, DoubleBinaryOperator operator) {
    return of(
        name,
        commutative,
        ElementKind.FLOAT64,
        (left, leftAt, right, rightAt, into, at) ->
            into.putDouble(
                at,
                operator.applyAsDouble(
                    left.getDouble(leftAt, Reduction.ORDER),
                    right.getDouble(rightAt, Reduction.ORDER)),
                Reduction.ORDER));
  }

  /** An operator of a program for INT64. */
  static ReduceOp ofLongs(String name, boolean commutative, LongBinaryOperator operator) {
    return of(
        name,
        commutative,
        ElementKind.INT64,
        (left, leftAt, right, rightAt, into, at) ->
            into.putLong(
                at,
                operator.applyAsLong(
                    left.getLong(leftAt, Reduction.ORDER), right.getLong(rightAt, Reduction.ORDER)),
                Reduction.ORDER));
  }

  /** An operator of a program for INT32. */
  static ReduceOp ofInts(String name, boolean commutative, IntBinaryOperator operator) {
    return of(
        name,
        commutative,
        ElementKind.INT32,
        (left, leftAt, right, rightAt, into, at) ->
            into.putInt(
                at,
                operator.applyAsInt(
                    left.getInt(leftAt, Reduction.ORDER), right.getInt(rightAt, Reduction.ORDER)),
                Reduction.ORDER));
  }
}
