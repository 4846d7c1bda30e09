package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.collective.reduce.ElementKind;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.RecordKind;
import io.tagfabric.collective.reduce.ReduceOp;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.collective.run.SharedMemoryUse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Elements that a program makes, longer than any kind there is, and than pieces of memory. */
class RecordKindTest {
  /** A matrix of two rows; its product does not commute. */
  private record Matrix(long a, long b, long c, long d) {
    static Matrix of(int rank, int place) {
      return new Matrix(rank + 1, place, rank, 1);
    }

    Matrix times(Matrix right) {
      return new Matrix(
          a * right.a + b * right.c,
          a * right.b + b * right.d,
          c * right.a + d * right.c,
          c * right.b + d * right.d);
    }
  }

  private static final RecordKind<Matrix> MATRIX =
      RecordKind.of(
          "matrix",
          32,
          (matrix, buffer, at) -> {
            buffer.putLong(at, matrix.a());
            buffer.putLong(at + 8, matrix.b());
            buffer.putLong(at + 16, matrix.c());
            buffer.putLong(at + 24, matrix.d());
          },
          (buffer, at) ->
              new Matrix(
                  buffer.getLong(at),
                  buffer.getLong(at + 8),
                  buffer.getLong(at + 16),
                  buffer.getLong(at + 24)));

  private static final ReduceOp TIMES = MATRIX.operator("times", false, Matrix::times);

  /** So long that it has no room in a piece of 64 bytes. */
  private static final RecordKind<Long> WIDE =
      RecordKind.of(
          "wide",
          200,
          (value, into, at) -> into.putLong(at + 192, value),
          (b, at) -> b.getLong(at + 192));

  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "record-kind",
            ConfigFactory.parseString("akka.actor.provider=local")
                .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  static Stream<Arguments> tiers() {
    Function<CollectiveSettings, CollectiveSettings> cell = settings -> settings;
    Function<CollectiveSettings, CollectiveSettings> messages =
        settings -> settings.withSharedCell(false).withChecked(true).withSegments(64, 2);
    Function<CollectiveSettings, CollectiveSettings> memory =
        settings -> settings.withSharedCell(false).withSharedMemory(SharedMemoryUse.ALWAYS);
    Function<CollectiveSettings, CollectiveSettings> pieces =
        settings -> memory.apply(settings).withChunks(64, 2);
    return Stream.of(
        Arguments.of("cell", cell),
        Arguments.of("messages", messages),
        Arguments.of("shared memory", memory),
        Arguments.of("shared memory in pieces", pieces));
  }

  private static List<Matrix> matrices(int rank, int count) {
    return IntStream.range(0, count).mapToObj(place -> Matrix.of(rank, place)).toList();
  }

  private static Matrix product(int first, int end, int place) {
    return IntStream.range(first, end)
        .mapToObj(rank -> Matrix.of(rank, place))
        .reduce(Matrix::times)
        .orElseThrow();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldCarryAndCombineThemInEveryCollective(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    int size = 5;
    for (int count : new int[] {1, 3, 40}) {
      try (Crew crew = new Crew(kit.system(), size, change)) {
        List<Elements> in = new ArrayList<>();
        List<Elements> out = new ArrayList<>();
        List<Elements> all = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
          in.add(MATRIX.elements(matrices(rank, count)));
          out.add(Elements.allocate(MATRIX, count));
          all.add(Elements.allocate(MATRIX, count * size));
        }
        crew.all(t -> t.allreduce(in.get(t.rank()), out.get(t.rank()), TIMES));
        for (int place = 0; place < count; place++) {
          assertThat(MATRIX.values(out.get(3)).get(place)).isEqualTo(product(0, size, place));
        }
        crew.all(t -> t.scan(in.get(t.rank()), out.get(t.rank()), TIMES));
        assertThat(MATRIX.values(out.get(2)).get(count - 1)).isEqualTo(product(0, 3, count - 1));
        crew.all(t -> t.exscan(in.get(t.rank()), out.get(t.rank()), TIMES));
        assertThat(MATRIX.values(out.get(4)).get(0)).isEqualTo(product(0, 4, 0));
        crew.all(t -> t.reduce(in.get(t.rank()), out.get(t.rank()), TIMES, 1));
        assertThat(MATRIX.values(out.get(1)).get(0)).isEqualTo(product(0, size, 0));
        crew.all(t -> t.allgather(in.get(t.rank()), all.get(t.rank())));
        assertThat(MATRIX.values(all.get(0)).subList(4 * count, 5 * count))
            .isEqualTo(matrices(4, count));
        crew.all(t -> t.scatter(all.get(t.rank()), out.get(t.rank()), 2));
        assertThat(MATRIX.values(out.get(3))).isEqualTo(matrices(3, count));
        crew.all(t -> t.gather(in.get(t.rank()), all.get(t.rank()), 4));
        crew.all(t -> t.broadcast(out.get(t.rank()), 3));
        assertThat(MATRIX.values(out.get(0))).isEqualTo(matrices(3, count));
        crew.all(t -> t.reduceScatterBlock(all.get(t.rank()), out.get(t.rank()), TIMES));
        List<Elements> swapped = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
          swapped.add(Elements.allocate(MATRIX, count * size));
        }
        crew.all(t -> t.alltoall(all.get(t.rank()), swapped.get(t.rank())));
        assertThat(MATRIX.values(swapped.get(1)).subList(0, count)).isEqualTo(matrices(1, count));
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tiers")
  void shouldCarryOneThatIsLongerThanAPiece(
      String tier, Function<CollectiveSettings, CollectiveSettings> change) {
    ReduceOp sum = WIDE.operator("sum", true, Long::sum);
    try (Crew crew = new Crew(kit.system(), 3, change)) {
      List<Elements> data = new ArrayList<>();
      for (long rank = 0; rank < 3; rank++) {
        data.add(WIDE.elements(List.of(rank, 10L, 20L)));
      }
      crew.all(t -> t.allreduce(data.get(t.rank()), sum));

      assertThat(data)
          .allSatisfy(each -> assertThat(WIDE.values(each)).containsExactly(3L, 30L, 60L));
    }
  }

  @Test
  void shouldTellKindsApart() {
    RecordKind<Long> same = RecordKind.of("wide", 200, (v, b, at) -> {}, (b, at) -> 0L);
    RecordKind<Long> shorter = RecordKind.of("wide", 100, (v, b, at) -> {}, (b, at) -> 0L);

    assertThat(WIDE).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(shorter);
    assertThat(Reduction.SUM.supports(WIDE)).isFalse();
    assertThat(TIMES.supports(WIDE)).isFalse();
    assertThatThrownBy(() -> RecordKind.of("int64", 8, (v, b, at) -> {}, (b, at) -> 0L))
        .hasMessage("kind=int64 is there already, take another name");
    assertThatThrownBy(() -> RecordKind.of("none", 0, (v, b, at) -> {}, (b, at) -> 0L))
        .hasMessage("bytes=0 < 1 of kind=none, an element takes at least one");
    assertThatThrownBy(() -> MATRIX.values(Elements.of(1L)))
        .hasMessage("kind=int64 is not kind=matrix, read them as what they are");
    assertThatThrownBy(() -> Elements.allocate(MATRIX, 1).longs())
        .isInstanceOf(IllegalStateException.class);
    assertThat(ElementKind.standard()).contains(ElementKind.FLOAT64);
  }
}
