package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * MPJ Express in its multicore mode, the faster of its two on one host: both ranks are threads of
 * one JVM. The program is compiled when it is first needed.
 */
final class Mpj implements Contender {
  private static final int START_MS = 3_000;
  private static final String HOME = "/usr/share/mpj";
  private static final String LOG4J = "/usr/share/java/log4j-1.2.jar";
  private static final String MAIN = "MpjPeer";

  private final ProgramFinder finder;
  private PeerPrograms programs;

  Mpj(ProgramFinder finder) {
    this.finder = finder;
  }

  @Override
  public String name() {
    return "mpj";
  }

  @Override
  public String description() {
    return "MPJ Express, multicore: ranks are threads of one JVM";
  }

  @Override
  public Optional<String> missingBecause() {
    for (String jar : List.of(HOME + "/lib/mpj.jar", HOME + "/lib/starter.jar", LOG4J)) {
      if (finder.file(jar).isEmpty()) {
        return Optional.of(
            "MPJ Express is missing (no "
                + jar
                + "), install it with: apt-get install libmpj-java");
      }
    }
    if (!Files.isExecutable(java("javac"))) {
      return Optional.of("MPJ Express needs a compiler (no " + java("javac") + "), use a JDK");
    }
    return Optional.empty();
  }

  @Override
  public boolean measures(Cell cell) {
    return !cell.metric().isAccess() && cell.metric() != Metric.WAKE;
  }

  @Override
  public int startMs() {
    return START_MS;
  }

  @Override
  public List<Sample> run(Workload workload) throws ContenderException {
    String home =
        finder.file(HOME + "/lib/mpj.jar").orElseThrow().getParent().getParent().toString();
    if (programs == null) {
      compile(home);
    }
    String classPath = programs.directory() + File.pathSeparator + ownClassPath();
    List<String> command = new ArrayList<>();
    command.addAll(List.of(java("java").toString(), "-cp", home + "/lib/starter.jar"));
    command.addAll(List.of("runtime.starter.MPJRun", "-np", "2", "-dev", "multicore"));
    command.addAll(List.of("-cp", classPath, MAIN));
    command.addAll(workload.toWords());
    Map<String, String> environment =
        Map.of(
            "MPJ_HOME",
            home,
            // Debian's package does not name the jar that its own classes need
            "JAVA_TOOL_OPTIONS",
            "-Xbootclasspath/a:" + finder.file(LOG4J).orElseThrow());
    byte[] out = programs.run(command, environment, ContenderOutput.patience(this, workload));
    List<Sample> samples = ContenderOutput.samples(out);
    if (samples.isEmpty()) {
      // its starter ends with 0 whatever happens
      throw new ContenderException(ContenderOutput.reason(out, "MPJ Express has printed nothing"));
    }
    return samples;
  }

  private void compile(String home) throws ContenderException {
    PeerPrograms fresh = new PeerPrograms();
    Path source = fresh.source(MAIN + ".java");
    String classPath = home + "/lib/mpj.jar" + File.pathSeparator + ownClassPath();
    fresh.build(
        List.of(
            java("javac").toString(),
            "-proc:none",
            "-cp",
            classPath,
            "-d",
            fresh.directory().toString(),
            source.toString()));
    programs = fresh;
  }

  private static Path java(String program) {
    return Path.of(System.getProperty("java.home"), "bin", program);
  }

  /** The class path of this process, for programs that begin elsewhere. */
  static String ownClassPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(place -> Path.of(place).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
