package io.tagfabric.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String line) {
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(line.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "latency --sizes 8q | Invalid value for option '--sizes' (LIST): '8q' is no size, give bytes such"
            + " as 8,1k,64k,1m or all",
        "latency --provider tcp | Invalid value for option '--provider': 'tcp' is unknown, choose"
            + " local or shm or artery",
        "latency --vs akka | --vs akka needs two JVMs, add --provider artery",
        "latency --threads 3 | --threads=3 is neither 1 nor 2",
        "latency --threads 2 --provider artery | --threads=2 is for --provider local, each rank"
            + " has one",
        "latency --runs 0 | --runs=0 is not within 1 to 1000",
        "latency --iters -1 | --iters=-1 < 0, give a number of repetitions",
        "rate --window 0 | --window=0 is not within 1 to 4096",
        "rate --window 4097 | --window=4097 is not within 1 to 4096",
      })
  void shouldSayOneSentenceWhenUsedWrongly(String line, String sentence) {
    int code = execute(line);

    assertThat(code).isEqualTo(2);
    assertThat(err.toString().lines().findFirst()).contains(sentence);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void shouldPrintARowForEachSize() {
    int code = execute("latency --sizes 8,1k --iters 20 --runs 1 --json");

    assertThat(code).isZero();
    List<Config> rows = out.toString().lines().map(ConfigFactory::parseString).toList();
    assertThat(rows).extracting(row -> row.getInt("bytes")).containsExactly(8, 1024);
    assertThat(rows).allSatisfy(row -> assertThat(row.getInt("iters")).isEqualTo(20));
    assertThat(rows.get(0).getString("bench")).isEqualTo("latency");
    assertThat(rows.get(0).getString("provider")).isEqualTo("local");
    assertThat(rows.get(0).getString("progress")).isEqualTo("manual");
  }

  @Test
  void shouldHandItsOptionsToTheRanks() {
    BenchOptions given = new BenchOptions();
    new CommandLine(given)
        .parseArgs(
            ("--provider artery --sizes 8,1k --progress auto --runs 7 --iters 9 --vs akka"
                    + " --profile tcp --json")
                .split(" "));
    BenchOptions taken = new BenchOptions();

    new CommandLine(taken).parseArgs(given.arguments().toArray(String[]::new));

    assertThat(taken).usingRecursiveComparison().isEqualTo(given);
  }
}
