package io.tagfabric.trials.exit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.trials.exit.ExitEvidence.Who;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExitCheckTest {
  private static final int SIZE = 3;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final ExitRun.Times TIMES =
      new ExitRun.Times(Duration.ofSeconds(5), Duration.ofSeconds(16));

  /** A run that has gone as it should; tests change one thing in it. */
  private static final class Story {
    private final ExitCase which;
    private boolean reverse;
    private int code;
    private double endS = 4;
    private List<SaidLine> said = new ArrayList<>();
    private List<String> processes = List.of();
    private List<String> files = List.of();
    private List<String> ports = List.of();

    Story(int number) {
      this(number, false);
    }

    Story(int number, boolean reverse) {
      which = ExitCase.of(number);
      code = which.codes().iterator().next();
      this.reverse = reverse;
      for (int rank = 0; rank < SIZE; rank++) {
        say(0.5, rank, ExitLines.BEGINS + (12000 + rank));
        if (which.forms()) {
          say(1, rank, ExitLines.MET);
        }
      }
      for (ExitEvidence each : which.evidence()) {
        double atS = each.text().startsWith(ExitLines.HOOK) ? 3 : 2;
        if (each.wanted()) {
          each.who().ranks(SIZE, reverse).forEach(rank -> say(atS, rank, each.text()));
        }
      }
    }

    Story say(double atS, int rank, String text) {
      said.add(new SaidLine(atS, rank, text));
      return this;
    }

    Story forget(int rank, String text) {
      assertThat(said.removeIf(line -> line.rank() == rank && line.text().contains(text))).isTrue();
      return this;
    }

    List<String> reasons() {
      return ExitCheck.reasons(ExitCheck.of(run()));
    }

    private ExitRun run() {
      return new ExitRun(
          which, SIZE, reverse, LIMIT, code, endS, TIMES, said, processes, files, ports);
    }
  }

  static List<Integer> numbers() {
    return ExitCase.ALL.stream().map(ExitCase::number).toList();
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void shouldPassWhatWentAsItShould(int number) {
    assertThat(new Story(number).reasons()).isEmpty();
    assertThat(new Story(number, true).reasons()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void shouldFailWithoutAnyPieceOfEvidence(int number) {
    for (ExitEvidence each : ExitCase.of(number).evidence()) {
      for (int rank : each.who().ranks(SIZE, false)) {
        Story story = new Story(number);
        if (each.wanted()) {
          story.forget(rank, each.text());
        } else {
          story.say(3, rank, each.text());
        }

        assertThat(story.reasons()).anyMatch(reason -> reason.contains(each.what()));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void shouldFailACodeThatMeansSomethingElse(int number) {
    for (int code : new int[] {124, 137, ExitRun.NOT_STARTED, 130, 255}) {
      Story story = new Story(number);
      story.code = code;

      assertThat(story.reasons()).isNotEmpty();
    }
  }

  @Test
  void shouldFailAJobThatDidNotStart() {
    Story story = new Story(3);
    story.code = ExitRun.NOT_STARTED;
    story.said = new ArrayList<>(List.of(new SaidLine(0, SaidLine.LAUNCHER, "no room")));

    assertThat(story.reasons()).containsExactly("started: the job could not start: no room");
  }

  @Test
  void shouldFailARunThatHitsItsLimit() {
    Story story = new Story(103);
    story.code = 124;

    assertThat(story.reasons())
        .containsExactly(
            "limit: not over within --limit=60 s, so it was ended", "code: code=124, expected 134");
  }

  @Test
  void shouldFailAWrongCode() {
    Story story = new Story(104);
    story.code = 3;

    assertThat(story.reasons()).containsExactly("code: code=3, expected 1 or 134 or 139");
  }

  @Test
  void shouldFailAJobThatDidNotForm() {
    Story story = new Story(1);
    for (int rank = 0; rank < SIZE; rank++) {
      story.forget(rank, ExitLines.MET);
    }

    assertThat(story.reasons()).containsExactly("formed: no rank says that it has met the others");
  }

  @Test
  void shouldFailALateHook() {
    Story story = new Story(3).say(7.1, 0, ExitLines.HOOK + "NOW");
    story.endS = 8;

    assertThat(story.reasons())
        .containsExactly("agreed: the last exit hook came 5.1 s > 5.0 s after the end began");
  }

  @Test
  void shouldNotCountTheTimeInWhichARankCouldNotBeToldYet() {
    Story story = new Story(7).say(6, 0, ExitLines.BEGINS + 12000);
    story.say(8, 0, ExitLines.HOOK + "NOW");
    story.endS = 9;

    assertThat(story.reasons()).isEmpty();
    assertThat(story.say(11.1, 0, ExitLines.HOOK + "NOW").reasons())
        .containsExactly("agreed: the last exit hook came 5.1 s > 5.0 s after the end began");
  }

  @Test
  void shouldFailALateEnd() {
    Story story = new Story(3);
    story.endS = 18.1;

    assertThat(story.reasons())
        .containsExactly("ended: the end of the job came 16.1 s > 16.0 s after the end began");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tagfabric: rank 1 still runs 5 s after the job's end: SIGTERM",
        "tagfabric: each of ranks 0, 1 still runs 12 s after SIGTERM: SIGKILL",
        "tagfabric: the job has not ended within 1 s (--timeout); rank 1 gets SIGTERM",
        "tagfabric: rank 1 (pid 3) was killed by SIGKILL"
      })
  void shouldFailARankThatTheLauncherHadToEnd(String line) {
    assertThat(new Story(103).say(3, SaidLine.LAUNCHER, line).reasons())
        .containsExactly("unaided: a rank did not end by itself: " + line);
  }

  @Test
  void shouldFailARankThatItsWatchdogHadToEnd() {
    String line = "rank 1: the exit hangs for 9000 ms, so the process is halted; its threads:";

    assertThat(new Story(3).say(3, 1, line).reasons())
        .containsExactly("unaided: a rank did not end by itself: [1] " + line);
  }

  @Test
  void shouldFailWhatARankFoundWrong() {
    assertThat(new Story(3).say(3, 0, ExitLines.FAILED + ": the barrier").reasons())
        .containsExactly("ranks: [0] TEST FAILED: the barrier");
  }

  @Test
  void shouldFailWhatIsLeft() {
    Story story = new Story(3);
    story.processes = List.of("pid 7 java");
    story.files = List.of("/dev/shm/a", "/dev/shm/b");
    story.ports = List.of("port 12000");

    assertThat(story.reasons())
        .containsExactly(
            "processes: left behind: pid 7 java",
            "files: left behind: /dev/shm/a, /dev/shm/b",
            "ports: left behind: port 12000");
  }

  @Test
  void shouldFailAJobThatNeverFormedAndEndedWithTheCodeOfItsCase() {
    Story story = new Story(1);
    story.said = new ArrayList<>();
    story.say(1, 0, "rank 0: not within tagfabric.job.start-timeout=100 ms: no word of rank 1");

    assertThat(story.reasons())
        .anyMatch(reason -> reason.startsWith("formed: "))
        .anyMatch(reason -> reason.startsWith("said: required: all act"))
        .anyMatch(reason -> reason.startsWith("said: required: all hooks run"))
        .anyMatch(reason -> reason.startsWith("agreed: "))
        .anyMatch(reason -> reason.startsWith("ended: "));
  }

  @Test
  void shouldTurnPlacesRoundWhenTheOrderIsReversed() {
    assertThat(Who.LAST.ranks(SIZE, false)).containsExactly(2);
    assertThat(Who.LAST.ranks(SIZE, true)).containsExactly(0);
    assertThat(Who.FIRST.ranks(SIZE, true)).containsExactly(2);
    assertThat(Who.ALL_BUT_LAST.ranks(SIZE, true)).containsExactly(1, 2);
    assertThat(Who.ALL_BUT_LAST.ranks(1, true)).isEmpty();
  }
}
