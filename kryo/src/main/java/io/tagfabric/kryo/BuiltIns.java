package io.tagfabric.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.serializers.TimeSerializers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Classes of the JDK that every codec knows. A class's place in the list is its number on the wire,
 * so the list grows at its end only; Kryo itself numbers the primitives and String 0 to 8.
 */
final class BuiltIns {
  private static final int FIRST_ID = 9;

  private final List<RegisteredClass> classes = new ArrayList<>();

  private BuiltIns() {}

  static List<RegisteredClass> list() {
    BuiltIns builtIns = new BuiltIns();
    builtIns.arrays();
    builtIns.mutableContainers();
    builtIns.immutableContainers();
    builtIns.values();
    builtIns.times();
    builtIns.more();
    return List.copyOf(builtIns.classes);
  }

  private void arrays() {
    List.of(
            byte[].class,
            short[].class,
            int[].class,
            long[].class,
            float[].class,
            double[].class,
            char[].class,
            boolean[].class,
            String[].class,
            Object[].class)
        .forEach(this::add);
  }

  private void mutableContainers() {
    List.of(ArrayList.class, LinkedList.class, ArrayDeque.class, HashSet.class, LinkedHashSet.class)
        .forEach(this::add);
    add(TreeSet.class, ContainerSerializers.OfSortedSet::new);
    add(HashMap.class);
    add(LinkedHashMap.class);
    add(TreeMap.class, ContainerSerializers.OfSortedMap::new);
    add(ConcurrentHashMap.class);
    collection("Arrays.asList", Arrays::asList, Arrays.asList());
    family(EnumSet.class, DefaultSerializers.EnumSetSerializer::new);
  }

  @SuppressWarnings("JdkObsolete") // Only its class is wanted.
  private void immutableContainers() {
    List<Integer> four = List.of(1, 2, 3, 4);
    collection(
        "List.of",
        ContainerSerializers::immutableList,
        List.of(),
        List.of(1),
        four,
        four.subList(0, 2),
        Collections.emptyList(),
        Collections.singletonList(1),
        Collections.unmodifiableList(new ArrayList<>()),
        Collections.unmodifiableList(new LinkedList<>()));
    collection("Set.of", Set::of, Set.of(), Set.of(1), Set.of(1, 2, 3, 4));
    collection(
        "Collections.unmodifiableSet",
        elements -> Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(elements))),
        Collections.emptySet(),
        Collections.singleton(1),
        Collections.unmodifiableSet(new HashSet<>()));
    map("Map.of", Map::copyOf, Map.of(), Map.of(1, 1), Map.of(1, 1, 2, 2));
    map(
        "Collections.unmodifiableMap",
        Collections::unmodifiableMap,
        Collections.emptyMap(),
        Collections.singletonMap(1, 1),
        Collections.unmodifiableMap(new HashMap<>()));
  }

  private void values() {
    List.of(
            Optional.class,
            OptionalInt.class,
            OptionalLong.class,
            OptionalDouble.class,
            BigInteger.class,
            BigDecimal.class)
        .forEach(this::add);
    add(UUID.class, DefaultSerializers.UUIDSerializer::new);
    add(BitSet.class, DefaultSerializers.BitSetSerializer::new);
    add(URI.class, DefaultSerializers.URISerializer::new);
  }

  private void times() {
    List.of(
            Duration.class,
            Instant.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            ZoneOffset.class,
            OffsetTime.class,
            OffsetDateTime.class,
            ZonedDateTime.class,
            Year.class,
            YearMonth.class,
            MonthDay.class,
            Period.class,
            DayOfWeek.class,
            Month.class)
        .forEach(this::add);
    family(ZoneId.class, TimeSerializers.ZoneIdSerializer::new);
  }

  private void more() {
    add(EnumMap.class, ValueSerializers.OfEnumMap::new);
    add(AbstractMap.SimpleEntry.class, ValueSerializers.OfEntry::new);
    hidden(
        "Map.entry",
        kryo -> new ValueSerializers.OfImmutableEntry(),
        List.of(new AbstractMap.SimpleImmutableEntry<>(1, 1), Map.entry(1, 1)));
    add(AtomicBoolean.class, DefaultSerializers.AtomicBooleanSerializer::new);
    add(AtomicInteger.class, DefaultSerializers.AtomicIntegerSerializer::new);
    add(AtomicLong.class, DefaultSerializers.AtomicLongSerializer::new);
    add(AtomicReference.class, DefaultSerializers.AtomicReferenceSerializer::new);
    family(InetAddress.class, ValueSerializers.OfInetAddress::new);
  }

  private void add(Class<?> type) {
    classes.add(RegisteredClass.byShape(nextId(), type));
  }

  private void add(Class<?> type, Supplier<Serializer<?>> serializer) {
    add(type, false, serializer);
  }

  private void family(Class<?> type, Supplier<Serializer<?>> serializer) {
    add(type, true, serializer);
  }

  private void add(Class<?> type, boolean family, Supplier<Serializer<?>> serializer) {
    String name = serializer.get().getClass().getName();
    classes.add(RegisteredClass.by(nextId(), type, family, name, kryo -> serializer.get()));
  }

  private void collection(
      String name, Function<Object[], Collection<?>> maker, Collection<?>... kinds) {
    hidden(name, kryo -> new ContainerSerializers.OfElements(maker), Arrays.asList(kinds));
  }

  private void map(
      String name, Function<Map<Object, Object>, Map<?, ?>> maker, Map<?, ?>... kinds) {
    hidden(name, kryo -> new ContainerSerializers.OfEntries(maker), Arrays.asList(kinds));
  }

  private void hidden(String name, Function<Kryo, Serializer<?>> serializer, List<?> kinds) {
    List<Class<?>> types = new ArrayList<>();
    for (Object kind : kinds) {
      types.add(kind.getClass());
    }
    Class<?> first = types.get(0);
    classes.add(
        new RegisteredClass(nextId(), name, first, false, List.copyOf(types), name, serializer));
  }

  private int nextId() {
    return FIRST_ID + classes.size();
  }
}
