package io.tagfabric.cluster.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private enum Policy {
    ADAPTIVE,
    STATIC_SRC
  }

  private static final Setting<Duration> PING =
      Setting.duration("flow.ping-after", Duration.ofNanos(1), Duration.ofSeconds(60));
  private static final Setting<Long> INJECT = Setting.bytes("endpoint.inject-size", 0, 65536);
  private static final Setting<Integer> RETRIES = Setting.integer("flow.retries", 0, 100);
  private static final Setting<Double> FACTOR = Setting.decimal("flow.factor", 0.5, 2);
  private static final Setting<Boolean> CHECK = Setting.bool("flow.check");
  private static final Setting<String> NAME = Setting.string("flow.name");
  private static final Setting<List<String>> WORDS = Setting.strings("flow.words");
  private static final Setting<List<UUID>> KEY = Setting.uuids("flow.key");
  private static final Setting<Policy> POLICY = Setting.choice("flow.policy", Policy.class);

  private static final Config REFERENCE =
      ConfigFactory.parseString(
          """
          tagfabric {
            endpoint {
              # Largest message whose buffer may be reused at once.
              # Costs one copy.
              inject-size = 64 B
            }
            flow {
              ping-after = 500 us
              retries = 7
              factor = 1.0
              check = off
              name = ""
              words = []
              key = null
              policy = adaptive
            }
            # Free names.
            domains {}
            environment-variables { TAGFABRIC_JVM_OPTS = "flags" }
          }
          """);

  @Test
  void shouldTakeDefaultsWhenNothingIsGiven() {
    Settings settings = settings("", Map.of());

    assertThat(settings.get(INJECT)).isEqualTo(64);
    assertThat(settings.get(PING)).isEqualTo(Duration.ofNanos(500_000));
    assertThat(settings.get(RETRIES)).isEqualTo(7);
    assertThat(settings.get(FACTOR)).isEqualTo(1.0);
    assertThat(settings.get(CHECK)).isFalse();
    assertThat(settings.get(NAME)).isEmpty();
    assertThat(settings.get(WORDS)).isEmpty();
    assertThat(settings.find(KEY)).isEmpty();
    assertThat(settings.get(POLICY)).isEqualTo(Policy.ADAPTIVE);
  }

  @Test
  void shouldPreferTheVariableWhenTheConfigurationNamesTheKeyToo() {
    Settings settings =
        settings(
            "tagfabric.endpoint.inject-size = 128 B, tagfabric.flow.retries = 3",
            Map.of("TAGFABRIC_ENDPOINT_INJECT_SIZE", "1 KiB"));

    assertThat(settings.get(INJECT)).isEqualTo(1024);
    assertThat(settings.get(RETRIES)).isEqualTo(3);
  }

  @Test
  void shouldReadEveryTypeWhenItComesAsText() {
    Settings settings =
        settings(
            "",
            Map.of(
                "TAGFABRIC_FLOW_PING_AFTER", "2 s",
                "TAGFABRIC_FLOW_FACTOR", "1.5",
                "TAGFABRIC_FLOW_CHECK", "Yes",
                "TAGFABRIC_FLOW_NAME", "a=b, c",
                "TAGFABRIC_FLOW_WORDS", "red, green ,blue",
                "TAGFABRIC_FLOW_KEY", "0fff0fff-0000-0000-0000-0fff0fff0fff",
                "TAGFABRIC_FLOW_POLICY", "static-src"));

    assertThat(settings.get(PING)).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.get(FACTOR)).isEqualTo(1.5);
    assertThat(settings.get(CHECK)).isTrue();
    assertThat(settings.get(NAME)).isEqualTo("a=b, c");
    assertThat(settings.get(WORDS)).containsExactly("red", "green", "blue");
    assertThat(settings.get(KEY))
        .containsExactly(UUID.fromString("0fff0fff-0000-0000-0000-0fff0fff0fff"));
    assertThat(settings.get(POLICY)).isEqualTo(Policy.STATIC_SRC);
  }

  @Test
  void shouldNameVariableRangeAndDefaultWhenValueIsTooLarge() {
    Settings settings = settings("", Map.of("TAGFABRIC_ENDPOINT_INJECT_SIZE", "2 MiB"));

    assertThatThrownBy(() -> settings.get(INJECT))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "tagfabric.endpoint.inject-size=2 MiB > maximum=64 KiB (set by environment variable"
                + " TAGFABRIC_ENDPOINT_INJECT_SIZE), expected a size from 0 B to 64 KiB; without it"
                + " the default is 64 B");
  }

  @Test
  void shouldRefuseAFractionThatWouldBeReadAsNothing() {
    assertThatThrownBy(
            () -> settings("", Map.of("TAGFABRIC_ENDPOINT_INJECT_SIZE", "0.5")).get(INJECT))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("inject-size=0.5: a fraction of 1 byte, give a whole number");
    assertThatThrownBy(() -> settings("tagfabric.flow.ping-after = 0.1 ns", Map.of()).get(PING))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("ping-after=0.1 ns: a fraction of 1 ns");
    assertThat(settings("", Map.of("TAGFABRIC_ENDPOINT_INJECT_SIZE", "0.5 KiB")).get(INJECT))
        .isEqualTo(512);
    assertThat(settings("", Map.of("TAGFABRIC_ENDPOINT_INJECT_SIZE", "0.0")).get(INJECT)).isZero();
  }

  @Test
  void shouldNameFileAndLineWhenValueInFileIsTooSmall(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("application.conf");
    Files.writeString(file, "\ntagfabric.flow.factor = 0.1\n");
    Config config = ConfigFactory.parseFile(file.toFile(), ConfigParseOptions.defaults());
    Settings settings = Settings.of(config, Map.of(), REFERENCE);

    assertThatThrownBy(() -> settings.get(FACTOR))
        .hasMessage(
            "tagfabric.flow.factor=0.1 < minimum=0.5 (set by "
                + file
                + ":2), expected a number from 0.5 to 2.0; without it the default is 1.0");
  }

  @Test
  void shouldNameSystemPropertyWhenValueComesFromOne() {
    System.setProperty("tagfabric.flow.check", "perhaps");
    try {
      ConfigFactory.invalidateCaches();
      Settings settings = Settings.of(ConfigFactory.systemProperties(), Map.of(), REFERENCE);

      assertThatThrownBy(() -> settings.get(CHECK))
          .hasMessage(
              "tagfabric.flow.check=perhaps (set by system property tagfabric.flow.check), expected"
                  + " on or off; without it the default is off");
    } finally {
      System.clearProperty("tagfabric.flow.check");
      ConfigFactory.invalidateCaches();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TAGFABRIC_FLOW_RETRIES, 7.5, a whole number from 0 to 100",
    "TAGFABRIC_FLOW_RETRIES, many, a whole number from 0 to 100",
    "TAGFABRIC_FLOW_FACTOR, NaN, a number from 0.5 to 2.0",
    "TAGFABRIC_FLOW_KEY, 1-1-1-1-1, a UUID such as",
    "TAGFABRIC_FLOW_KEY, zfff0fff-0000-0000-0000-0fff0fff0fff, a UUID such as",
    "TAGFABRIC_FLOW_POLICY, random, 'one of adaptive, static-src'",
    "TAGFABRIC_FLOW_PING_AFTER, soon, a duration from 1 ns to 60 s",
  })
  void shouldSayWhatIsExpectedWhenValueHasAnotherForm(String name, String value, String expected) {
    Settings settings = settings("", Map.of(name, value));
    Setting<?> setting =
        List.of(RETRIES, FACTOR, KEY, POLICY, PING).stream()
            .filter(candidate -> candidate.variable().equals(name))
            .findFirst()
            .orElseThrow();

    assertThatThrownBy(() -> settings.get(setting))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining(setting.fullKey() + "=" + value + " (set by")
        .hasMessageContaining("expected " + expected)
        .hasMessageNotContaining("Exception");
  }

  private static final String ONE = "0fff0fff-0000-0000-0000-0fff0fff0fff";
  private static final String TWO = "1fff0fff-0000-0000-0000-0fff0fff0fff";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tagfabric.flow.key = [" + ONE + ", \"" + TWO + "\"]",
        "tagfabric.flow.key = \"" + ONE + "," + TWO + "\"",
        "tagfabric.flow.key = \" " + ONE + " , " + TWO + " \"",
      })
  void shouldReadSeveralKeysInTheirOrder(String given) {
    List<UUID> keys = List.of(UUID.fromString(ONE), UUID.fromString(TWO));

    assertThat(settings(given, Map.of()).get(KEY)).isEqualTo(keys);
    assertThat(settings("", Map.of("TAGFABRIC_FLOW_KEY", ONE + "," + TWO)).get(KEY))
        .isEqualTo(keys);
    assertThat(settings("", Map.of("TAGFABRIC_FLOW_KEY", KEY.write(keys))).get(KEY))
        .isEqualTo(keys);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "[[]]", "\"\"", "\"" + ONE + ",\"", "[" + ONE + ", x]"})
  void shouldSayWhatIsExpectedWhenAKeyOfSeveralIsNone(String value) {
    assertThatThrownBy(() -> settings("tagfabric.flow.key = " + value, Map.of()).get(KEY))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("tagfabric.flow.key=")
        .hasMessageContaining("expected a UUID such as")
        .hasMessageEndingWith(", or several, separated by commas");
  }

  @Test
  void shouldRefuseAKeyThatIsThereTwice() {
    String twice = ONE + "," + TWO + "," + ONE.toUpperCase(Locale.ROOT);

    assertThatThrownBy(() -> settings("", Map.of("TAGFABRIC_FLOW_KEY", twice)).get(KEY))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("number 3 is there twice (set by environment variable");
  }

  @Test
  void shouldSayHowToSetItWhenRequiredSettingHasNoValue() {
    assertThatThrownBy(() -> settings("", Map.of()).get(KEY))
        .hasMessage(
            "tagfabric.flow.key has no value, set it (or TAGFABRIC_FLOW_KEY) to a UUID such as"
                + " 0fff0fff-0000-0000-0000-0fff0fff0fff, or several, separated by commas");
  }

  @Test
  void shouldLeaveToTestsWhatBelongsToThem() {
    assertThat(settings("tagfabric.test.protocol = 8", Map.of()).find(KEY)).isEmpty();
    assertThatThrownBy(() -> settings("tagfabric.tests = 8", Map.of()))
        .hasMessageContaining("tagfabric.tests");
  }

  @Test
  void shouldOfferTheNearestVariableWhenOneIsUnknown() {
    assertThatThrownBy(() -> settings("", Map.of("TAGFABRIC_ENDPOINT_INJECT_SICE", "1")))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "environment variable TAGFABRIC_ENDPOINT_INJECT_SICE is no setting of Tagfabric,"
                + " did you mean TAGFABRIC_ENDPOINT_INJECT_SIZE?");
  }

  @Test
  void shouldPointToTheListWhenNoVariableIsNear() {
    assertThatThrownBy(() -> settings("", Map.of("TAGFABRIC_XYZ", "1")))
        .hasMessage(
            "environment variable TAGFABRIC_XYZ is no setting of Tagfabric,"
                + " `tagfabric info --env` lists the settings");
  }

  @Test
  void shouldOfferTheNearestKeyWhenOneInTheConfigurationIsUnknown() {
    assertThatThrownBy(() -> settings("tagfabric.flow.retrys = 3", Map.of()))
        .hasMessageStartingWith("tagfabric.flow.retrys (set by ")
        .hasMessageEndingWith("did you mean tagfabric.flow.retries?");
  }

  @Test
  void shouldAcceptVariablesAndNamesThatAreDeclaredFree() {
    Settings settings =
        settings(
            "tagfabric.domains.left.x = 1, other.y = 2",
            Map.of("TAGFABRIC_JVM_OPTS", "-Xmx1g", "PATH", "/bin"));

    assertThat(settings.get(RETRIES)).isEqualTo(7);
  }

  @Test
  void shouldDescribeWithTheCommentOfTheReferenceWhenAsked() {
    Settings settings = settings("", Map.of("TAGFABRIC_ENDPOINT_INJECT_SIZE", "128"));

    List<Described> described = settings.describe(List.of(INJECT.agreed(), KEY));

    assertThat(described)
        .containsExactly(
            new Described(
                "tagfabric.endpoint.inject-size",
                "TAGFABRIC_ENDPOINT_INJECT_SIZE",
                "Size",
                "B",
                "a size from 0 B to 64 KiB",
                "64 B",
                "128",
                "environment variable TAGFABRIC_ENDPOINT_INJECT_SIZE",
                "Largest message whose buffer may be reused at once.\nCosts one copy.",
                true),
            new Described(
                "tagfabric.flow.key",
                "TAGFABRIC_FLOW_KEY",
                "UUIDs",
                "",
                "a UUID such as 0fff0fff-0000-0000-0000-0fff0fff0fff, or several,"
                    + " separated by commas",
                "",
                "",
                "",
                "",
                false));
  }

  @Test
  void shouldListLikeFiInfoWhenShownToAPerson() {
    Settings settings = settings("", Map.of("TAGFABRIC_ENDPOINT_INJECT_SIZE", "128"));

    assertThat(settings.describe(List.of(INJECT.agreed())).get(0).listing())
        .isEqualTo(
            """
            # TAGFABRIC_ENDPOINT_INJECT_SIZE: Size (B)
            # Largest message whose buffer may be reused at once.
            # Costs one copy.
            # Expected: a size from 0 B to 64 KiB; default: 64 B; the same in all ranks
            # Set by environment variable TAGFABRIC_ENDPOINT_INJECT_SIZE
            TAGFABRIC_ENDPOINT_INJECT_SIZE=128
            """);
  }

  @Test
  void shouldRefuseAKeyThatNoVariableCouldName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Setting.bool("flow.Check"))
        .withMessageStartingWith("key=flow.Check does not match");
  }

  private static Settings settings(String given, Map<String, String> environment) {
    return Settings.of(ConfigFactory.parseString(given), environment, REFERENCE);
  }
}
