package io.tagfabric.kryo;

import static io.tagfabric.kryo.Samples.codec;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.agrona.ExpandableDirectByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@SuppressWarnings("JdkObsolete") // LinkedList is one of the subjects.
class KryoRoundTripTest {
  private static final LocalDateTime NOON = LocalDateTime.of(2026, 2, 28, 12, 0, 1, 5);

  private final KryoCodec codec = codec();

  static Stream<Object> builtIns() {
    List<Object> values = new ArrayList<>();
    values.addAll(List.of((byte) -1, (short) -2, -3, -4L, 1.5f, Double.MIN_VALUE, 'x', true));
    values.addAll(List.of("", "a", "ascii only", "zażółć gęślą jaźń 😀", "x".repeat(1000)));
    values.add(new byte[] {1, -1});
    values.add(new short[] {1, -1});
    values.add(new int[] {Integer.MIN_VALUE, 0, Integer.MAX_VALUE});
    values.add(new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE});
    values.add(new float[] {Float.NaN, -0f});
    values.add(new double[] {Double.NEGATIVE_INFINITY, 1e-300});
    values.add(new char[] {'a', 'ż'});
    values.add(new boolean[] {true, false, true});
    values.add(new boolean[0]);
    values.add(new String[] {"a", null, "ż"});
    values.add(new Object[] {1, "two", null, new Object[] {3L}});
    values.add(new ArrayList<>(Arrays.asList(1, null, "x")));
    values.add(new LinkedList<>(List.of(1, 2)));
    values.add(new HashSet<>(Arrays.asList(1, null)));
    values.add(new LinkedHashSet<>(List.of(3, 1, 2)));
    values.add(new TreeSet<>(List.of("b", "a")));
    values.add(new HashMap<>(Map.of("a", 1, "b", 2)));
    values.add(new LinkedHashMap<>(Map.of(1, new ArrayList<>())));
    values.add(new TreeMap<>(Map.of("b", 2, "a", 1)));
    values.add(new ConcurrentHashMap<>(Map.of("a", 1)));
    values.add(Arrays.asList(1, null, 2));
    values.addAll(List.of(List.of(), List.of(1), List.of(1, 2), List.of(1, 2, 3)));
    values.add(List.of(1, 2, 3, 4).subList(1, 3));
    values.add(Stream.of(1, null).toList());
    values.add(Collections.emptyList());
    values.add(Collections.singletonList(null));
    values.add(Collections.unmodifiableList(new ArrayList<>(List.of(1))));
    values.add(Collections.unmodifiableList(new LinkedList<>(List.of(1))));
    values.addAll(List.of(Set.of(), Set.of(1), Set.of(1, 2), Set.of(1, 2, 3)));
    values.add(Collections.emptySet());
    values.add(Collections.singleton(null));
    values.add(Collections.unmodifiableSet(new LinkedHashSet<>(List.of(3, 1, 2))));
    values.addAll(List.of(Map.of(), Map.of(1, 2), Map.of(1, 2, 3, 4)));
    values.add(Collections.emptyMap());
    values.add(Collections.singletonMap(null, null));
    values.add(Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))));
    values.addAll(List.of(Optional.empty(), Optional.of("x"), OptionalInt.of(1)));
    values.addAll(List.of(OptionalInt.empty(), OptionalLong.of(-1), OptionalDouble.of(0.5)));
    values.addAll(List.of(BigInteger.TEN.pow(40), BigDecimal.valueOf(-12345, 3)));
    values.addAll(List.of(new UUID(1, -2), URI.create("http://a/b?c#d")));
    values.add(BitSet.valueOf(new long[] {5, 1}));
    values.addAll(List.of(EnumSet.of(Samples.Color.GREEN), EnumSet.noneOf(Samples.Color.class)));
    values.addAll(List.of(Duration.ofNanos(-1), Instant.EPOCH.minusNanos(1), NOON));
    values.addAll(List.of(LocalDate.MIN, LocalTime.MAX, ZoneOffset.ofHours(-3), Year.of(-5)));
    values.addAll(List.of(ZoneId.of("Europe/Warsaw"), NOON.atZone(ZoneId.of("Asia/Tokyo"))));
    values.addAll(List.of(NOON.atOffset(ZoneOffset.UTC), LocalTime.NOON.atOffset(ZoneOffset.MIN)));
    values.addAll(List.of(YearMonth.of(2026, 1), MonthDay.of(2, 29), Period.of(1, -2, 3)));
    values.addAll(List.of(DayOfWeek.MONDAY, Month.MAY));
    return values.stream();
  }

  static Stream<Object> registered() {
    Samples.Point point = new Samples.Point(-1, Long.MIN_VALUE);
    return Stream.of(
        point,
        new Samples.Line(point, null, "ż"),
        new Samples.Box<>(point, List.of(point), Map.of("p", point)),
        new Samples.Box<>(null, null, null),
        new Samples.Box<>(new Samples.Box<>(1, List.of(2), Map.of()), List.of(), Map.of()),
        new Samples.Numbers((byte) 1, (short) 2, 3, 4, 5f, 6d, 'c', true, null),
        new Samples.Nothing(),
        new ArrayList<>(Collections.nCopies(100, new Samples.Nothing())),
        new ArrayList<>(Collections.nCopies(100, null)),
        Samples.Color.RED,
        Samples.Color.GREEN,
        new Samples.Circle(1.5),
        new Samples.Square(2),
        new Samples.Point[] {point, null},
        new int[][] {{1}, {}, null});
  }

  @ParameterizedTest
  @MethodSource("builtIns")
  void shouldReturnAnEqualObjectWhenTheClassIsBuiltIn(Object value) {
    assertThat(codec.decode(codec.encode(value))).isEqualTo(value);
  }

  @ParameterizedTest
  @MethodSource("registered")
  void shouldReturnAnEqualObjectOfTheClassWhenItIsRegistered(Object value) {
    Object decoded = codec.decode(codec.encode(value));

    assertThat(decoded).isEqualTo(value).hasSameClassAs(value);
  }

  @Test
  void shouldKeepTheClassWhenACollectionCanBeChanged() {
    for (Object value :
        List.of(
            new ArrayList<>(),
            new LinkedList<>(),
            new HashSet<>(),
            new LinkedHashSet<>(),
            new TreeSet<>(),
            new HashMap<>(),
            new LinkedHashMap<>(),
            new TreeMap<>())) {
      assertThat(codec.decode(codec.encode(value))).hasSameClassAs(value);
    }
  }

  @Test
  void shouldKeepInheritedAndFinalFieldsWhenAClassIsWrittenByField() {
    Samples.Account account = Samples.account();

    Samples.Account decoded = (Samples.Account) codec.decode(codec.encode(account));

    assertThat(decoded.state()).isEqualTo(account.state());
    assertThat(decoded.visits).isZero();
  }

  @Test
  void shouldKeepOrderWhenASetIsUnmodifiable() {
    Set<Integer> set = Collections.unmodifiableSet(new LinkedHashSet<>(List.of(9, 1, 5)));

    assertThat((Set<?>) codec.decode(codec.encode(set))).hasToString("[9, 1, 5]");
  }

  @Test
  void shouldKeepElementsWhenADequeIsSent() {
    ArrayDeque<Integer> deque = new ArrayDeque<>(List.of(1, 2, 3));

    assertThat((ArrayDeque<?>) codec.decode(codec.encode(deque))).hasToString("[1, 2, 3]");
  }

  @Test
  void shouldUseThePartBetweenPositionAndLimitWhenABufferIsGiven() {
    Samples.Point point = new Samples.Point(7, 8);
    ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
    buffer.put(0, (byte) 42).position(5);

    codec.encode(point, buffer);
    int end = buffer.position();
    buffer.limit(end).position(5);

    assertThat(end - 5).isEqualTo(codec.encode(point).length);
    assertThat(codec.decode(buffer)).isEqualTo(point);
    assertThat(buffer.position()).isEqualTo(end);
    assertThat(buffer.get(0)).isEqualTo((byte) 42);
    assertThat(buffer.limit(64).get(end)).isZero();
  }

  @Test
  void shouldDecodeWhenAHeapBufferIsASliceOrReadOnly() {
    Samples.Point point = new Samples.Point(7, 8);
    byte[] bytes = codec.encode(point);
    ByteBuffer slice = ByteBuffer.allocate(64).position(10).slice().put(bytes).flip();

    assertThat(codec.decode(slice.duplicate())).isEqualTo(point);
    assertThat(codec.decode(slice.asReadOnlyBuffer())).isEqualTo(point);
  }

  @Test
  void shouldUseTheGivenPartWhenAnAgronaBufferIsGiven() {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    Samples.Point point = new Samples.Point(7, 8);

    int lengthBytes = codec.encode(point, buffer, 9, 55);

    assertThat(lengthBytes).isEqualTo(codec.encode(point).length);
    assertThat(codec.decode(buffer, 9, lengthBytes)).isEqualTo(point);
    assertThat(buffer.getByte(9 + lengthBytes)).isZero();
  }

  @Test
  void shouldEncodeWhenAnAgronaBufferExpands() {
    ExpandableDirectByteBuffer buffer = new ExpandableDirectByteBuffer(1);
    String text = "x".repeat(300);

    int lengthBytes = codec.encode(text, buffer, 100, 1000);

    assertThat(codec.decode(buffer, 100, lengthBytes)).isEqualTo(text);
  }

  @Test
  void shouldUseTheNamedSerializerWhenOneIsRegistered() {
    KryoRegistrations registrations =
        KryoRegistrations.builder().add(Samples.Point.class, HalfSerializer::new).build();
    KryoCodec halving = new KryoCodec(registrations, KryoSettings.defaults());

    Object decoded = halving.decode(halving.encode(new Samples.Point(3, 4)));

    assertThat(decoded).isEqualTo(new Samples.Point(3, 0));
  }
}
