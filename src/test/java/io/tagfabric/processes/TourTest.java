package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.timeline.Timeline;
import io.tagfabric.trace.TraceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demos of docs/80-tour run, print what their pages say, and leave the events drawn there. */
@Tag("jvms")
class TourTest {
  private static final Path PAGE =
      Path.of(System.getProperty("tagfabric.root", "..")).resolve("docs/80-tour/README.md");

  @TempDir Path directory;
  @TempDir Path events;

  private Set<TraceKind> run(String demo, String... lines) throws IOException {
    return run(2, demo, lines);
  }

  private Set<TraceKind> run(int ranks, String demo, String... lines) throws IOException {
    try (Command command =
        Command.tagfabric(
            directory,
            "run",
            "-n",
            Integer.toString(ranks),
            "-x",
            "TAGFABRIC_TRACE_DIRECTORY=" + events,
            demo)) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.lines()).containsExactlyInAnyOrder(lines);
    }
    String page = Files.readString(PAGE);
    assertThat(page).contains(List.of(lines)).contains(" -n " + ranks + " --trace " + demo + "\n");
    return Timeline.gather(events, ranks).moments().stream()
        .map(moment -> moment.event().kind())
        .collect(Collectors.toSet());
  }

  /**
   * Runs a program of actors. Its numbers differ from run to run.
   *
   * @param words of the command, from the number of ranks on
   */
  private Set<TraceKind> runActors(int code, int ranks, String words, String... lines)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("run"));
    all.addAll(List.of("-n", Integer.toString(ranks), "-x", "TAGFABRIC_TRACE_DIRECTORY=" + events));
    all.addAll(List.of(words.split(" ")));
    try (Command command = Command.tagfabric(directory, all.toArray(String[]::new))) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.out() + result.err()).isEqualTo(code);
      assertThat(
              result.lines().stream().filter(line -> !line.contains(" WARN ")).map(TourTest::plain))
          .containsExactlyInAnyOrder(plain(lines));
    }
    String page = Files.readString(PAGE);
    assertThat(page).contains(List.of(lines));
    assertThat(page)
        .containsPattern(" -n " + ranks + " --trace --trace-lines \\d+ " + words + "\n");
    return Timeline.gather(events, ranks).moments().stream()
        .map(moment -> moment.event().kind())
        .collect(Collectors.toSet());
  }

  private static String[] plain(String... lines) {
    return Arrays.stream(lines).map(TourTest::plain).toArray(String[]::new);
  }

  /** A line without the numbers that the run of a program may change: those without a rank. */
  private static String plain(String line) {
    return line.replaceAll("\\d+\\.\\d+ us", "N us").replaceAll("\\[\\d+, \\d+\\]", "[N, N]");
  }

  @Test
  void shouldPassATokenFromActorToActor() throws IOException {
    assertThat(
            runActors(
                0,
                3,
                "token-ring --rounds 2",
                "[0] the token made 2 rounds of 3 ranks, 17721.3 us a hop; 0 messages by Akka's"
                    + " remoting"))
        .contains(TraceKind.SENT, TraceKind.ARRIVED);
  }

  @Test
  void shouldKeepAccountsRightWhenOneDies() throws IOException {
    assertThat(
            runActors(
                137,
                3,
                "--on-failure continue bank --payments 20",
                "[0] rank 0: account 2 does not answer any more",
                "[1] rank 1: account 2 does not answer any more",
                "[0] rank 0: the account has 659, and each customer's sum is right; 0 messages by"
                    + " Akka's remoting",
                "[1] rank 1: the account has 837, and each customer's sum is right; 0 messages by"
                    + " Akka's remoting"))
        .contains(TraceKind.FLOW_LOST);
  }

  @Test
  void shouldHandOutWorkThatIsAskedFor() throws IOException {
    assertThat(
            runActors(
                0,
                2,
                "work-queue --jobs 60 --room 4 --work-ms 10",
                "[0] 60 jobs done once each, [46, 14] by the ranks; at most 4 waited; 0 messages"
                    + " by Akka's remoting"))
        .contains(TraceKind.SENT, TraceKind.ARRIVED);
  }

  @Test
  void shouldMatchInTheOrderPosted() throws IOException {
    assertThat(
            run(
                "match-order",
                "[0] tag 7: 1st",
                "[0] any tag: 2nd",
                "[0] tag 7: 3rd",
                "[0] any tag: 4th"))
        .contains(TraceKind.RECEIVE_POSTED, TraceKind.MATCHED)
        .doesNotContain(TraceKind.KEPT, TraceKind.RECEIVE_FAILED);
  }

  @Test
  void shouldSendAShortMessageAtOnceAndAskForALongOne() throws IOException {
    assertThat(
            run(
                "eager-and-rendezvous",
                "[1] 64 bytes: sent, though there is no receive",
                "[1] 1048576 bytes: have only asked",
                "[1] 1048576 bytes: sent",
                "[0] 1048576 bytes: received",
                "[0] 64 bytes: received"))
        .contains(TraceKind.KEPT, TraceKind.ASKED, TraceKind.MATCHED);
  }

  @Test
  void shouldEndACancelledReceiveOnce() throws IOException {
    assertThat(
            run(
                "cancel",
                "[0] waits: the cancel was in time, end CANCELED",
                "[0] takes: the cancel came too late, end message 42",
                "[0] receives=2, ends=2"))
        .contains(TraceKind.RECEIVE_COMPLETED, TraceKind.RECEIVE_FAILED);
  }

  @Test
  void shouldKeepAsManyMessagesAsItHasGranted() throws IOException {
    assertThat(
            run(
                "unexpected-and-credit",
                "[1] 4 messages: sent, though there is no receive",
                "[1] 2 messages: wait until rank 0 grants more",
                "[1] 6 messages: sent",
                "[0] 6 messages: received in the order sent"))
        .contains(TraceKind.KEPT, TraceKind.SEND_WAITS, TraceKind.CREDIT);
  }

  @Test
  void shouldMakeProgressWhileARankComputesIfThereIsAThread() throws IOException {
    assertThat(
            run(
                "who-makes-progress",
                "[0] AUTO: the message came while rank 0 computed",
                "[0] MANUAL: the message came when it waited"))
        .contains(TraceKind.ASKED, TraceKind.MATCHED);
  }

  @Test
  void shouldLetAllPhilosophersEat() throws IOException {
    assertThat(
            run(
                3,
                "philosophers",
                "[0] has eaten 3 times",
                "[1] has eaten 3 times",
                "[2] has eaten 3 times",
                "[0] forks were taken 18 times"))
        .contains(TraceKind.MATCHED);
  }

  @Test
  void shouldMoveAGlider() throws IOException {
    assertThat(
            run(
                "life",
                "[0] generation 0",
                "[0] .#......",
                "[0] ..#.....",
                "[0] ###.....",
                "[0] ........",
                "[0] ........",
                "[0] ........",
                "[0] ........",
                "[0] ........",
                "[0] generation 8",
                "[0] ........",
                "[0] ........",
                "[0] ...#....",
                "[0] ....#...",
                "[0] ..###...",
                "[0] ........",
                "[0] ........",
                "[0] ........"))
        .contains(TraceKind.FLOW_OPENED);
  }

  @Test
  void shouldElectALeaderThatEndsTheJob() throws IOException {
    assertThat(
            run(
                3,
                "leader-and-exit",
                "[0] elected rank 2",
                "[1] elected rank 2",
                "[2] elected rank 2",
                "[0] hears that rank 2 ends the job with code 0",
                "[1] hears that rank 2 ends the job with code 0",
                "[2] ends the job with code 0"))
        .contains(TraceKind.MATCHED, TraceKind.FLOW_LOST);
  }

  @Test
  void shouldDeliverWhenAPeerIsBack() throws IOException {
    assertThat(
            run(
                "cut-off",
                "[0] rank 1 is cut off",
                "[0] 3 messages: posted, delivered: 0",
                "[0] rank 1 is back",
                "[0] 3 messages: delivered",
                "[1] 3 messages: received in the order sent"))
        .contains(TraceKind.SEND_COMPLETED, TraceKind.MATCHED);
  }
}
