package io.tagfabric.collective.reduce;

import io.tagfabric.collective.reduce.StandardKind.Group;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The usual operators, all commutative.
 *
 * <p>Integers wrap around. Of unsigned kinds, minimum and maximum compare as unsigned. The minimum
 * and maximum of a NaN and anything is NaN, and -0.0 is less than 0.0. MINLOC and MAXLOC give what
 * MIN and MAX give, also NaN, and the lowest place that has it. Logical operators take an integer
 * other than 0 for true and give 0 or 1.
 *
 * @source MPI-4.1 §6.9.2, §6.9.4
 */
public enum Reduction implements ReduceOp {
  SUM,
  PRODUCT,
  MIN,
  MAX,
  LOGICAL_AND,
  LOGICAL_OR,
  LOGICAL_XOR,
  BITWISE_AND,
  BITWISE_OR,
  BITWISE_XOR,
  MINLOC,
  MAXLOC;

  static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  @Override
  public boolean commutative() {
    return true;
  }

  @Override
  public boolean supports(ElementKind kind) {
    return kind instanceof StandardKind standard && supports(standard);
  }

  private boolean supports(StandardKind kind) {
    boolean isInteger = kind.group() == Group.INTEGER || kind.group() == Group.UNSIGNED;
    return switch (this) {
      case SUM, PRODUCT, MIN, MAX -> isInteger || kind.group() == Group.FLOATING;
      case LOGICAL_AND, LOGICAL_OR, LOGICAL_XOR -> isInteger || kind.group() == Group.LOGICAL;
      case BITWISE_AND, BITWISE_OR, BITWISE_XOR -> isInteger || kind.group() == Group.BITS;
      case MINLOC, MAXLOC -> kind.group() == Group.LOCATED;
    };
  }

  @Override
  public void combine(
      ElementKind wanted,
      DirectBuffer left,
      int leftOffset,
      DirectBuffer right,
      int rightOffset,
      MutableDirectBuffer into,
      int intoOffset,
      int count) {
    if (!(wanted instanceof StandardKind kind) || !supports(kind)) {
      throw new IllegalArgumentException(
          "operator=" + name() + " does not combine kind=" + wanted.key() + ", take another kind");
    }
    if (Blockwise.combine(
        this, kind, left, leftOffset, right, rightOffset, into, intoOffset, count)) {
      return;
    }
    if (this == SUM && kind == StandardKind.FLOAT64) {
      sumDoubles(left, leftOffset, right, rightOffset, into, intoOffset, count);
      return;
    }
    int bytes = kind.bytes();
    for (int at = 0; at < count * bytes; at += bytes) {
      combineOne(kind, left, leftOffset + at, right, rightOffset + at, into, intoOffset + at);
    }
  }

  /** Short runs, without a choice inside. */
  private static void sumDoubles(
      DirectBuffer left,
      int leftOffset,
      DirectBuffer right,
      int rightOffset,
      MutableDirectBuffer into,
      int intoOffset,
      int count) {
    for (int at = 0; at < count * Double.BYTES; at += Double.BYTES) {
      double sum =
          left.getDouble(leftOffset + at, ORDER) + right.getDouble(rightOffset + at, ORDER);
      into.putDouble(intoOffset + at, sum, ORDER);
    }
  }

  private void combineOne(
      StandardKind kind,
      DirectBuffer left,
      int leftAt,
      DirectBuffer right,
      int rightAt,
      MutableDirectBuffer into,
      int at) {
    switch (kind) {
      case FLOAT32 ->
          into.putFloat(
              at, onFloats(left.getFloat(leftAt, ORDER), right.getFloat(rightAt, ORDER)), ORDER);
      case FLOAT64 ->
          into.putDouble(
              at, onDoubles(left.getDouble(leftAt, ORDER), right.getDouble(rightAt, ORDER)), ORDER);
      case INT32_AT, INT64_AT, FLOAT32_AT, FLOAT64_AT -> {
        boolean takesLeft = takesLeft(kind, left, leftAt, right, rightAt);
        into.putBytes(at, takesLeft ? left : right, takesLeft ? leftAt : rightAt, kind.bytes());
      }
      default ->
          Integers.put(
              kind,
              into,
              at,
              onIntegers(
                  Integers.get(kind, left, leftAt),
                  Integers.get(kind, right, rightAt),
                  kind.group() == Group.UNSIGNED));
    }
  }

  private float onFloats(float left, float right) {
    return switch (this) {
      case SUM -> left + right;
      case PRODUCT -> left * right;
      case MIN -> Math.min(left, right);
      default -> Math.max(left, right);
    };
  }

  private double onDoubles(double left, double right) {
    return switch (this) {
      case SUM -> left + right;
      case PRODUCT -> left * right;
      case MIN -> Math.min(left, right);
      default -> Math.max(left, right);
    };
  }

  private long onIntegers(long left, long right, boolean unsigned) {
    return switch (this) {
      case SUM -> left + right;
      case PRODUCT -> left * right;
      case MIN -> isLess(left, right, unsigned) ? left : right;
      case MAX -> isLess(left, right, unsigned) ? right : left;
      case LOGICAL_AND -> left != 0 && right != 0 ? 1 : 0;
      case LOGICAL_OR -> left != 0 || right != 0 ? 1 : 0;
      case LOGICAL_XOR -> (left != 0) != (right != 0) ? 1 : 0;
      case BITWISE_AND -> left & right;
      case BITWISE_OR -> left | right;
      case BITWISE_XOR -> left ^ right;
      case MINLOC, MAXLOC -> throw new IllegalStateException("located elements are no integers");
    };
  }

  private static boolean isLess(long left, long right, boolean unsigned) {
    return (unsigned ? Long.compareUnsigned(left, right) : Long.compare(left, right)) < 0;
  }

  private boolean takesLeft(
      StandardKind kind, DirectBuffer left, int leftAt, DirectBuffer right, int rightAt) {
    int compared =
        switch (kind) {
          case INT32_AT ->
              Integer.compare(left.getInt(leftAt, ORDER), right.getInt(rightAt, ORDER));
          case INT64_AT -> Long.compare(left.getLong(leftAt, ORDER), right.getLong(rightAt, ORDER));
          case FLOAT32_AT -> compare(left.getFloat(leftAt, ORDER), right.getFloat(rightAt, ORDER));
          default -> compare(left.getDouble(leftAt, ORDER), right.getDouble(rightAt, ORDER));
        };
    if (compared == 0) {
      int place = kind.bytes() - Integer.BYTES;
      return left.getInt(leftAt + place, ORDER) <= right.getInt(rightAt + place, ORDER);
    }
    return this == MINLOC ? compared < 0 : compared > 0;
  }

  /** NaN comes first: for MINLOC it is the least of all, for MAXLOC the greatest. */
  private int compare(double left, double right) {
    boolean isNumber = !Double.isNaN(left) && !Double.isNaN(right);
    int compared = Double.compare(left, right);
    return isNumber || this == MAXLOC ? compared : -compared;
  }
}
