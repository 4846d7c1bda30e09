package io.tagfabric.kryo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetAddress;
import java.time.DayOfWeek;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What the JDK makes of other collections, and values whose fields it keeps closed. */
class KryoViewsTest {
  private final KryoCodec codec = codec(KryoRegistrations.builder().build());

  private static KryoCodec codec(KryoRegistrations registrations) {
    return new KryoCodec(registrations, KryoSettings.defaults());
  }

  private Object there(Object value) {
    return codec.decode(codec.encode(value));
  }

  @Property
  @SuppressWarnings({"JdkObsolete", "UnnecessaryAsync"}) // views of these classes are written too
  void shouldWriteViewsAsTheirPlainKind(@ForAll @Size(max = 20) List<Integer> given) {
    List<Integer> list = new ArrayList<>(given);
    Map<Integer, Integer> map = new LinkedHashMap<>();
    list.forEach(each -> map.put(each, -each));
    int half = list.size() / 2;
    Set<Integer> set = new LinkedHashSet<>(list);
    for (List<Integer> view :
        List.of(
            list.subList(half, list.size()),
            new LinkedList<>(list).subList(0, half),
            Collections.nCopies(half, 7),
            Collections.synchronizedList(list),
            Collections.checkedList(list, Integer.class))) {
      assertThat(there(view)).isExactlyInstanceOf(ArrayList.class).isEqualTo(view);
    }
    ConcurrentHashMap<Integer, Integer> concurrent = new ConcurrentHashMap<>(map);
    for (Set<?> view :
        List.of(
            map.keySet(),
            map.entrySet(),
            new HashMap<>(map).keySet(),
            new TreeMap<>(map).entrySet(),
            concurrent.keySet(),
            concurrent.entrySet(),
            Collections.synchronizedSet(set),
            Collections.checkedSet(set, Integer.class),
            Collections.newSetFromMap(new ConcurrentHashMap<Integer, Boolean>()))) {
      assertThat(there(view)).isInstanceOf(LinkedHashSet.class).isEqualTo(view);
    }
    for (Collection<Integer> view :
        List.of(map.values(), Collections.unmodifiableCollection(list))) {
      assertThat(there(view)).isEqualTo(new ArrayList<>(view));
    }
    for (Map<Integer, Integer> view :
        List.of(
            Collections.synchronizedMap(map),
            Collections.checkedMap(map, Integer.class, Integer.class))) {
      assertThat(there(view)).isExactlyInstanceOf(LinkedHashMap.class).isEqualTo(view);
    }
  }

  @Property
  void shouldWriteSortedViewsAsSorted(@ForAll @Size(max = 20) List<Integer> given) {
    TreeMap<Integer, Integer> map = new TreeMap<>();
    given.forEach(each -> map.put(each, each / 2));
    TreeSet<Integer> set = new TreeSet<>(given);
    for (SortedMap<Integer, Integer> view :
        List.of(
            map,
            map.headMap(0),
            map.tailMap(0),
            map.subMap(-100, 100),
            new ConcurrentSkipListMap<>(map).headMap(0),
            Collections.unmodifiableSortedMap(map),
            Collections.synchronizedSortedMap(map))) {
      assertThat(there(view)).isExactlyInstanceOf(TreeMap.class).isEqualTo(view);
    }
    for (SortedSet<Integer> view :
        List.of(
            set,
            set.headSet(0),
            set.tailSet(0),
            map.navigableKeySet(),
            Collections.unmodifiableSortedSet(set))) {
      assertThat(there(view)).isExactlyInstanceOf(TreeSet.class).isEqualTo(view);
    }
  }

  record Order(List<String> lines, Map.Entry<String, Integer> sum, EnumMap<DayOfWeek, Long> days) {}

  @Test
  void shouldWriteViewsInRecords() {
    KryoCodec orders = codec(KryoRegistrations.of(Order.class));
    Order order =
        new Order(
            new ArrayList<>(List.of("a", "b", "c")).subList(0, 2),
            Map.entry("sum", 3),
            new EnumMap<>(Map.of(DayOfWeek.FRIDAY, 5L)));
    assertThat(orders.decode(orders.encode(order))).isEqualTo(order);
    Order empty = new Order(List.of(), null, new EnumMap<>(DayOfWeek.class));
    assertThat(orders.decode(orders.encode(empty))).isEqualTo(empty);
  }

  @Test
  void shouldHaveValuesOfTheJdkBuiltIn() throws Exception {
    EnumMap<DayOfWeek, Integer> none = new EnumMap<>(DayOfWeek.class);
    @SuppressWarnings("unchecked")
    EnumMap<DayOfWeek, Integer> read = (EnumMap<DayOfWeek, Integer>) there(none);
    read.put(DayOfWeek.MONDAY, 1);
    assertThat(read).hasSize(1);
    assertThat(there(new AbstractMap.SimpleEntry<>("a", null)))
        .isEqualTo(new AbstractMap.SimpleEntry<>("a", null));
    assertThat(there(Map.entry(1, 2))).isEqualTo(Map.entry(1, 2));
    assertThat(there(new TreeMap<>(Map.of(1, 2)).firstEntry())).isEqualTo(Map.entry(1, 2));
    assertThat(((AtomicInteger) there(new AtomicInteger(-3))).get()).isEqualTo(-3);
    assertThat(((AtomicLong) there(new AtomicLong(1L << 40))).get()).isEqualTo(1L << 40);
    assertThat(((AtomicBoolean) there(new AtomicBoolean(true))).get()).isTrue();
    assertThat(((AtomicReference<?>) there(new AtomicReference<>("x"))).get()).isEqualTo("x");
    InetAddress four = InetAddress.getByAddress("h", new byte[] {10, 0, 0, 1});
    InetAddress six = InetAddress.getByAddress(new byte[16]);
    assertThat(there(four)).isEqualTo(four);
    assertThat(there(six)).isEqualTo(six);
    assertThat(KryoRegistrations.of(four.getClass(), six.getClass()).fingerprint())
        .isEqualTo(KryoRegistrations.builder().build().fingerprint());
  }

  @Test
  void shouldTakeARegistrationOfAViewForWhatIsBuiltIn() {
    Class<?> view = new ArrayList<>(List.of(1)).subList(0, 1).getClass();
    KryoRegistrations all = KryoRegistrations.of(view);
    assertThat(all.fingerprint()).isEqualTo(KryoRegistrations.builder().build().fingerprint());
    assertThat(codec(all).decode(codec(all).encode(List.of(1).subList(0, 1))))
        .isEqualTo(List.of(1));
  }

  @Test
  void shouldRefuseWhatCouldNeverBeRead() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> KryoRegistrations.of(ArrayBlockingQueue.class))
        .withMessageContaining(
            "class=java.util.concurrent.ArrayBlockingQueue has no constructor without arguments")
        .withMessageContaining("send a copy, as new ArrayList<>(...)");
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> codec.encode(new ArrayBlockingQueue<>(1)))
        .withMessageContaining("send a copy");
    assertThat(KryoRegistrations.of(PriorityQueue.class).describe()).contains("PriorityQueue");
  }
}
