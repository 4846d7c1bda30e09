package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tagfabric.cli.Tagfabric;
import io.tagfabric.jvms.ClassArchive;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What goes which way between two hosts, by the statistics of the ranks, and that nothing is lost
 * on it.
 */
@Tag("jvms")
@Timeout(240)
class BetweenHostsTest {
  private static final String PORTS = "25600-25699";
  private static final String OF_PORTS =
      "( sport >= :25600 and sport <= :25699 ) or ( dport >= :25600 and dport <= :25699 )";

  @TempDir Path directory;

  @Test
  void shouldGoByTcpWithoutAnySetting() throws Exception {
    try (Hosts hosts = Hosts.make();
        Command command = start(hosts, 4, 20)) {
      endWell(command, 4);

      requireProviders(4, "tcp");
    }
  }

  @Test
  void shouldGoByArteryWhenDialsAreRefused() throws Exception {
    try (Hosts hosts = Hosts.make()) {
      hosts.rule("ipproto", "tcp", "dport", PORTS, "prohibit");
      runAtKnownPorts(hosts);

      assertThat(requireProviders(2, "artery"))
          .allMatch(text -> text.contains("not tcp ("))
          .anyMatch(text -> text.contains("not tcp (it could not be dialled"));
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldGoByArteryWhenDialsAreNotAnswered() throws Exception {
    try (Hosts hosts = Hosts.make()) {
      hosts.rule("ipproto", "tcp", "sport", PORTS, "blackhole");
      runAtKnownPorts(hosts);

      assertThat(requireProviders(2, "artery")).allMatch(text -> text.contains("not tcp ("));
    }
  }

  @Test
  void shouldLoseNothingWhenConnectionsAreReset() throws Exception {
    int rounds = 10 * Rounds.SAID;
    try (Hosts hosts = Hosts.make();
        Command command = startAtKnownPorts(hosts, rounds)) {
      List<String> cut = new ArrayList<>();
      for (int round = Rounds.SAID; round < rounds; round += Rounds.SAID) {
        command.awaitLine("[0] round " + round);
        Hosts.Said said = hosts.on(0, "ss", "--kill", "-tnH", OF_PORTS);
        assumeTrue(said.isWell(), "ss cannot close sockets here: " + said.text());
        said.text().lines().filter(line -> line.startsWith("ESTAB")).forEach(cut::add);
      }
      endWell(command, 2);

      assumeTrue(!cut.isEmpty(), "ss --kill has closed nothing, the kernel cannot do that");
      System.out.println("connections cut between two hosts: " + cut.size());
      requireProviders(2, "tcp");
    }
  }

  /** What is on the way by the interface that goes down is sent again by the other. */
  @Test
  void shouldLoseNothingWhenOneOfTwoInterfacesGoesDown() throws Exception {
    int rounds = 6 * Rounds.SAID;
    try (Hosts hosts = Hosts.make()) {
      hosts.secondCable();
      try (Command command =
          start(
              hosts,
              2,
              rounds,
              "--profile",
              "tcp",
              "-E",
              "TAGFABRIC_PATH_LMC=2",
              "-E",
              "TAGFABRIC_TCP_INTERFACES=10.213.77.0/24,10.213.78.0/24")) {
        command.awaitLine("[0] round " + Rounds.SAID);
        assertThat(hosts.on(0, "ss", "-tnH", "state", "established", "src", "10.213.78.1").text())
            .as("connections by the second cable")
            .contains("10.213.78.2");
        hosts.pullSecondCable(1);
        endWell(command, 2);

        requireProviders(2, "tcp");
      }
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldPassShortFrames() throws Exception {
    try (Hosts hosts = Hosts.make()) {
      hosts.mtu(1280);
      runAtKnownPorts(hosts);

      requireProviders(2, "tcp");
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldGoAtThePaceOfALink() throws Exception {
    try (Hosts hosts = Hosts.make()) {
      hosts.pace("tbf", "rate", "1gbit", "burst", "128kb", "latency", "50ms");
      runAtKnownPorts(hosts);

      requireProviders(2, "tcp");
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldGoByIpv6Alone() throws Exception {
    try (Hosts hosts = Hosts.makeIpv6();
        Command command = start(hosts, 2, 20)) {
      endWell(command, 2);

      requireProviders(2, "tcp");
    }
  }

  @Test
  void shouldCarryAnApplicationsMessagesAndReferencesAndNoticeAKill() {
    try (Hosts hosts = Hosts.make();
        Command first = node(hosts, 0)) {
      first.awaitLine("ready");
      try (Command second = node(hosts, 1)) {
        second.awaitLine("exchanged");
        assertThat(second.lines())
            .contains("orders by tcp", "tagfabric-actors by tcp")
            .noneMatch(line -> line.contains(" by ") && !line.endsWith(" by tcp"));

        long killedMs = System.currentTimeMillis();
        first.signal("KILL");
        second.awaitLine("lost");
        String when = second.lines().stream().filter(l -> l.startsWith("at ")).findFirst().get();
        long noticedMs = Long.parseLong(when.split(" ", -1)[1]);
        System.out.println(
            "a node that was killed on another host was missed after "
                + (noticedMs - killedMs)
                + " ms: "
                + when);
      }
    }
  }

  /** A node of {@link ShopNode}. */
  private static Command node(Hosts hosts, int host) {
    List<String> words = new ArrayList<>(hosts.prefix(host));
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    words.addAll(ClassArchive.flags());
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), ShopNode.class.getName()));
    words.addAll(List.of(hosts.address(host), hosts.address(0)));
    return Command.start(hosts.launchDirectory(), new ProcessBuilder(words));
  }

  private void runAtKnownPorts(Hosts hosts) throws Exception {
    try (Command command = startAtKnownPorts(hosts, 20)) {
      endWell(command, 2);
    }
  }

  private Command startAtKnownPorts(Hosts hosts, int rounds) {
    return start(hosts, 2, rounds, "--profile", "tcp", "-E", "TAGFABRIC_TCP_PORTS=" + PORTS);
  }

  private Command start(Hosts hosts, int ranks, int rounds, String... options) {
    String classes = Rounds.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    List<String> words = new ArrayList<>(List.of("run", "-n", Integer.toString(ranks)));
    words.addAll(hosts.options(directory));
    words.addAll(List.of("--stats", directory.resolve("%.stats").toString()));
    words.addAll(List.of(options));
    words.addAll(List.of("-cp", classes, Rounds.class.getName(), Integer.toString(rounds)));
    return Command.start(
        hosts.launchDirectory(), Map.of(), Tagfabric.class, words.toArray(String[]::new));
  }

  private static void endWell(Command command, int ranks) {
    Command.Result result = command.end();

    assertThat(result.code()).as(result.err()).isZero();
    for (int rank = 0; rank < ranks; rank++) {
      assertThat(result.lines()).contains("[" + rank + "] all have come");
    }
    result.requireNoTrace();
    System.out.println(
        result.lines().stream().filter(line -> line.contains("first after")).toList());
  }

  /**
   * Of blocks of ranks on two hosts, each flow to another host goes by one provider, each to its
   * own by shm. Of two ranks the one that closes first certainly has the flow still.
   *
   * @return what the ranks say of their flows
   */
  private List<String> requireProviders(int ranks, String between) throws IOException {
    List<String> texts = new ArrayList<>();
    Set<String> pairs = new TreeSet<>();
    Set<String> seen = new TreeSet<>();
    for (int rank = 0; rank < ranks; rank++) {
      for (int peer = rank + 1; peer < ranks; peer++) {
        pairs.add(rank + " and " + peer);
      }
      Properties stats = stats(rank);
      for (String key : stats.stringPropertyNames()) {
        if (key.matches("domain\\.rank-\\d+\\.flow\\.\\d+\\.peer")) {
          int peer = Integer.parseInt(stats.getProperty(key).replaceAll("rank-(\\d+)@.*", "$1"));
          String text = stats.getProperty(key.replaceAll("peer$", "provider"));
          boolean same = 2 * rank / ranks == 2 * peer / ranks;
          assertThat(text).as(rank + " to " + peer).startsWith((same ? "shm" : between) + ": ");
          seen.add(Math.min(rank, peer) + " and " + Math.max(rank, peer));
          texts.add(text);
        }
      }
    }
    assertThat(seen).isEqualTo(pairs);
    return texts;
  }

  private Properties stats(int rank) throws IOException {
    Properties stats = new Properties();
    try (Reader file = Files.newBufferedReader(directory.resolve(rank + ".stats"))) {
      stats.load(file);
    }
    return stats;
  }
}
