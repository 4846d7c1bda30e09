package io.tagfabric.bench.collective;

import io.tagfabric.bench.compare.ContenderException;
import io.tagfabric.bench.compare.PeerPrograms;
import io.tagfabric.bench.compare.ProgramFinder;
import io.tagfabric.collective.algorithm.Collective;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * MPJ Express between JVMs (its cluster mode, device niodev). Its starter needs a daemon on each
 * host; here the ranks are started directly, and {@link MpjMeeting} stands for the starter, where
 * they learn each other's ports.
 */
final class MpjCollectives implements CollectivePeer {
  static final String NAME = "mpj";

  private static final String HOME = "/usr/share/mpj";
  private static final String JAR = HOME + "/lib/mpj.jar";
  private static final String LOG4J = "/usr/share/java/log4j-1.2.jar";
  private static final String MAIN = "MpjCollective";
  private static final int PROTOCOL_SWITCH_BYTES = 131_072; // as its starter sets it

  private final ProgramFinder finder;
  private PeerPrograms programs;

  MpjCollectives(ProgramFinder finder) {
    this.finder = finder;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> missingBecause() {
    for (String jar : List.of(JAR, LOG4J)) {
      if (finder.file(jar).isEmpty()) {
        return Optional.of(
            "MPJ Express is missing (no "
                + jar
                + "), install it with: apt-get install libmpj-java");
      }
    }
    return Files.isExecutable(java("javac"))
        ? Optional.empty()
        : Optional.of("MPJ Express needs a compiler (no " + java("javac") + "), use a JDK");
  }

  @Override
  public boolean has(Collective collective) {
    return collective != Collective.EXSCAN;
  }

  @Override
  public List<CallTimes> run(Collective collective, int ranks, List<Integer> bytes)
      throws ContenderException {
    if (programs == null) {
      compile();
    }
    try (MpjMeeting meeting = MpjMeeting.open(ranks)) {
      List<List<String>> commands = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        List<String> command = new ArrayList<>();
        command.add(java("java").toString());
        command.addAll(List.of("-cp", classPath() + File.pathSeparator + programs.directory()));
        command.addAll(List.of(MAIN, Integer.toString(rank), configuration(ranks, meeting)));
        command.add("niodev");
        command.addAll(CollectivePeer.words(collective, bytes));
        commands.add(command);
      }
      byte[] out =
          programs.runAll(commands, Map.of("MPJ_HOME", HOME), CollectivePeer.patience(bytes));
      List<CallTimes> times = CollectivePeer.times(out);
      if (times.isEmpty()) {
        throw new ContenderException("MPJ Express has printed nothing");
      }
      return times;
    }
  }

  private static String configuration(int ranks, MpjMeeting meeting) {
    return String.join(
        ";",
        "#Number of Processes",
        Integer.toString(ranks),
        "#Protocol Switch Limit",
        Integer.toString(PROTOCOL_SWITCH_BYTES),
        "#Server Name",
        "localhost",
        "#Server Port",
        Integer.toString(meeting.port()));
  }

  private String classPath() {
    return finder.file(JAR).orElseThrow() + File.pathSeparator + finder.file(LOG4J).orElseThrow();
  }

  private void compile() throws ContenderException {
    PeerPrograms fresh = new PeerPrograms();
    Path source = fresh.source(MAIN + ".java");
    fresh.build(
        List.of(
            java("javac").toString(),
            "-proc:none",
            "-cp",
            classPath(),
            "-d",
            fresh.directory().toString(),
            source.toString()));
    programs = fresh;
  }

  private static Path java(String program) {
    return Path.of(System.getProperty("java.home"), "bin", program);
  }
}
