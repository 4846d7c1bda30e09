package io.tagfabric.jvms;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An archive of the classes of Akka and of what else ranks load from jars, for the JVMs that tests
 * start: with it, such a JVM takes two thirds of the CPU time until its ranks have met.
 *
 * <p>The JVM takes an archive only if its class path begins with the jars that the archive was made
 * of. So these stand first, in an order that all modules share; the classes of this project, in
 * directories or jars, follow. All modules and later builds share one archive, until a jar or the
 * Java is another one. The root pom names its place to every JVM that tests start; one that cannot
 * use it starts without.
 */
public final class ClassArchive {
  /** Jars that every module with ranks has. */
  private static final Pattern SHARED =
      Pattern.compile(
          "(aeron|affinity|agrona|akka|asn-one|config|jna|kryo|logback|minlog|objenesis|reactive"
              + "|reflectasm|scala|slf4j-api|ssl-config)-.*\\.jar");

  private static final Pattern OF_TESTS = Pattern.compile(".*testkit.*");
  private static final long PATIENCE_S = 50;

  private static String classPath;

  private ClassArchive() {}

  /** Makes the archive if it is missing, and has JVMs that this one starts use it. */
  public static synchronized void use() {
    if (classPath == null) {
      String given = System.getProperty("java.class.path");
      List<String> shared = shared(given);
      classPath = ordered(given, shared);
      // the launcher gives ranks the class path of its own JVM
      System.setProperty("java.class.path", classPath);
      String place = System.getenv("TAGFABRIC_CLASS_ARCHIVE");
      if (place != null) {
        try {
          make(Path.of(place), shared);
        } catch (IOException failure) {
          throw new UncheckedIOException(failure);
        }
      }
    }
  }

  /** Flags of a JVM that a test starts itself; the launcher gives them to its ranks. */
  public static List<String> flags() {
    use();
    String place = System.getenv("TAGFABRIC_CLASS_ARCHIVE");
    return place == null || !Files.isReadable(Path.of(place))
        ? List.of()
        : List.of("-XX:SharedArchiveFile=" + place, "-Xlog:disable", "-Xlog:all=error:stderr");
  }

  static List<String> shared(String given) {
    return Arrays.stream(given.split(File.pathSeparator, -1))
        .filter(entry -> isShared(Path.of(entry).getFileName().toString()))
        .sorted()
        .toList();
  }

  private static boolean isShared(String name) {
    return SHARED.matcher(name).matches() && !OF_TESTS.matcher(name).matches();
  }

  static String ordered(String given, List<String> first) {
    return Stream.concat(
            first.stream(),
            Arrays.stream(given.split(File.pathSeparator, -1))
                .filter(entry -> !first.contains(entry)))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** One JVM makes it, others wait; a file beside it says what it was made of. */
  private static void make(Path archive, List<String> jars) throws IOException {
    Path stamp = archive.resolveSibling(archive.getFileName() + ".stamp");
    String wanted = stamp(jars);
    Files.createDirectories(archive.getParent());
    try (FileChannel file =
            FileChannel.open(
                archive.resolveSibling(archive.getFileName() + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      if (!lock.isValid() || Files.exists(stamp) && Files.readString(stamp).equals(wanted)) {
        return;
      }
      Path work = Files.createTempDirectory(archive.getParent(), "classes");
      Path list = work.resolve("list");
      Path made = work.resolve("archive");
      Path log = work.resolve("log");
      String path = String.join(File.pathSeparator, jars);
      boolean done =
          run(log, "-XX:DumpLoadedClassList=" + list, "-cp", classPath, training())
              && keepOnly(list, jars)
              && run(
                  log,
                  "-Xshare:dump",
                  "-XX:SharedClassListFile=" + list,
                  "-XX:SharedArchiveFile=" + made,
                  "-cp",
                  path);
      if (done) {
        Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
      } else {
        System.err.println(
            "no archive of classes, tests take longer; see " + log + ":\n" + tail(log));
        Files.deleteIfExists(archive);
      }
      Files.writeString(stamp, wanted);
      if (done) {
        remove(work);
      }
    }
  }

  private static String training() {
    return ClassArchiveTraining.class.getName();
  }

  /** The JVM lists also what it cannot find in jars. */
  private static boolean keepOnly(Path list, List<String> jars) throws IOException {
    List<String> lines = Files.readAllLines(list);
    Files.write(list, lines.stream().filter(line -> !line.contains("io/tagfabric/")).toList());
    return !jars.isEmpty();
  }

  private static boolean run(Path log, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("TAGFABRIC_"));
    Process process = builder.start();
    try {
      if (process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        return process.exitValue() == 0;
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
    return false;
  }

  private static String stamp(List<String> jars) throws IOException {
    StringBuilder stamp = new StringBuilder();
    stamp.append(System.getProperty("java.home")).append(' ').append(Runtime.version());
    for (String jar : jars) {
      Path file = Path.of(jar);
      stamp.append('\n').append(jar).append(' ').append(Files.size(file));
      stamp.append(' ').append(Files.getLastModifiedTime(file).toMillis());
    }
    return stamp.toString();
  }

  private static String tail(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
