package io.tagfabric.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations as timeout(1) does: {@code 30}, {@code 1.5s}, {@code 2m}, {@code 1h}. */
final class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ms|s|m|h|)");
  private static final double LONGEST_SECONDS = 365.0 * 86_400;

  @Override
  public Duration convert(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration, write for example 30s, 500ms, 2m or 1h");
    }
    double seconds = Double.parseDouble(matcher.group(1)) * unitSeconds(matcher.group(2));
    if (seconds <= 0 || seconds > LONGEST_SECONDS) {
      throw new TypeConversionException("'" + text + "' is not within 1ms and a year");
    }
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  private static double unitSeconds(String unit) {
    return switch (unit) {
      case "ms" -> 1e-3;
      case "m" -> 60;
      case "h" -> 3600;
      default -> 1;
    };
  }
}
