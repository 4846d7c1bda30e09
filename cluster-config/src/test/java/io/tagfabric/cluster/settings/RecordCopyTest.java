package io.tagfabric.cluster.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecordCopyTest {
  /** A record whose constructor changes and refuses. */
  public record Sizes(int least, long most, List<String> names) {
    public Sizes {
      names = List.copyOf(names);
      if (least > most) {
        throw new IllegalArgumentException("least=" + least + " > most=" + most);
      }
    }
  }

  private static final Sizes SIZES = new Sizes(1, 10, List.of("a"));

  @Test
  void shouldChangeWhatIsNamedAndNothingElse() {
    assertThat(RecordCopy.with(SIZES, "most", 20L)).isEqualTo(new Sizes(1, 20, List.of("a")));
    assertThat(RecordCopy.with(SIZES, "names", List.of("b", "c"), "least", 2))
        .isEqualTo(new Sizes(2, 10, List.of("b", "c")));
    assertThat(SIZES).isEqualTo(new Sizes(1, 10, List.of("a")));
  }

  @Test
  void shouldCopyWithoutChanges() {
    assertThat(RecordCopy.with(SIZES)).isEqualTo(SIZES).isNotSameAs(SIZES);
  }

  @Test
  void shouldNameAComponentThatIsNotThere() {
    assertThatThrownBy(() -> RecordCopy.with(SIZES, "mist", 20L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Sizes has no component mist, it has [least, most, names]");
  }

  @Test
  void shouldRefuseAValueOfAnotherType() {
    assertThatThrownBy(() -> RecordCopy.with(SIZES, "most", "20"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRefuseWhatTheConstructorRefuses() {
    assertThatThrownBy(() -> RecordCopy.with(SIZES, "least", 11))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("least=11 > most=10");
  }
}
