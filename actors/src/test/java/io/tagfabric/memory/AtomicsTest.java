package io.tagfabric.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Atomic operations against arithmetic of unlimited length, and of Java's own numbers. */
class AtomicsTest {
  private static final int COUNT = 3;

  @Provide
  Arbitrary<byte[]> elements() {
    Arbitrary<Byte> bytes =
        Arbitraries.oneOf(Arbitraries.bytes(), Arbitraries.of((byte) 0, (byte) -1, (byte) 127));
    return bytes.array(byte[].class).ofSize(8 * COUNT);
  }

  @Property
  void shouldCalculateAsTheModelDoes(
      @ForAll AtomicOp op,
      @ForAll AtomicKind kind,
      @ForAll("elements") byte[] old,
      @ForAll("elements") byte[] operands,
      @ForAll("elements") byte[] otherCompares,
      @ForAll boolean equal) {
    if (!op.takes(kind)) {
      return;
    }
    byte[] compares = equal ? old : otherCompares;
    byte[] both = new byte[operands.length + compares.length + 1];
    System.arraycopy(operands, 0, both, 1, operands.length);
    System.arraycopy(compares, 0, both, 1 + operands.length, compares.length);
    byte[] found = new byte[old.length + 2];
    System.arraycopy(old, 0, found, 1, old.length);

    Atomics.update(
        op,
        kind,
        COUNT,
        new UnsafeBuffer(found),
        1,
        new UnsafeBuffer(both),
        1,
        1 + operands.length);

    int step = kind.bytes();
    for (int i = 0; i < COUNT; i++) {
      byte[] wanted =
          model(op, kind, part(old, i, step), part(operands, i, step), part(compares, i, step));
      byte[] got = new byte[step];
      System.arraycopy(found, 1 + i * step, got, 0, step);
      assertThat(got).as("%s of %s", op, kind).isEqualTo(wanted);
    }
    for (int i = 1 + COUNT * step; i < found.length - 1; i++) {
      assertThat(found[i]).as("behind the elements").isEqualTo(old[i - 1]);
    }
    assertThat(found[0]).isZero();
    assertThat(found[found.length - 1]).isZero();
  }

  @Test
  void shouldSwapFloatingPointNumbersByBits() {
    long nan = Double.doubleToRawLongBits(Double.NaN);
    long zero = Double.doubleToRawLongBits(0.0);
    long negative = Double.doubleToRawLongBits(-0.0);
    assertThat(Atomics.value(AtomicOp.CSWAP, AtomicKind.DOUBLE, nan, 7, nan)).isEqualTo(7);
    assertThat(Atomics.value(AtomicOp.CSWAP, AtomicKind.DOUBLE, zero, 7, negative)).isEqualTo(zero);
    assertThat(Atomics.value(AtomicOp.CSWAP_NE, AtomicKind.DOUBLE, nan, 7, nan)).isEqualTo(7);
    assertThat(Atomics.value(AtomicOp.CSWAP_NE, AtomicKind.DOUBLE, zero, 7, negative))
        .isEqualTo(zero);
    assertThat(Atomics.value(AtomicOp.CSWAP_LE, AtomicKind.DOUBLE, zero, 7, negative)).isEqualTo(7);
    long floatNan = Float.floatToRawIntBits(Float.NaN);
    assertThat(Atomics.value(AtomicOp.CSWAP, AtomicKind.FLOAT, floatNan, 7, floatNan)).isEqualTo(7);
  }

  private static byte[] part(byte[] bytes, int index, int step) {
    byte[] part = new byte[step];
    System.arraycopy(bytes, index * step, part, 0, step);
    return part;
  }

  private static byte[] model(
      AtomicOp op, AtomicKind kind, byte[] old, byte[] operand, byte[] compare) {
    return switch (op) {
      case READ -> old;
      case WRITE -> operand;
      case CSWAP -> Arrays.equals(compare, old) ? operand : old;
      case CSWAP_NE -> order(kind, compare, old) == Order.EQUAL ? old : operand;
      case CSWAP_LT -> order(kind, compare, old) == Order.LESS ? operand : old;
      case CSWAP_GT -> order(kind, compare, old) == Order.MORE ? operand : old;
      case CSWAP_LE ->
          order(kind, compare, old) == Order.LESS || order(kind, compare, old) == Order.EQUAL
              ? operand
              : old;
      case CSWAP_GE ->
          order(kind, compare, old) == Order.MORE || order(kind, compare, old) == Order.EQUAL
              ? operand
              : old;
      case BOR, BAND, BXOR, MSWAP -> bits(op, old, operand, compare);
      case LOR, LAND, LXOR -> {
        boolean a = isSet(kind, old);
        boolean b = isSet(kind, operand);
        boolean holds = op == AtomicOp.LOR ? a || b : op == AtomicOp.LAND ? a && b : a ^ b;
        yield number(kind, holds ? 1 : 0);
      }
      case MIN, MAX, SUM, DIFF, PROD -> arithmetic(op, kind, old, operand);
    };
  }

  private enum Order {
    LESS,
    EQUAL,
    MORE,
    NONE
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static BigInteger whole(AtomicKind kind, byte[] bytes) {
    byte[] big = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      big[i] = bytes[bytes.length - 1 - i];
    }
    return kind.name().startsWith("U") ? new BigInteger(1, big) : new BigInteger(big);
  }

  private static byte[] bytes(BigInteger value, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = value.shiftRight(8 * i).byteValue();
    }
    return bytes;
  }

  private static Order order(AtomicKind kind, byte[] a, byte[] b) {
    double x;
    double y;
    switch (kind) {
      case FLOAT -> {
        x = little(a).getFloat();
        y = little(b).getFloat();
      }
      case DOUBLE -> {
        x = little(a).getDouble();
        y = little(b).getDouble();
      }
      default -> {
        x = whole(kind, a).compareTo(whole(kind, b));
        y = 0;
      }
    }
    return x < y ? Order.LESS : x > y ? Order.MORE : x == y ? Order.EQUAL : Order.NONE;
  }

  private static boolean isSet(AtomicKind kind, byte[] value) {
    return order(kind, value, number(kind, 0)) != Order.EQUAL;
  }

  private static byte[] number(AtomicKind kind, int value) {
    byte[] bytes = new byte[kind.bytes()];
    switch (kind) {
      case FLOAT -> little(bytes).putFloat(value);
      case DOUBLE -> little(bytes).putDouble(value);
      default -> bytes[0] = (byte) value;
    }
    return bytes;
  }

  private static byte[] bits(AtomicOp op, byte[] old, byte[] operand, byte[] compare) {
    byte[] bits = new byte[old.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] =
          (byte)
              switch (op) {
                case BOR -> old[i] | operand[i];
                case BAND -> old[i] & operand[i];
                case BXOR -> old[i] ^ operand[i];
                default -> (operand[i] & compare[i]) | (old[i] & ~compare[i]);
              };
    }
    return bits;
  }

  private static byte[] arithmetic(AtomicOp op, AtomicKind kind, byte[] old, byte[] operand) {
    byte[] result = new byte[old.length];
    switch (kind) {
      case FLOAT -> {
        float a = little(old).getFloat();
        float b = little(operand).getFloat();
        float value =
            switch (op) {
              case MIN -> Math.min(a, b);
              case MAX -> Math.max(a, b);
              case SUM -> a + b;
              case DIFF -> a - b;
              default -> a * b;
            };
        little(result).putFloat(Float.isNaN(value) ? Float.NaN : value);
        return result;
      }
      case DOUBLE -> {
        double a = little(old).getDouble();
        double b = little(operand).getDouble();
        double value =
            switch (op) {
              case MIN -> Math.min(a, b);
              case MAX -> Math.max(a, b);
              case SUM -> a + b;
              case DIFF -> a - b;
              default -> a * b;
            };
        little(result).putDouble(Double.isNaN(value) ? Double.NaN : value);
        return result;
      }
      default -> {
        BigInteger a = whole(kind, old);
        BigInteger b = whole(kind, operand);
        return bytes(
            switch (op) {
              case MIN -> a.min(b);
              case MAX -> a.max(b);
              case SUM -> a.add(b);
              case DIFF -> a.subtract(b);
              default -> a.multiply(b);
            },
            kind.bytes());
      }
    }
  }

  @Test
  void shouldKnowItsNumbersOnTheWire() {
    for (AtomicOp op : AtomicOp.values()) {
      assertThat(AtomicOp.of(op.number())).isEqualTo(op);
    }
    for (AtomicKind kind : AtomicKind.values()) {
      assertThat(AtomicKind.of(kind.number())).isEqualTo(kind);
    }
    for (int none : new int[] {-1, 100, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThat(AtomicOp.of(none)).isNull();
      assertThat(AtomicKind.of(none)).isNull();
    }
  }
}
