package io.tagfabric.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each key is set to another value, and something changes. A key without a row fails. */
class SettingsTableTest {
  /** For people; no settings. */
  private static final Set<String> NO_SETTINGS = Set.of("environment-variables");

  @TempDir private static Path directory;

  static Stream<Row> rows() {
    return Stream.of(
            EndpointRows.rows(),
            FlowRows.rows(),
            ProviderRows.rows(() -> directory),
            JobRows.rows(() -> directory),
            CollectiveRows.rows())
        .flatMap(List::stream);
  }

  private static Stream<Row> rowsThatObserve() {
    return rows().filter(row -> row.observe() != null);
  }

  private static Stream<Row> rowsOfOtherTests() {
    return rows().filter(row -> row.kind() == Row.Kind.ELSEWHERE);
  }

  @ParameterizedTest
  @MethodSource("rowsThatObserve")
  void shouldChangeSomething(Row row) {
    assertThat(row.after())
        .as("seen with tagfabric.%s = %s, before without it", row.key(), row.value())
        .isNotEqualTo(row.before());
  }

  @ParameterizedTest
  @MethodSource("rowsOfOtherTests")
  void shouldBeSetByTheTestThatIsNamed(Row row) throws IOException {
    String name = row.key().substring(row.key().lastIndexOf('.') + 1);
    String constant = row.key().toUpperCase(java.util.Locale.ROOT).replaceAll("[.-]", "_");

    assertThat(Files.readString(Sources.test(row.test()))).containsAnyOf(name, constant);
  }

  @Test
  void shouldHaveARowForEachKey() {
    Set<String> keys = new TreeSet<>();
    ConfigObject reference =
        (ConfigObject) ConfigFactory.defaultReferenceUnresolved().root().get("tagfabric");
    collect("", reference, keys);

    assertThat(keys).hasSizeGreaterThan(100);
    assertThat(rows().map(Row::key).toList())
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(keys);
  }

  private static void collect(String prefix, ConfigObject object, Set<String> keys) {
    for (Map.Entry<String, ConfigValue> entry : object.entrySet()) {
      String key = prefix + entry.getKey();
      if (NO_SETTINGS.contains(key)) {
        continue;
      }
      if (entry.getValue() instanceof ConfigObject below) {
        collect(key + ".", below, keys);
      } else {
        keys.add(key);
      }
    }
  }
}
