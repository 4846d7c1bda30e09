package io.tagfabric.collective.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReductionTest {
  private static Elements combine(ReduceOp op, Elements left, Elements right) {
    Elements into = Elements.allocate(left.kind(), left.count());
    op.combine(
        left.kind(),
        left.buffer(),
        left.offset(),
        right.buffer(),
        right.offset(),
        into.buffer(),
        into.offset(),
        left.count());
    return into;
  }

  private static BigInteger value(StandardKind kind, long stored) {
    BigInteger value = BigInteger.valueOf(stored);
    return kind == StandardKind.UINT64 && stored < 0
        ? value.add(BigInteger.ONE.shiftLeft(64))
        : value;
  }

  private static Elements one(StandardKind kind, long value) {
    Elements elements = Elements.allocate(kind, 1);
    Integers.put(kind, elements.buffer(), 0, value);
    return elements;
  }

  @Property
  void shouldComputeIntegersAsMathematicsDoModuloTheirWidth(
      @ForAll("integerKinds") StandardKind kind, @ForAll long first, @ForAll long second) {
    Elements left = one(kind, first);
    Elements right = one(kind, second);
    BigInteger a = value(kind, left.longs()[0]);
    BigInteger b = value(kind, right.longs()[0]);

    assertThat(combine(Reduction.SUM, left, right).longs())
        .isEqualTo(one(kind, a.add(b).longValue()).longs());
    assertThat(combine(Reduction.PRODUCT, left, right).longs())
        .isEqualTo(one(kind, a.multiply(b).longValue()).longs());
    assertThat(combine(Reduction.MIN, left, right).longs())
        .isEqualTo(one(kind, a.min(b).longValue()).longs());
    assertThat(combine(Reduction.MAX, left, right).longs())
        .isEqualTo(one(kind, a.max(b).longValue()).longs());
    assertThat(combine(Reduction.BITWISE_AND, left, right).longs())
        .isEqualTo(one(kind, a.and(b).longValue()).longs());
    assertThat(combine(Reduction.BITWISE_OR, left, right).longs())
        .isEqualTo(one(kind, a.or(b).longValue()).longs());
    assertThat(combine(Reduction.BITWISE_XOR, left, right).longs())
        .isEqualTo(one(kind, a.xor(b).longValue()).longs());
  }

  @net.jqwik.api.Provide
  net.jqwik.api.Arbitrary<StandardKind> integerKinds() {
    return net.jqwik.api.Arbitraries.of(
        StandardKind.INT8,
        StandardKind.INT16,
        StandardKind.INT32,
        StandardKind.INT64,
        StandardKind.UINT8,
        StandardKind.UINT16,
        StandardKind.UINT32,
        StandardKind.UINT64);
  }

  @Test
  void shouldComputeFloatingPointAsJavaDoes() {
    Elements left = Elements.of(1.5, -0.0, Double.NaN, 4);
    Elements right = Elements.of(2.0, 0.0, 1, -3);

    assertThat(combine(Reduction.SUM, left, right).doubles())
        .containsExactly(3.5, 0.0, Double.NaN, 1);
    assertThat(combine(Reduction.PRODUCT, left, right).doubles())
        .containsExactly(3.0, -0.0, Double.NaN, -12);
    assertThat(combine(Reduction.MIN, left, right).doubles())
        .containsExactly(1.5, -0.0, Double.NaN, -3);
    assertThat(combine(Reduction.MAX, left, right).doubles())
        .containsExactly(2.0, 0.0, Double.NaN, 4);
    assertThat(combine(Reduction.SUM, Elements.of(1.5f), Elements.of(2f)).floats())
        .containsExactly(3.5f);
    assertThat(combine(Reduction.MIN, Elements.of(1.5f), Elements.of(2f)).floats())
        .containsExactly(1.5f);
  }

  @Test
  void shouldFollowTheTablesOfLogic() {
    Elements left = Elements.of(false, false, true, true);
    Elements right = Elements.of(false, true, false, true);

    assertThat(combine(Reduction.LOGICAL_AND, left, right).booleans())
        .containsExactly(false, false, false, true);
    assertThat(combine(Reduction.LOGICAL_OR, left, right).booleans())
        .containsExactly(false, true, true, true);
    assertThat(combine(Reduction.LOGICAL_XOR, left, right).booleans())
        .containsExactly(false, true, true, false);
    assertThat(combine(Reduction.LOGICAL_AND, Elements.of(2, 0), Elements.of(4, 1)).ints())
        .containsExactly(1, 0);
  }

  @ParameterizedTest
  @EnumSource(
      value = StandardKind.class,
      names = {"INT32_AT", "INT64_AT", "FLOAT32_AT", "FLOAT64_AT"})
  void shouldTakeThePlaceOfTheLeastAndOfTheFirstAmongEquals(StandardKind kind) {
    Elements three = located(kind, 3, 7);
    Elements four = located(kind, 4, 1);
    Elements alsoThree = located(kind, 3, 2);

    assertThat(combine(Reduction.MINLOC, three, four).toByteArray()).isEqualTo(three.toByteArray());
    assertThat(combine(Reduction.MAXLOC, three, four).toByteArray()).isEqualTo(four.toByteArray());
    assertThat(combine(Reduction.MINLOC, three, alsoThree).toByteArray())
        .isEqualTo(alsoThree.toByteArray());
    assertThat(combine(Reduction.MAXLOC, alsoThree, three).toByteArray())
        .isEqualTo(alsoThree.toByteArray());
  }

  @ParameterizedTest
  @EnumSource(
      value = StandardKind.class,
      names = {"FLOAT32_AT", "FLOAT64_AT"})
  void shouldGiveTheFirstPlaceOfNanAsTheLeastAndTheGreatest(StandardKind kind) {
    for (Reduction each : new Reduction[] {Reduction.MINLOC, Reduction.MAXLOC}) {
      Elements nan = nan(kind, 7);
      Elements firstNan = nan(kind, 2);
      for (int value : new int[] {-3, 0, 3}) {
        Elements number = located(kind, value, 1);
        assertThat(combine(each, nan, number).toByteArray()).isEqualTo(nan.toByteArray());
        assertThat(combine(each, number, nan).toByteArray()).isEqualTo(nan.toByteArray());
      }
      assertThat(combine(each, nan, firstNan).toByteArray()).isEqualTo(firstNan.toByteArray());
      assertThat(combine(each, firstNan, nan).toByteArray()).isEqualTo(firstNan.toByteArray());
    }
  }

  private static Elements nan(StandardKind kind, int place) {
    Elements element = located(kind, 0, place);
    if (kind == StandardKind.FLOAT32_AT) {
      element.buffer().putFloat(0, Float.NaN, Reduction.ORDER);
    } else {
      element.buffer().putDouble(0, Double.NaN, Reduction.ORDER);
    }
    return element;
  }

  private static Elements located(StandardKind kind, int value, int place) {
    Elements element = Elements.allocate(kind, 1);
    switch (kind) {
      case INT32_AT -> element.buffer().putInt(0, value, Reduction.ORDER);
      case INT64_AT -> element.buffer().putLong(0, value, Reduction.ORDER);
      case FLOAT32_AT -> element.buffer().putFloat(0, value, Reduction.ORDER);
      default -> element.buffer().putDouble(0, value, Reduction.ORDER);
    }
    element.buffer().putInt(kind.bytes() - 4, place, Reduction.ORDER);
    return element;
  }

  @Test
  void shouldRefuseAKindThatHasNoSuchOperator() {
    assertThatThrownBy(() -> combine(Reduction.SUM, Elements.of(true), Elements.of(true)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("operator=SUM does not combine kind=boolean, take another kind");
  }

  @Test
  void shouldHaveAnOperatorForEachKindAndAKindForEachOperator() {
    assertThat(StandardKind.values())
        .allMatch(kind -> List.of(Reduction.values()).stream().anyMatch(op -> op.supports(kind)));
    assertThat(Reduction.values())
        .allMatch(op -> List.of(StandardKind.values()).stream().anyMatch(op::supports));
  }

  @Test
  void shouldCallTheOperatorOfAProgramWithTheLowerRankOnTheLeft() {
    List<String> calls = new ArrayList<>();
    ReduceOp op =
        ReduceOp.ofLongs(
            "left",
            false,
            (left, right) -> {
              calls.add(left + "," + right);
              return left;
            });

    assertThat(combine(op, Elements.of(1L, 2L), Elements.of(3L, 4L)).longs()).containsExactly(1, 2);
    assertThat(calls).containsExactly("1,3", "2,4");
    assertThat(op.supports(StandardKind.INT32)).isFalse();
    assertThat(
            combine(ReduceOp.ofInts("i", true, Math::max), Elements.of(1, 9), Elements.of(5, 2))
                .ints())
        .containsExactly(5, 9);
    assertThat(
            combine(ReduceOp.ofDoubles("d", true, Math::max), Elements.of(1.0), Elements.of(5.0))
                .doubles())
        .containsExactly(5);
  }

  /** Long runs go block by block through arrays; they must give what single elements give. */
  @Property(tries = 100)
  void shouldCombineLongRunsAsElementByElement(
      @ForAll("blockwiseKinds") StandardKind kind,
      @ForAll("blockwiseOperators") Reduction operator,
      @ForAll @IntRange(min = 100, max = 2500) int count,
      @ForAll boolean direct,
      @ForAll long seed) {
    Random random = new Random(seed);
    Elements left = random(kind, count, direct, random);
    Elements right = random(kind, count, direct, random);
    Elements expected = Elements.allocate(kind, count);
    for (int i = 0; i < count; i++) {
      int at = i * kind.bytes();
      operator.combine(
          kind,
          left.buffer(),
          left.offset() + at,
          right.buffer(),
          right.offset() + at,
          expected.buffer(),
          at,
          1);
    }

    operator.combine(
        kind,
        left.buffer(),
        left.offset(),
        right.buffer(),
        right.offset(),
        left.buffer(),
        left.offset(),
        count);

    assertThat(left.toByteArray()).isEqualTo(expected.toByteArray());
  }

  @net.jqwik.api.Provide
  net.jqwik.api.Arbitrary<StandardKind> blockwiseKinds() {
    return net.jqwik.api.Arbitraries.of(
        StandardKind.INT32, StandardKind.INT64, StandardKind.FLOAT32, StandardKind.FLOAT64);
  }

  @net.jqwik.api.Provide
  net.jqwik.api.Arbitrary<Reduction> blockwiseOperators() {
    return net.jqwik.api.Arbitraries.of(
        Reduction.SUM, Reduction.MIN, Reduction.MAX, Reduction.PRODUCT);
  }

  /** Somewhere inside a larger buffer; numbers only, as a NaN has many forms. */
  private static Elements random(StandardKind kind, int count, boolean direct, Random random) {
    int bytes = (count + 3) * kind.bytes();
    ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    buffer.order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.remaining() >= kind.bytes()) {
      switch (kind) {
        case INT32 -> buffer.putInt(random.nextInt());
        case INT64 -> buffer.putLong(random.nextLong());
        case FLOAT32 -> buffer.putFloat((float) random.nextGaussian());
        default -> buffer.putDouble(random.nextGaussian());
      }
    }
    buffer.position(kind.bytes()).limit((count + 1) * kind.bytes());
    return Elements.over(kind, buffer);
  }
}
