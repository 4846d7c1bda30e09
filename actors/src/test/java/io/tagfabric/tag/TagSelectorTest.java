package io.tagfabric.tag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TagSelectorTest {
  @Property
  void shouldCompareOnlyBitsThatAreNotIgnored(
      @ForAll long tag, @ForAll long ignore, @ForAll long noise, @ForAll @IntRange int sender) {
    TagSelector selector = TagSelector.masked(tag, ignore);

    assertThat(selector.matches(tag ^ (noise & ignore), sender)).isTrue();
    assertThat(selector.matches(tag ^ noise, sender)).isEqualTo((noise & ~ignore) == 0);
  }

  @Property
  void shouldTakeOnlyTheNamedSenderWhenDirected(
      @ForAll long tag,
      @ForAll @IntRange(max = 5) int peer,
      @ForAll @IntRange(max = 5) int sender) {
    TagSelector selector = TagSelector.exact(tag).from(peer);

    assertThat(selector.matches(tag, sender)).isEqualTo(peer == sender);
    assertThat(selector.matches(tag + 1, peer)).isFalse();
  }

  @Property
  void shouldTakeEverythingWhenAny(@ForAll long tag, @ForAll int sender) {
    assertThat(TagSelector.any().matches(tag, sender)).isTrue();
  }

  @Test
  void shouldReadAsHexadecimal() {
    assertThat(TagSelector.exact(42)).hasToString("tag 0x2a from any");
    assertThat(TagSelector.masked(0x100, 0xff).from(3)).hasToString("tag 0x100 ignore 0xff from 3");
    assertThat(TagSelector.any()).hasToString("tag any from any");
    assertThat(TagSelector.exact(-1)).hasToString("tag 0xffffffffffffffff from any");
  }

  @Test
  void shouldRefuseASourceThatIsNoPeerIndex() {
    assertThatThrownBy(() -> TagSelector.any().from(-2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("source=-2 < 0, pass a peer index or ANY_SOURCE (-1)");
  }
}
