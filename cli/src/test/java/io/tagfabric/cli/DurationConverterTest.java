package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {
  private final DurationConverter converter = new DurationConverter();

  @ParameterizedTest
  @CsvSource({"30, 30000", "1.5s, 1500", "500ms, 500", "2m, 120000", "1h, 3600000", "3 s, 3000"})
  void shouldReadEveryUnit(String text, long millis) {
    assertThat(converter.convert(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "-1", "0", "3d", "1e3", "9999999999h", "1..5"})
  void shouldRefuseWhatIsNoDuration(String text) {
    assertThatThrownBy(() -> converter.convert(text)).isInstanceOf(TypeConversionException.class);
  }
}
