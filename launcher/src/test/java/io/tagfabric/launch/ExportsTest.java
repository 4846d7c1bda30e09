package io.tagfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.cluster.settings.SettingsException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExportsTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of("A", "1", "OMP_X", "2", "OMP_Y", "3", "LC_ALL", "C", "TAGFABRIC_Q", "4", "HOME", "/");

  @Test
  void shouldSelectNamesAndPrefixesBesideThoseThatAlwaysGo() {
    Exports exports = Exports.parse("-E", List.of("A,OMP_*", "B=x,y=z", "NONE_*"), ENVIRONMENT);

    assertThat(exports.select(ENVIRONMENT))
        .containsOnly(
            Map.entry("A", "1"),
            Map.entry("OMP_X", "2"),
            Map.entry("OMP_Y", "3"),
            Map.entry("LC_ALL", "C"),
            Map.entry("TAGFABRIC_Q", "4"),
            Map.entry("B", "x,y=z"));
  }

  @Test
  void shouldLetAnAssignmentWin() {
    Exports exports = Exports.parse("-E", List.of("A", "A=new"), ENVIRONMENT);

    assertThat(exports.select(ENVIRONMENT)).containsEntry("A", "new");
  }

  @Test
  void shouldJoinTheVariablesOfTwoOptions() {
    Exports exports =
        Exports.parse("-E", List.of("A", "B=1", "C=1"), ENVIRONMENT)
            .and(Exports.parse("-x", List.of("OMP_X", "B=2"), ENVIRONMENT));

    assertThat(exports.select(ENVIRONMENT))
        .contains(
            Map.entry("A", "1"), Map.entry("OMP_X", "2"), Map.entry("B", "2"), Map.entry("C", "1"));
    assertThat(exports.assigned()).containsOnly(Map.entry("B", "2"), Map.entry("C", "1"));
  }

  @Test
  void shouldNameTheOptionOfAMistake() {
    assertThatThrownBy(() -> Exports.parse("-x", List.of("MISSING"), ENVIRONMENT))
        .hasMessage("-x: the variable MISSING is not set, set it or write NAME=VALUE");
    assertThatThrownBy(() -> Exports.parse("-x", List.of("=V"), ENVIRONMENT))
        .hasMessage("-x =V: '' is no name of a variable");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MISSING | -E: the variable MISSING is not set, set it or write NAME=VALUE",
        "A,,A    | -E A,,A: '' is no name of a variable",
        "9X=1    | -E 9X=1: '9X' is no name of a variable",
        "A*B     | -E A*B: 'A*B' is no name of a variable"
      })
  void shouldRefuseWhatIsNoVariable(String given, String message) {
    assertThatThrownBy(() -> Exports.parse("-E", List.of(given), ENVIRONMENT))
        .isInstanceOf(SettingsException.class)
        .hasMessage(message);
  }
}
