package io.tagfabric.bench.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * Tells how much of the processors' time a virtual machine did not get because its host gave it to
 * other guests: then whatever was measured says little.
 *
 * <p>Source: Linux, proc(5), field {@code steal} of {@code /proc/stat}, in ticks of 10 ms over all
 * processors. Thread: one at a time.
 */
public final class StolenTime {
  /** A measurement during which more was stolen, in hundredths, is worth repeating. */
  public static final double DISTURBING_PCT = 5;

  private static final Path STATISTICS = Path.of("/proc/stat");
  private static final String ALL_PROCESSORS = "cpu ";

  /** Behind user, nice, system, idle, iowait, irq and softirq; guest time is part of user. */
  private static final int STEAL = 7;

  private final Supplier<String> firstLine;
  private long[] last;

  /**
   * @param firstLine of {@code /proc/stat} as it is now, empty where there is none
   */
  public StolenTime(Supplier<String> firstLine) {
    this.firstLine = firstLine;
    last = read();
  }

  /** Of this machine. */
  public static StolenTime ofMachine() {
    return new StolenTime(StolenTime::readFirstLine);
  }

  private static String readFirstLine() {
    try (BufferedReader reader = Files.newBufferedReader(STATISTICS)) {
      String line = reader.readLine();
      return line == null ? "" : line;
    } catch (IOException notLinux) {
      return "";
    }
  }

  /**
   * The stolen part of all time since this was last asked or made, in hundredths; empty where the
   * system does not say, or no tick has passed.
   */
  public OptionalDouble percentSinceLast() {
    long[] before = last;
    last = read();
    if (before.length <= STEAL || last.length <= STEAL) {
      return OptionalDouble.empty();
    }
    long all = Arrays.stream(last, 0, STEAL + 1).sum() - Arrays.stream(before, 0, STEAL + 1).sum();
    return all <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(100.0 * (last[STEAL] - before[STEAL]) / all);
  }

  private long[] read() {
    String line = firstLine.get();
    if (!line.startsWith(ALL_PROCESSORS)) {
      return new long[0];
    }
    String[] ticks = line.substring(ALL_PROCESSORS.length()).strip().split(" +", -1);
    return Arrays.stream(ticks).mapToLong(Long::parseLong).toArray();
  }
}
