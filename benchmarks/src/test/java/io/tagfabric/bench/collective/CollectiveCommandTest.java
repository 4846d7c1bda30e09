package io.tagfabric.bench.collective;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CollectiveCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new CollectiveCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "auto, cell, cell",
    "ring, ring, messages",
    "recursive-doubling, recursive-doubling, messages"
  })
  void shouldPrintAllFieldsWhenAskedForJson(String asked, String algorithm, String tier) {
    int code = run("--in-jvm", "--ranks", "3", "--sizes", "8", "--json", "--algorithm", asked);

    assertThat(code).as(err.toString()).isEqualTo(ExitCode.OK);
    Config row = ConfigFactory.parseString(out.toString());
    assertThat(row.root().keySet())
        .containsExactlyInAnyOrder(
            "op",
            "ranks",
            "bytes",
            "algorithm",
            "tier",
            "p50_us",
            "p99_us",
            "mean_us",
            "allocated");
    assertThat(row.getString("op")).isEqualTo("allreduce");
    assertThat(row.getInt("ranks")).isEqualTo(3);
    assertThat(row.getInt("bytes")).isEqualTo(8);
    assertThat(row.getString("algorithm")).isEqualTo(algorithm);
    assertThat(row.getString("tier")).isEqualTo(tier);
    assertThat(row.getDouble("p99_us")).isGreaterThanOrEqualTo(row.getDouble("p50_us"));
  }

  @ParameterizedTest
  @CsvSource({"cell", "shm", "messages"})
  void shouldBeCarriedByTheTierWithoutAllocatingInAPreparedCall(String tier) {
    int code = run("--in-jvm", "--ranks=3", "--sizes=8", "--json", "--prepared", "--tier=" + tier);

    assertThat(code).as(err.toString()).isEqualTo(ExitCode.OK);
    Config row = ConfigFactory.parseString(out.toString());
    assertThat(row.getString("tier")).isEqualTo(tier);
    assertThat(row.getDouble("allocated")).isLessThan(16);
  }

  @Test
  void shouldCountWhatACallAllocatesThatIsNotPrepared() {
    int code = run("--in-jvm", "--ranks=3", "--sizes=8", "--json", "--tier=messages");

    assertThat(code).as(err.toString()).isEqualTo(ExitCode.OK);
    assertThat(ConfigFactory.parseString(out.toString()).getDouble("allocated")).isPositive();
  }

  @Test
  void shouldRefuseWhatIsNone() {
    assertThat(run("--op", "sing")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--op=sing is none of barrier, broadcast");
    assertThat(run("--ranks", "4097", "--in-jvm")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--ranks=4097 is not within 1 to 4096");
    assertThat(run("--tier", "smoke", "--in-jvm")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--tier=smoke is none of auto, cell, shm, messages");
    assertThat(run("--tier", "cell")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--tier=cell between JVMs is none of auto, shm, messages");
    assertThat(run("--algorithm", "bubble")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("algorithm=[bubble] is none of allreduce");
  }

  @ParameterizedTest
  @CsvSource({
    "'--vs gasnet', '--vs=gasnet is none of openmpi, mpj'",
    "'--vs openmpi --in-jvm', '--vs=openmpi has no ranks in one JVM, leave --in-jvm out'",
    "'--vs mpj --op exscan', '--vs=mpj has no exscan, choose another --op'",
    "'--vs openmpi --runs 0', --runs=0 is not within 1 to 100"
  })
  void shouldRefuseAComparisonThatCannotBe(String options, String complaint) {
    assertThat(run(options.split(" ", -1))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(complaint.replace("'", ""));
  }

  @Test
  void shouldReadTheTimesThatPeersPrint() {
    assertThat(CollectivePeer.times("hello\ntimes 8 1.5 20 3.25\n".getBytes(UTF_8)))
        .containsExactly(new CallTimes(8, 1.5, 20, 3.25));
  }
}
