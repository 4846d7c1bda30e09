package io.tagfabric.memory;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The arithmetic of atomic operations. Pure. A result that is not a number is always the same one:
 * which of two operands lends its bits depends on the compiler.
 */
final class Atomics {
  private Atomics() {}

  /** Updates elements in place, one after the other. */
  static void update(
      AtomicOp op,
      AtomicKind kind,
      int count,
      MutableDirectBuffer elements,
      int elementsAt,
      DirectBuffer operands,
      int operandsAt,
      int comparesAt) {
    int step = kind.bytes();
    for (int i = 0; i < count; i++) {
      int at = elementsAt + i * step;
      long operand = op.onlyFetches() ? 0 : kind.load(operands, operandsAt + i * step);
      long compare = op.compares() ? kind.load(operands, comparesAt + i * step) : 0;
      kind.store(elements, at, value(op, kind, kind.load(elements, at), operand, compare));
    }
  }

  /** The new value of an element, in the form of {@link AtomicKind#load}. */
  static long value(AtomicOp op, AtomicKind kind, long old, long operand, long compare) {
    return switch (op) {
      case READ -> old;
      case WRITE -> operand;
      case BOR -> old | operand;
      case BAND -> old & operand;
      case BXOR -> old ^ operand;
      case MSWAP -> (operand & compare) | (old & ~compare);
      case LOR -> truth(kind, isSet(kind, old) || isSet(kind, operand));
      case LAND -> truth(kind, isSet(kind, old) && isSet(kind, operand));
      case LXOR -> truth(kind, isSet(kind, old) != isSet(kind, operand));
      // Bits, as VarHandle does: else a loop that swaps what it has read would never end with a
      // NaN.
      case CSWAP -> compare == old ? operand : old;
      case CSWAP_NE -> isEqual(kind, compare, old) ? old : operand;
      case CSWAP_LE -> isLess(kind, compare, old) || isEqual(kind, compare, old) ? operand : old;
      case CSWAP_LT -> isLess(kind, compare, old) ? operand : old;
      case CSWAP_GE -> isLess(kind, old, compare) || isEqual(kind, compare, old) ? operand : old;
      case CSWAP_GT -> isLess(kind, old, compare) ? operand : old;
      case MIN, MAX, SUM, DIFF, PROD -> arithmetic(op, kind, old, operand);
    };
  }

  private static long arithmetic(AtomicOp op, AtomicKind kind, long old, long operand) {
    return switch (kind) {
      case FLOAT -> {
        float a = Float.intBitsToFloat((int) old);
        float b = Float.intBitsToFloat((int) operand);
        float result =
            switch (op) {
              case MIN -> Math.min(a, b);
              case MAX -> Math.max(a, b);
              case SUM -> a + b;
              case DIFF -> a - b;
              default -> a * b;
            };
        yield Float.floatToIntBits(result) & 0xFFFF_FFFFL;
      }
      case DOUBLE -> {
        double a = Double.longBitsToDouble(old);
        double b = Double.longBitsToDouble(operand);
        double result =
            switch (op) {
              case MIN -> Math.min(a, b);
              case MAX -> Math.max(a, b);
              case SUM -> a + b;
              case DIFF -> a - b;
              default -> a * b;
            };
        yield Double.doubleToLongBits(result);
      }
      default ->
          switch (op) {
            case MIN -> isLess(kind, operand, old) ? operand : old;
            case MAX -> isLess(kind, old, operand) ? operand : old;
            case SUM -> old + operand;
            case DIFF -> old - operand;
            default -> old * operand;
          };
    };
  }

  private static boolean isSet(AtomicKind kind, long value) {
    return switch (kind) {
      case FLOAT -> Float.intBitsToFloat((int) value) != 0;
      case DOUBLE -> Double.longBitsToDouble(value) != 0;
      default -> value != 0;
    };
  }

  private static long truth(AtomicKind kind, boolean holds) {
    return switch (kind) {
      case FLOAT -> holds ? Float.floatToRawIntBits(1) : 0;
      case DOUBLE -> holds ? Double.doubleToRawLongBits(1) : 0;
      default -> holds ? 1 : 0;
    };
  }

  private static boolean isEqual(AtomicKind kind, long a, long b) {
    return switch (kind) {
      case FLOAT -> Float.intBitsToFloat((int) a) == Float.intBitsToFloat((int) b);
      case DOUBLE -> Double.longBitsToDouble(a) == Double.longBitsToDouble(b);
      default -> a == b;
    };
  }

  private static boolean isLess(AtomicKind kind, long a, long b) {
    return switch (kind) {
      case FLOAT -> Float.intBitsToFloat((int) a) < Float.intBitsToFloat((int) b);
      case DOUBLE -> Double.longBitsToDouble(a) < Double.longBitsToDouble(b);
      default -> kind.isSigned() ? a < b : Long.compareUnsigned(a, b) < 0;
    };
  }
}
