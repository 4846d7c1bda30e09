package io.tagfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.launch.agent.ProgramFiles;
import io.tagfabric.launch.hosts.HostList;
import io.tagfabric.launch.hosts.HostPlan;
import io.tagfabric.launch.hosts.Placement;
import io.tagfabric.launch.hosts.Spawner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on two hosts, which are addresses of this machine; each has an agent of its own. */
@Tag("jvms")
class HostLaunchTest {
  private static final String ODD = "sp  ace 'q' \"d\" `b` $HOME \\ !\nsecond line *";
  private static final String TWO = "127.0.0.1,127.0.0.2";

  @TempDir Path parent;
  private final Map<String, String> variables = new HashMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Exports exports = Exports.none();
  private ProgramFiles files = ProgramFiles.none();
  private boolean keep;
  private boolean dry;

  @BeforeEach
  void chooseDirectory() {
    variables.put("TAGFABRIC_LAUNCH_DIRECTORY", parent.toString());
  }

  @AfterEach
  void shouldLeaveNothing() {
    if (!keep) {
      Await.until("its files are gone", () -> parent.toFile().list().length == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local",
        "command /bin/sh -c %C",
        "command /bin/sh -c 'echo welcome to %H; exec /bin/sh -c \"$0\"' %C"
      })
  void shouldPassArgumentsExactlyByEachSpawner(String spawner) {
    int code = run(2, TWO, spawner, "print", ODD, "");

    assertThat(text(err)).contains("[0] error of 0", "[1] error of 1");
    assertThat(code).isZero();
    assertThat(text(out).replaceAll("(?m)^\\[1\\] .*\\R", "").replace("[0] ", ""))
        .contains("print|" + ODD + "|\n");
    assertThat(text(out).lines()).contains("[0] no end of line", "[1] no end of line");
  }

  @Test
  void shouldPassVariablesExactly() {
    variables.put("ODD_ONE", ODD);
    variables.put("OTHER", "not asked for");
    exports = Exports.parse("-E", List.of("ODD_*", "GIVEN=a,b=" + ODD), variables);

    assertThat(run(1, TWO, "local", "variable", "ODD_ONE", "OTHER", "GIVEN")).isZero();

    assertThat(text(out).replace("[0] ", ""))
        .isEqualTo("ODD_ONE=" + ODD + "\nOTHER=null\nGIVEN=a,b=" + ODD + "\n");
  }

  @Test
  void shouldGiveRanksTheClassPathAndTheDirectoryOfTheProgram(@TempDir Path directory) {
    Path work = directory.toAbsolutePath();
    Path jar = Path.of(System.getProperty("java.home"), "release");
    files = new ProgramFiles(List.of(jar, work), List.of(), Optional.of(work));

    assertThat(run(2, TWO, "local", "places")).as(text(err)).isZero();

    assertThat(text(out).lines())
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line.substring("[0] ".length()))
                    .startsWith(work + "|")
                    .endsWith(":" + jar + ":" + work));
  }

  @Test
  void shouldStartNothingWhenAHostLacksFilesOfTheProgram() {
    Path here = Path.of("").toAbsolutePath();
    files = new ProgramFiles(List.of(here, here.resolve("no.jar")), List.of(), Optional.empty());
    requireMissing(here + "/no.jar of the class path is missing there");

    files = new ProgramFiles(List.of(), List.of(here.resolve("lib/no.jar")), Optional.empty());
    requireMissing(here + "/lib/no.jar of the class path is missing there");

    files = new ProgramFiles(List.of(), List.of(), Optional.of(here.resolve("no")));
    requireMissing("the working directory " + here + "/no of --wdir is missing there");

    files = new ProgramFiles(List.of(), List.of(), Optional.of(here.resolve("pom.xml")));
    requireMissing("the working directory " + here + "/pom.xml of --wdir is no directory there");
  }

  private void requireMissing(String what) {
    assertThatThrownBy(() -> run(2, TWO, "local", "print"))
        .isInstanceOf(SettingsException.class)
        .hasMessage("host 127.0.0.1: " + what + ", copy it or name a place that all hosts share");
    assertThat(text(out)).isEmpty();
  }

  @Test
  void shouldReturnTheCodeOfARankOnAnotherHostAndNameTheHost() {
    variables.put("TAGFABRIC_LAUNCH_FAILURE_GRACE", "0 s");

    assertThat(run(2, TWO, "local", "fail", "1", "101")).isEqualTo(101);

    assertThat(text(err))
        .containsPattern("rank 1 on 127.0.0.2 \\(pid \\d+\\) exited with code 101 before the job")
        .contains("TestRank fail 1 101")
        .contains("  | about to fail");
  }

  @Test
  void shouldTellRanksOfOtherHostsThatARankHasEnded() {
    assertThat(run(2, TWO, "local", "outlive", "0")).isZero();

    assertThat(text(out)).contains("[1] rank 0 ended with 0");
  }

  @Test
  void shouldNameTheRanksThatASystemExitHasCutShort() {
    assertThat(run(3, TWO, "local", "cut-short")).isZero();

    assertThat(text(err))
        .isEqualTo(
            "tagfabric: rank 0 has ended the job by System.exit with code 0, before the programs of"
                + " ranks 1, 2 had returned\n");
  }

  @Test
  void shouldGiveEachHostAMediaDriverOfItsOwn() {
    int code = run(Profile.AERON, 2, TWO, "local", "aeron");

    assertThat(text(err)).isEmpty();
    assertThat(code).isZero();
    assertThat(text(out).lines())
        .containsExactlyInAnyOrder("[0] client connected", "[1] client connected");
  }

  @Test
  void shouldSayWhatTheCommandSaidWhenAHostDoesNotStart() {
    String spawner = "command /bin/sh -c 'echo nobody here; echo go away >&2; exit 7' %H %C";

    assertThatThrownBy(() -> run(2, TWO, spawner, "exit", "0"))
        .isInstanceOf(LaunchException.class)
        .hasMessageStartingWith(
            "host 127.0.0.1 did not start: its command exited with code 7\n  command: /bin/sh -c")
        .hasMessageContaining("\n  | nobody here")
        .hasMessageContaining("\n  | go away");
  }

  @Test
  void shouldGiveUpWhenAnAgentDoesNotCome() {
    variables.put("TAGFABRIC_LAUNCH_HOST_START_TIMEOUT", "300 ms");

    assertThatThrownBy(() -> run(2, TWO, "command sh -c 'cat >/dev/null' %C", "exit", "0"))
        .isInstanceOf(LaunchException.class)
        .hasMessageStartingWith("host 127.0.0.1 did not start: is not there after 0.3 s");
  }

  @Test
  void shouldRefuseAnAddressThatIsNotOfTheHost() {
    assertThatThrownBy(() -> run(2, "192.0.2.1,192.0.2.2", "local", "exit", "0"))
        .isInstanceOf(LaunchException.class)
        .hasMessageMatching(
            "host 192\\.0\\.2\\.1: address=192\\.0\\.2\\.1 is not one of this host, which has .*"
                + "127\\.0\\.0\\.1.*; write address=ADDRESS behind its name in a --hostfile");
  }

  @Test
  void shouldEndWithAReportWhenAnAgentIsKilled() {
    variables.put("TAGFABRIC_LAUNCH_FAILURE_GRACE", "0 s");

    int code = run(Profile.AERON, 2, TWO, "local", "killparent", "1");

    assertThat(code).isEqualTo(1);
    assertThat(text(err))
        .contains(
            "tagfabric: host 127.0.0.2 is lost: its command ended with 137 (exit code or SIGKILL)");
  }

  @Test
  void shouldTakeAHostThatSaysNothingForLost() {
    variables.put("TAGFABRIC_LAUNCH_HOST_TIMEOUT", "3 s");
    variables.put("TAGFABRIC_LAUNCH_FAILURE_GRACE", "0 s");

    int code = run(Profile.AERON, 2, TWO, "local", "stopparent", "1");

    assertThat(code).isEqualTo(1);
    assertThat(text(err))
        .contains(
            "tagfabric: host 127.0.0.2 is lost: it has said nothing for 3.0 s"
                + " (tagfabric.launch.host-timeout)");
  }

  @Test
  void shouldPlaceRanksOnlyWhereTheyGo() {
    assertThat(
            run(
                1,
                "127.0.0.1,127.0.0.2",
                "command sh -c 'test %H = 127.0.0.1 && eval \"$0\"' %C",
                "exit",
                "0"))
        .isZero();
  }

  @Test
  void shouldRefuseMoreRanksOnAHostThanAreAllowed() {
    variables.put("TAGFABRIC_LAUNCH_MAX_RANKS", "1");

    assertThatThrownBy(() -> run(3, TWO, "local", "exit", "0"))
        .hasMessageStartingWith("host 127.0.0.1: ranks=2 > tagfabric.launch.max-ranks=1");
  }

  @Test
  void shouldKeepTheFilesOfAllHostsAndSayWhere() throws IOException {
    keep = true;

    assertThat(run(2, TWO, "local", "exit", "0")).isZero();

    assertThat(text(err))
        .containsPattern(
            "the job's files are kept in .*tagfabric-.*@127.0.0.1/jobs/.* on 127.0.0.1 and"
                + " .*tagfabric-.*@127.0.0.2/jobs/.* on 127.0.0.2");
    try (Stream<Path> files = Files.walk(parent)) {
      assertThat(files.filter(file -> file.endsWith("commands")))
          .hasSize(2)
          .allSatisfy(file -> assertThat(file).content().contains("TestRank exit 0"));
    }
  }

  @Test
  void shouldOnlyPrintTheCommandsWhenDry() {
    dry = true;

    assertThat(run(3, TWO, "command docker exec -i %H sh -c %C", "exit", "9")).isZero();

    List<String> lines = text(out).lines().toList();
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0)).startsWith("127.0.0.1: docker exec -i 127.0.0.1 sh -c 'cd ");
    assertThat(lines.get(4))
        .startsWith("  on 127.0.0.2: ")
        .contains("TAGFABRIC_JOB_RANK=2 ", "TAGFABRIC_JOB_SEED_HOST=127.0.0.1 ", "'(a free port)'");
  }

  private int run(int ranks, String hosts, String spawner, String... arguments) {
    return run(Profile.TCP, ranks, hosts, spawner, arguments);
  }

  private int run(Profile profile, int ranks, String hosts, String spawner, String... arguments) {
    HostPlan plan =
        new HostPlan(HostList.ofOption(hosts), Placement.BLOCK, Spawner.parse(spawner, "ssh"));
    LaunchOptions options =
        new LaunchOptions(
            Optional.empty(),
            exports,
            Map.of(),
            Optional.empty(),
            true,
            false,
            OptionalInt.empty(),
            keep,
            dry,
            Optional.of(plan.resolved()));
    LocalJob job =
        new LocalJob(
            ranks,
            TestRank.class.getName(),
            List.of(arguments),
            profile,
            List.of("-XX:TieredStopAtLevel=1"),
            Optional.empty(),
            false,
            options,
            files);
    Settings settings = Settings.of(ConfigFactory.load(), onlyOurs(variables));
    return new JobLauncher(settings, variables, out, err).run(job);
  }

  private static Map<String, String> onlyOurs(Map<String, String> variables) {
    Map<String, String> ours = new HashMap<>(variables);
    ours.keySet().removeIf(name -> !name.startsWith("TAGFABRIC_"));
    return ours;
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
