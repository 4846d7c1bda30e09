package io.tagfabric.launch;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds the command line of a JVM like this one: same Java, same class path or a longer one. */
final class JavaCommand {
  /** Set by the start script: an archive of loaded classes that fits this Java and class path. */
  static final String ARCHIVE_VARIABLE = "TAGFABRIC_CLASS_ARCHIVE";

  /** Set by a person: flags for every JVM. */
  static final String FLAGS_VARIABLE = "TAGFABRIC_JVM_OPTS";

  private static final int WARNS_OF_UNSAFE = 23;
  private static final int WARNS_OF_NATIVE = 24;

  private JavaCommand() {}

  /**
   * @param flags for this kind of process; they win over the general ones
   */
  static List<String> of(
      Map<String, String> environment, List<String> flags, String mainClass, List<String> args) {
    return of(environment, flags, List.of(), mainClass, args);
  }

  /**
   * @param flags for this kind of process; they win over the general ones
   * @param classPath jars and directories behind those of this JVM
   */
  static List<String> of(
      Map<String, String> environment,
      List<String> flags,
      List<Path> classPath,
      String mainClass,
      List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(generalFlags(environment, Runtime.version().feature()));
    command.addAll(flags);
    command.add("-cp");
    command.add(classPath(System.getProperty("java.class.path"), classPath));
    command.add(mainClass);
    command.addAll(args);
    return command;
  }

  /** Absolute, since the process may run in another directory. */
  static String classPath(String own, List<Path> appended) {
    return Stream.concat(
            Arrays.stream(own.split(File.pathSeparator, -1))
                .map(place -> Path.of(place).toAbsolutePath()),
            appended.stream())
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  static List<String> generalFlags(Map<String, String> environment, int javaVersion) {
    List<String> flags = new ArrayList<>();
    // no collector threads beside the loop's, and the least memory; a hot path allocates nothing
    flags.add("-XX:+UseSerialGC");
    // else loops of one JVM write the same lines of the collector's cards all the time
    flags.add("-XX:+UseCondCardMark");
    flags.add("-XX:+ExitOnOutOfMemoryError");
    // its file in /tmp outlives a killed process
    flags.add("-XX:-UsePerfData");
    archive(environment)
        .ifPresent(
            file -> {
              flags.add("-XX:SharedArchiveFile=" + file);
              flags.add("-Xlog:disable");
              flags.add("-Xlog:all=error:stderr");
            });
    if (javaVersion >= WARNS_OF_UNSAFE) {
      flags.add("--sun-misc-unsafe-memory-access=allow");
    }
    if (javaVersion >= WARNS_OF_NATIVE) {
      // its sibling --enable-native-access would make the JVM refuse every archive of classes
      flags.add("--illegal-native-access=allow");
    }
    String given = environment.getOrDefault(FLAGS_VARIABLE, "").trim();
    if (!given.isEmpty()) {
      flags.addAll(List.of(given.split("\\s+", -1)));
    }
    return flags;
  }

  private static Optional<String> archive(Map<String, String> environment) {
    return Optional.ofNullable(environment.get(ARCHIVE_VARIABLE))
        .filter(file -> !file.isBlank() && Files.isReadable(Path.of(file)));
  }
}
