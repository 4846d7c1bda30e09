package io.tagfabric.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Assume;
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

  @Example
  void shouldCarryTheProtocolsOfItsNode() {
    String typed = "1 a 3 n o v shm=s";
    EndpointAddress own = EndpointAddress.parse(typed);
    assertThat(own.protocols()).isEqualTo(Protocols.OWN);
    assertThat(own.encode()).isEqualTo(typed + " @protocols=" + Protocols.OWN);

    EndpointAddress later = EndpointAddress.parse(typed + " @protocols=11..12 @later=x");
    assertThat(later.protocols()).isEqualTo(new Protocols(11, 12));
    assertThat(later.providers()).containsExactly(Map.entry("shm", "s"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EndpointAddress.parse(typed + " @protocols=12..11"));
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
        .isThrownBy(() -> EndpointAddress.parse("3 a 1 n o v"))
        .withMessage("[3 a 1 n o v] is not an endpoint address of version 1 or 2");
  }

  private static EndpointAddress scalable(int first, int shift, int bits, int count) {
    List<Map<String, String>> providers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      providers.add(Map.of("shm = %", "segment " + i + "@1=/", "local", "" + i));
    }
    ContextAddresses contexts = new ContextAddresses(first, shift, bits, providers);
    return new EndpointAddress(
        7,
        first,
        "n @",
        "akka://x@h:1",
        "vm",
        providers.get(0),
        contexts,
        new Protocols(bits + 1, count + 20));
  }

  @Property(tries = 200)
  void shouldParseTheAddressOfAScalableEndpointAndOfItsContexts(
      @ForAll @IntRange(max = 1_000_000) int first,
      @ForAll @IntRange(max = 48) int shift,
      @ForAll @IntRange(max = 16) int bits,
      @ForAll @IntRange(min = 1, max = 64) int count) {
    Assume.that(bits == 0 || 1 << bits >= count);
    EndpointAddress whole = scalable(first, shift, bits, count);
    assertThat(EndpointAddress.parse(whole.encode())).isEqualTo(whole);
    assertThat(whole.isWhole()).isTrue();
    for (int i = 0; i < count; i++) {
      EndpointAddress context = whole.context(i);
      EndpointAddress parsed = EndpointAddress.parse(context.encode());
      assertThat(parsed).isEqualTo(context);
      assertThat(parsed.whole()).isEqualTo(whole);
      assertThat(parsed.isWhole()).isFalse();
      assertThat(parsed.providers()).containsEntry("local", "" + i);
      long tag = parsed.contexts().tagOf(i);
      assertThat(parsed.contexts().contextOf(tag | ~parsed.contexts().tagMask()))
          .isEqualTo(bits == 0 ? 0 : i);
    }
  }

  @Property(tries = 300)
  void shouldSayWhatIsWrongWhenTextIsNoAddressOfContexts(@ForAll String text) {
    for (String wrong :
        List.of(
            "2 a 1 n o v",
            "2 a 1 n o v " + text,
            "2 a 1 n o v 1/0/0/0 0@p=a",
            "2 a 1 n o v 1/0/0/65",
            "2 a 1 n o v 1/0/0/2000000000",
            "2 a 0 n o v 1/0/0/1 0@p=a",
            "2 a 3 n o v 1/0/0/1 0@p=a",
            "2 a 1 n o v -1/0/0/1 0@p=a",
            "2 a 1 n o v 1/0/1/3",
            "2 a 1 n o v 1/64/1/2",
            "2 a 1 n o v 1/0/17/2",
            "2 a 1 n o v 1/0/0/1 0@" + text.replace('=', ' '))) {
      Assume.that(!wrong.equals("2 a 1 n o v 1/0/0/1 0@"));
      assertThatIllegalArgumentException().isThrownBy(() -> EndpointAddress.parse(wrong));
    }
  }

  @Property(tries = 200)
  void shouldKnowScalableEndpointsByTheirOwnIndexAndThoseOfContexts(
      @ForAll List<@IntRange(min = -3, max = 3) Integer> steps) {
    Map<Integer, Integer> wholes = new HashMap<>();
    for (int step : steps) {
      int number = Math.abs(step);
      EndpointAddress whole = scalable(10 * number, 4, 2, 1 + number % 3);
      EndpointAddress named = step % 2 == 0 ? whole : whole.context(number % 3);
      if (step >= 0) {
        int before = table.snapshot().limit();
        int index = table.insert(named);
        int source = table.snapshot().source(index);
        assertThat(wholes.merge(number, source, (old, now) -> old)).isEqualTo(source);
        assertThat(table.snapshot().lookup(index)).isEqualTo(named);
        assertThat(table.insert(named)).isEqualTo(index);
        assertThat(table.snapshot().limit()).isLessThanOrEqualTo(before + 5);
      } else if (wholes.containsKey(number)) {
        int whole0 = wholes.remove(number);
        table.remove(step % 2 == 0 ? whole0 : table.snapshot().contexts(whole0)[0]);
        assertThat(table.snapshot().lookup(whole0)).isNull();
        assertThat(table.snapshot().indexOf(whole.context(0))).isEqualTo(-1);
      }
      wholes.forEach(
          (which, index) -> {
            AddressSnapshot now = table.snapshot();
            int[] contexts = now.contexts(index);
            assertThat(contexts).hasSize(1 + which % 3);
            for (int i = 0; i < 4; i++) {
              int to = now.contextFor(index, true, (long) i << 4 | 3);
              assertThat(to).isEqualTo(i < contexts.length ? contexts[i] : -1);
            }
            assertThat(now.contextFor(index, false, -1)).isEqualTo(contexts[0]);
            assertThat(now.contextFor(contexts[0], true, -1)).isEqualTo(contexts[0]);
            for (int context : contexts) {
              assertThat(now.source(context)).isEqualTo(index);
            }
          });
    }
  }

  @Example
  void shouldTellEndpointsApartByIncarnation() {
    assertThat(address(1, 1).isSameEndpoint(address(1, 1))).isTrue();
    assertThat(address(1, 1).isSameEndpoint(address(2, 1))).isFalse();
    assertThat(address(1, 1).isSameEndpoint(address(1, 2))).isFalse();
    assertThat(address(1, 1)).hasToString("e1@akka://x@h:1");
  }
}
