package io.tagfabric.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Java that a person names.
 *
 * @param home its directory
 * @param version as it says itself, such as {@code 25.0.1}
 */
record Jvm(Path home, String version) {
  private static final int OLDEST = 17;
  private static final int WARNS_OF_UNSAFE = 23;
  private static final int WARNS_OF_NATIVE = 24;
  private static final String CURE = ", give the directory of a JDK " + OLDEST + " or newer";

  /** The number before the first dot. */
  int feature() {
    return feature(version);
  }

  /**
   * Looks at what is there.
   *
   * @throws IllegalArgumentException with a sentence, if there is no Java that will do
   */
  static Jvm at(Path home) {
    if (!Files.isExecutable(home.resolve("bin/java"))) {
      throw new IllegalArgumentException(home + " has no bin/java" + CURE);
    }
    String version = version(home).orElse("");
    if (feature(version) < OLDEST) {
      String known = version.isEmpty() ? "of unknown version" : version;
      throw new IllegalArgumentException(home + " is Java " + known + CURE);
    }
    return new Jvm(home.toAbsolutePath(), version);
  }

  /** The same for several, which must differ by their feature number: series are named by it. */
  static List<Jvm> at(List<Path> homes) {
    List<Jvm> all = new ArrayList<>();
    for (Path home : homes) {
      Jvm found = at(home);
      for (Jvm other : all) {
        if (other.feature() == found.feature()) {
          throw new IllegalArgumentException(
              other.home() + " and " + home + " are both Java " + found.feature() + ", give one");
        }
      }
      all.add(found);
    }
    return all;
  }

  private static Optional<String> version(Path home) {
    try {
      return Machine.value(Files.readAllLines(home.resolve("release")), "JAVA_VERSION", "=");
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static int feature(String version) {
    String first = version.split("[^0-9]", 2)[0];
    return first.isEmpty() || first.length() > 3 ? 0 : Integer.parseInt(first);
  }

  /** A command of this Java with this process's class path. */
  List<String> command(Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/java").toString());
    // it only starts others and waits
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    if (feature() >= WARNS_OF_UNSAFE) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    if (feature() >= WARNS_OF_NATIVE) {
      command.add("--illegal-native-access=allow");
    }
    command.addAll(List.of("-cp", Mpj.ownClassPath(), main.getName()));
    command.addAll(arguments);
    return command;
  }

  /** Variables for it: an archive of classes of another Java is of no use. */
  Map<String, String> environment() {
    return Map.of("TAGFABRIC_CLASS_ARCHIVE", "");
  }
}
