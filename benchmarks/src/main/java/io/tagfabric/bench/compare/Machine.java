package io.tagfabric.bench.compare;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Describes the machine in one sentence. */
final class Machine {
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final Path SYSTEM = Path.of("/etc/os-release");

  private Machine() {}

  static String describe() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long gigabytes = Math.round(system.getTotalMemorySize() / (double) (1 << 30));
    return system.getAvailableProcessors()
        + " cores ("
        + value(lines(PROCESSORS), "model name", ":").orElse(system.getArch())
        + "), "
        + gigabytes
        + " GiB, "
        + value(lines(SYSTEM), "PRETTY_NAME", "=").orElse(system.getName())
        + ", kernel "
        + system.getVersion()
        + ", Java "
        + Runtime.version();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  /** The value of the first line that begins with a key. */
  static Optional<String> value(List<String> lines, String key, String separator) {
    return lines.stream()
        .filter(line -> line.startsWith(key) && line.contains(separator))
        .map(line -> line.substring(line.indexOf(separator) + 1).replace("\"", "").strip())
        .findFirst();
  }
}
