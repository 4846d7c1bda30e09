package io.tagfabric.bench.ours;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What the benchmark of wake-ups lets a person choose. */
public final class WakeOptions extends BenchOptions {
  private static final Duration MOST_GAP = Duration.ofSeconds(10);

  /** Reads a number with its unit. */
  static final class GapConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      String lower = text.toLowerCase(Locale.ROOT);
      String unit = lower.replaceAll("[0-9]", "");
      try {
        long number = Long.parseLong(lower.substring(0, lower.length() - unit.length()));
        return switch (unit) {
          case "us" -> Duration.ofNanos(Math.multiplyExact(number, 1_000L));
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          default -> throw new NumberFormatException();
        };
      } catch (ArithmeticException | NumberFormatException refused) {
        throw new TypeConversionException(
            "'" + text + "' is no time, give a number with us, ms or s, such as 1ms");
      }
    }
  }

  /** Who is measured beside us. */
  public enum Peer {
    C
  }

  @Option(
      names = "--gap",
      paramLabel = "TIME",
      defaultValue = "1ms",
      converter = GapConverter.class,
      description = "Silence before each message, such as 100us or 1ms (default: 1ms).")
  Duration gap;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "500",
      description = "Messages of a run (default: ${DEFAULT-VALUE}).")
  int count;

  @Option(
      names = "--vs",
      paramLabel = "PEER",
      converter = EnumNames.OfWakePeer.class,
      description =
          "Let runs of this peer take turns with ours: c, two processes that wait in eventfds.")
  Peer versus;

  /** The peer's program, built; no person gives it. */
  @Option(names = "--program", hidden = true)
  Path program;

  /** The ends are two processes. */
  public void betweenRanks() {
    if (isLocal()) {
      provider = Providers.SHM;
    }
  }

  /** Whether the program of C is wanted. */
  public boolean hasPeer() {
    return versus != null;
  }

  /** Says where that is. */
  public void program(Path built) {
    program = built;
  }

  @Override
  public String complaint() {
    if (gap.isZero() || gap.compareTo(MOST_GAP) > 0) {
      return "--gap=" + gap.toMillis() + " ms is not within 1us to 10s";
    }
    if (count < 10 || count > 1_000_000) {
      return "--count=" + count + " is not within 10 to 1000000";
    }
    return super.complaint();
  }

  @Override
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(super.arguments());
    arguments.add("--gap=" + gap.toNanos() / 1_000 + "us");
    arguments.add("--count=" + count);
    if (program != null) {
      arguments.add("--program=" + program);
    }
    return arguments;
  }
}
