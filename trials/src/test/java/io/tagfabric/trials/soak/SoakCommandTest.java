package io.tagfabric.trials.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SoakCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String line) {
    return new CommandLine(new SoakCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(line.split(" "));
  }

  private Config row() {
    return ConfigFactory.parseString(out.toString());
  }

  private void assertAllHaveCome(int count) {
    assertThat(row().getInt("sent")).isEqualTo(count);
    assertThat(row().getInt("received")).isEqualTo(count);
    for (String fault : new String[] {"lost", "duplicated", "out_of_order", "corrupted"}) {
      assertThat(row().getInt(fault)).as(fault).isZero();
    }
  }

  @Test
  void shouldFindNothingWrongWhenAllIsWell() {
    int code = execute("--messages 60001 --json");

    assertThat(code).as(err.toString()).isZero();
    assertAllHaveCome(60_001);
    assertThat(row().getInt("peak_unexpected_bytes")).isPositive();
    assertThat(row().getInt("packets_replayed")).isZero();
  }

  @Test
  void shouldFindNothingWrongWhenTheNetworkIsBad() {
    int code =
        execute(
            "--messages 20000 --faults drop=2%,duplicate=2%,delay=2%,reorder=2% --seed 9 --json");

    assertThat(code).as(err.toString()).isZero();
    assertAllHaveCome(20_000);
    assertThat(row().getInt("packets_replayed")).isPositive();
    assertThat(row().getString("faults")).isEqualTo("delay=2%,drop=2%,duplicate=2%,reorder=2%");
    assertThat(row().getInt("seed")).isEqualTo(9);
  }

  @Test
  void shouldHoldWhatIsUnexpectedAndReceiveItLater() {
    int code = execute("--unexpected 50000 --json");

    assertThat(code).as(err.toString()).isZero();
    assertAllHaveCome(50_000);
    assertThat(row().getInt("peak_unexpected_bytes")).isBetween(1_000_000, 4 << 20);
  }

  @Test
  void shouldPrintARowForPeople() {
    assertThat(execute("--messages 1000")).isZero();

    assertThat(out.toString().lines().toList())
        .hasSize(2)
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).startsWith("sent        received    lost");
              assertThat(lines.get(1)).startsWith("1000        1000        0");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--messages 1 | --messages=1 is not within 2 to 2147483647",
        "--kills 31 --provider shm | --kills=31 is not within 0 to 30, each is a JVM of its own",
        "--kills 2 | --kills=2 kills ranks, name another --provider, such as shm",
        "--kills 2 --provider shm --unexpected 3 | --kills=2 and --unexpected=3 exclude one another",
        "--cuts 2 --provider shm | --cuts=2 cuts connections of provider tcp, name --provider tcp",
        "--cuts 2 --provider tcp --kills 3 | --cuts=2 and --kills=3 exclude one another",
        "--cuts -1 --provider tcp | --cuts=-1 is not within 0 to 1000000",
        "--unexpected -1 | --unexpected=-1 < 0, give a number of messages",
        "--faults lose=1% | Invalid value for option '--faults': 'lose=1%' is no fault, give"
            + " some of [drop, duplicate, delay, reorder, delay-time] with values, as drop=1%",
      })
  void shouldSayOneSentenceWhenUsedWrongly(String line, String sentence) {
    assertThat(execute(line)).isEqualTo(2);
    assertThat(err.toString().lines().findFirst()).contains(sentence);
  }

  @Test
  void shouldHandItsOptionsToTheRanks() {
    SoakOptions given = new SoakOptions();
    new CommandLine(given)
        .parseArgs(
            "--provider artery --messages 9 --unexpected 4 --kills 5 --cuts 6 --faults drop=1%,delay-time=2ms --seed 3 --json"
                .split(" "));
    SoakOptions taken = new SoakOptions();

    new CommandLine(taken).parseArgs(given.arguments().toArray(String[]::new));

    assertThat(taken).usingRecursiveComparison().isEqualTo(given);
  }

  @Test
  void shouldEndWithOneAndTheSeedWhenAMessageIsMissing() {
    SoakOptions options = new SoakOptions();
    new CommandLine(options).parseArgs("--seed", "42");
    SoakReport report = new SoakReport(options, new PrintWriter(out), new PrintWriter(err));
    Tally near = new Tally(10, 10, 0, 0, 0, 0, 5, 1, 4);
    Tally far = new Tally(10, 9, 1, 0, 0, 0, 7, 2, 5);

    assertThat(report.end(near.plus(Tally.decode(far.encode())))).isEqualTo(1);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("soak: messages went wrong, repeat with --seed 42");
    assertThat(near.plus(far)).isEqualTo(new Tally(20, 19, 1, 0, 0, 0, 7, 3, 9));
    assertThat(report.end(new Tally(9, 10, 0, 0, 0, 0, 0, 0, 0))).as("not all sent").isEqualTo(1);
  }
}
