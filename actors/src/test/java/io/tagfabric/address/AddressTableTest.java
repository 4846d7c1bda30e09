package io.tagfabric.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class AddressTableTest {
  private final AddressTable table = new AddressTable();

  private static EndpointAddress address(long incarnation, int endpoint) {
    return new EndpointAddress(
        incarnation, endpoint, "e" + endpoint, "akka://x@h:1", "vm", Map.of("local", ""));
  }

  @Property(tries = 200)
  void shouldNeverGiveAnIndexTwice(@ForAll List<@IntRange(min = -5, max = 8) Integer> steps) {
    AddressTable tried = new AddressTable();
    Map<Integer, Integer> model = new HashMap<>();
    List<Integer> removed = new ArrayList<>();
    int next = 0;
    for (int step : steps) {
      if (step >= 0) {
        int index = tried.insert(address(1, step));
        int expected = model.containsKey(step) ? model.get(step) : next++;
        model.put(step, expected);
        assertThat(index).isEqualTo(expected);
      } else if (model.containsKey(-step)) {
        int index = model.remove(-step);
        assertThat(tried.remove(index).endpoint()).isEqualTo(-step);
        removed.add(index);
      }
    }
    assertThat(tried.snapshot().limit()).isEqualTo(next);
    model.forEach(
        (endpoint, index) -> {
          assertThat(tried.snapshot().lookup(index).endpoint()).isEqualTo(endpoint);
          assertThat(tried.snapshot().indexOf(address(1, endpoint))).isEqualTo(index);
        });
    assertThat(removed).allMatch(index -> tried.snapshot().lookup(index) == null);
  }

  @Example
  void shouldInsertManyAsOneByOneWhenSomeAreKnown() {
    table.insert(address(1, 5));

    int[] indices =
        table.insertAll(List.of(address(1, 1), address(1, 5), address(1, 1), address(2, 5)));

    assertThat(indices).containsExactly(1, 0, 1, 2);
    assertThat(table.insertAll(List.of())).isEmpty();
    assertThat(table.snapshot().limit()).isEqualTo(3);
  }

  @Example
  void shouldFindNothingWhenTheIndexIsUnknown() {
    assertThat(table.snapshot().lookup(0)).isNull();
    assertThat(table.snapshot().lookup(-1)).isNull();
    assertThat(table.snapshot().lookup(Integer.MAX_VALUE)).isNull();
    assertThat(table.snapshot().indexOf(address(1, 1))).isEqualTo(AddressTable.NOT_AVAILABLE);
    assertThat(table.remove(0)).isNull();
    assertThat(table.remove(-1)).isNull();
  }

  @Example
  void shouldKeepASnapshotWhenTheTableChanges() {
    table.insert(address(1, 1));
    AddressSnapshot before = table.snapshot();

    table.remove(0);
    table.insert(address(1, 1));

    assertThat(before.lookup(0)).isEqualTo(address(1, 1));
    assertThat(table.snapshot().lookup(0)).isNull();
    assertThat(table.snapshot().lookup(1)).isEqualTo(address(1, 1));
  }

  @Property(tries = 200)
  void shouldParseWhatWasEncoded(
      @ForAll long incarnation,
      @ForAll int endpoint,
      @ForAll String name,
      @ForAll Map<String, String> providers) {
    EndpointAddress address =
        new EndpointAddress(incarnation, endpoint, name, name + " = %", "", providers);
    boolean encodable = name.codePoints().noneMatch(c -> c >= 0xD800 && c < 0xE000);
    encodable &= providers.toString().codePoints().noneMatch(c -> c >= 0xD800 && c < 0xE000);
    if (encodable) {
      EndpointAddress parsed = EndpointAddress.parse(address.encode());
      assertThat(parsed).isEqualTo(address);
      assertThat(parsed.providers().keySet())
          .containsExactlyElementsOf(new LinkedHashMap<>(providers).keySet());
      assertThat(address.encode()).doesNotContain("\n", "\r");
    }
  }

  @Property(tries = 300)
  void shouldSayWhatIsWrongWhenTextIsNoAddress(@ForAll String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> EndpointAddress.parse(text));
    assertThatIllegalArgumentException().isThrownBy(() -> EndpointAddress.parse("1 a b " + text));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EndpointAddress.parse("1 a 3 n o v " + text.replace('=', ' ')));
  }

  @Example
  void shouldSayTheVersionWhenItIsAnother() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EndpointAddress.parse("2 a 1 n o v"))
        .withMessage("[2 a 1 n o v] is not an endpoint address of version 1");
  }

  @Example
  void shouldTellEndpointsApartByIncarnation() {
    assertThat(address(1, 1).isSameEndpoint(address(1, 1))).isTrue();
    assertThat(address(1, 1).isSameEndpoint(address(2, 1))).isFalse();
    assertThat(address(1, 1).isSameEndpoint(address(1, 2))).isFalse();
    assertThat(address(1, 1)).hasToString("e1@akka://x@h:1");
  }
}
