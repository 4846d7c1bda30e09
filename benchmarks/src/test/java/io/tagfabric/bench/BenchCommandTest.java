package io.tagfabric.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.bench.ours.Providers;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.assertj.core.data.Percentage;
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
        "latency --sizes 8q | Invalid value for option '--sizes' (LIST): '8q' is no size, give"
            + " bytes such as 8,1k,64k,1m or 1..4m or all",
        "latency --provider none | --provider=none is missing, this build has PROVIDERS",
        "matching --depth 0 | --depth=0 is not within 1 to 1000000",
        "matching --provider none | --provider=none is missing, this build has PROVIDERS",
        "matching --kind seen | Invalid value for option '--kind' (LIST): 'seen' is unknown, choose"
            + " posted or unexpected or probe",
        "matching --kind probe --vs openmpi | --kind=probe has no peer, leave out --vs",
        "memory --runs 1001 | --runs=1001 is not within 1 to 1000",
        "latency --vs akka | --vs akka needs two JVMs, add --provider artery",
        "latency --threads 3 | --threads=3 is neither 1 nor 2",
        "latency --threads 2 --provider artery | --threads=2 is for --provider local, each rank"
            + " has one",
        "latency --runs 0 | --runs=0 is not within 1 to 1000",
        "latency --iters -1 | --iters=-1 < 0, give a number of repetitions",
        "rma --op add | --op=add is unknown, choose of write,read,write-signal,tagged,fetch-add",
        "rma --sizes 1g | --sizes=1073741824 is not within 1 to 268435456",
        "rma --run-ms 0 | --run-ms=0 is not within 1 to 60000",
        "am --provider local | --provider=local has no ranks, choose of shm, aeron, tcp, artery",
        "am --provider shm --sizes 65537 | --sizes=65537 is not within 0 to 65536",
        "am --provider shm --run-ms 0 | --run-ms=0 is not within 1 to 60000",
        "peers --count 0 | --count=0 is not within 1 to 100000",
        "peers --count 10,1 | --count=1 comes after 10, give them in order",
        "peers --domains --count 4097 | --count=4097 is more than 4096 domains",
        "pairs --count 33 | --count=33 is not within 1 to 32",
        "pairs --vs mpj | --vs=mpj is unknown, choose openmpi",
        "pairs --window 0 | --window=0 is not within 1 to 4096",
        "fan-in --senders 0 | --senders=0 is not within 1 to 63",
        "fan-in --senders 1,64 | --senders=64 is not within 1 to 63",
        "fan-in --window 1 | --window=1 is not within 2 to 1024",
        "fan-in --senders 63 --window 65 | --window=65 needs 4158 posted receives > 4096 for 63"
            + " senders, give less",
        "fan-in --timeout 5 | Invalid value for option '--timeout': '5' is no time, give a"
            + " number with us, ms or s, such as 1ms",
        "fan-in --timeout 3601s | --timeout=3601s is not within 1us to 3600s",
        "fan-in --warm-up 3601s | --warm-up=3601s is longer than an hour",
        "crowd --ranks 1 | --ranks=1 is not within 2 to 64",
        "crowd --ranks 2,5 | --ranks=5 is odd, pairs need an even number",
        "crowd --run-ms 0 | --run-ms=0 is not within 1 to 60000",
        "crowd --provider none | --provider=none is missing, this build has PROVIDERS",
        "wake --gap 0ms | --gap=0 ms is not within 1us to 10s",
        "wake --gap 1h | Invalid value for option '--gap': '1h' is no time, give a number with us,"
            + " ms or s, such as 1ms",
        "wake --count 9 | --count=9 is not within 10 to 1000000",
        "wake --vs rust | Invalid value for option '--vs': 'rust' is unknown, choose c",
        "ask --provider local | --provider=local has no ranks, choose of shm, aeron, tcp, artery",
        "cpu --progress auto | --progress=auto has threads of its own, choose manual",
        "cpu --profile tcp | --profile=tcp is for ranks, both ends are in this JVM",
        "cpu --sizes 1g | --sizes=1073741824 is not within 1 to 268435456",
        "cpu --window 64,0 | --window=0 is not within 1 to 4096",
        "cpu --run-ms 0 | --run-ms=0 is not within 1 to 60000",
        "cpu --provider none | --provider=none is missing, this build has PROVIDERS",
        "rma --memory direct | --memory=direct is for messages, choose heap or fabric",
        "ask --provider shm --bytes 65537 | --bytes=65537 is not within 0 to 65536",
        "ask --provider shm --run-ms 60001 | --run-ms=60001 is not within 1 to 60000",
        "tell --provider shm --window 1 | --window=1 is not within 2 to 3000",
        "tell --provider shm --window 3001 | --window=3001 is not within 2 to 3000",
        "tell --provider shm --runs 1001 | --runs=1001 is not within 1 to 1000",
        "rate --window 0 | --window=0 is not within 1 to 4096",
        "bibw --window 2049 | --window=2049 is not within 1 to 2048",
        "bibw --vs akka --provider artery | --vs is for messages that go one way, leave it out or"
            + " use bench compare",
        "rate --window 4097 | --window=4097 is not within 1 to 4096",
      })
  void shouldSayOneSentenceWhenUsedWrongly(String line, String sentence) {
    int code = execute(line);

    assertThat(code).isEqualTo(2);
    assertThat(err.toString().lines().findFirst())
        .contains(sentence.replace("PROVIDERS", String.join(", ", Providers.names())));
    assertThat(out.toString()).isEmpty();
  }

  private static void requireCosts(Config row) {
    assertThat(row.getDouble("cpu_usec")).isNotNegative();
    assertThat(row.getDouble("allocated")).isNotNegative();
  }

  @ParameterizedTest
  @CsvSource({"heap, loop", "fabric, direct"})
  void shouldAccessMemoryOfTheOtherSide(String memory, String reach) {
    int code = execute("rma --sizes 8,1k --runs 1 --run-ms 1 --json --memory " + memory);

    assertThat(code).as("sums are right").isZero();
    List<Config> rows = out.toString().lines().map(ConfigFactory::parseString).toList();
    assertThat(rows.stream().map(row -> row.getString("op") + " " + row.getInt("bytes")))
        .containsExactly(
            "write 8",
            "write 1024",
            "read 8",
            "read 1024",
            "write-signal 8",
            "write-signal 1024",
            "tagged 8",
            "add-random 8",
            "add-one 8");
    assertThat(rows).allMatch(row -> row.getString("reach").equals(reach));
    assertThat(rows).allMatch(row -> row.getDouble("usec") > 0);
    assertThat(rows).allSatisfy(BenchCommandTest::requireCosts);
  }

  @Test
  void shouldCountTheBytesOfBothDirections() {
    int code = execute("bibw --sizes 64 --window 8 --iters 80 --runs 1 --json");

    assertThat(code).isZero();
    Config row = ConfigFactory.parseString(out.toString());
    assertThat(row.getString("test")).isEqualTo("bibw");
    assertThat(row.getInt("window")).isEqualTo(8);
    assertThat(row.getDouble("mb_per_s"))
        .isCloseTo(2 * 80 * 64 / 1e6 / row.getDouble("time_s"), Percentage.withPercentage(0.1));
  }

  @Test
  void shouldPrintARowForEachSize() {
    int code = execute("latency --sizes 8,1k --iters 20 --runs 1 --json");

    assertThat(code).isZero();
    List<Config> rows = out.toString().lines().map(ConfigFactory::parseString).toList();
    assertThat(rows).extracting(row -> row.getInt("bytes")).containsExactly(8, 1024);
    assertThat(rows).allSatisfy(row -> assertThat(row.getInt("iters")).isEqualTo(20));
    assertThat(rows).allSatisfy(BenchCommandTest::requireCosts);
    assertThat(rows.get(0).getString("test")).isEqualTo("latency");
    assertThat(rows.get(0).getString("provider")).isEqualTo("local");
    assertThat(rows.get(0).getString("progress")).isEqualTo("manual");
  }

  @Test
  void shouldPrintARowForEachDepthAndKind() {
    int code = execute("matching --depth 1,50 --runs 1 --json");

    assertThat(code).isZero();
    List<Config> rows = out.toString().lines().map(ConfigFactory::parseString).toList();
    assertThat(rows)
        .extracting(row -> row.getString("kind") + row.getInt("depth"))
        .containsExactly("posted1", "posted50", "unexpected1", "unexpected50");
    assertThat(rows).allSatisfy(BenchCommandTest::requireCosts);
    assertThat(rows).allSatisfy(row -> assertThat(row.getDouble("ns_per_message")).isPositive());
  }

  @Test
  void shouldMeasureOnlyTheKindsOfMatchingAskedFor() {
    int code = execute("matching --depth 1,50 --runs 1 --kind probe --json");

    assertThat(code).isZero();
    List<Config> rows = out.toString().lines().map(ConfigFactory::parseString).toList();
    assertThat(rows)
        .extracting(row -> row.getString("kind") + row.getInt("depth"))
        .containsExactly("probe1", "probe50");
    assertThat(rows).allSatisfy(row -> assertThat(row.getDouble("ns_per_message")).isPositive());
  }

  @ParameterizedTest
  @CsvSource({"shm, heap", "shm, fabric", "local, direct"})
  void shouldMeasureTheProcessorTimeOfBothEnds(String provider, String memory) {
    int code =
        execute(
            "cpu --sizes 8,64k --window 16 --runs 2 --run-ms 1 --json --provider "
                + provider
                + " --memory "
                + memory);

    assertThat(code).as(err.toString()).isZero();
    List<Config> rows = out.toString().lines().map(ConfigFactory::parseString).toList();
    assertThat(rows.stream().map(row -> row.getString("test") + " " + row.getInt("bytes")))
        .containsExactly("ping-pong 8", "ping-pong 65536", "stream 8");
    assertThat(rows).extracting(row -> row.getInt("window")).containsExactly(1, 1, 16);
    assertThat(rows).allMatch(row -> row.getString("provider").equals(provider));
    assertThat(rows).allMatch(row -> row.getString("memory").equals(memory));
    assertThat(rows)
        .allSatisfy(
            row ->
                assertThat(row.getDouble("cpu_usec"))
                    .isPositive()
                    .isBetween(row.getDouble("cpu_usec_min"), row.getDouble("cpu_usec_max")));
    assertThat(rows)
        .allSatisfy(
            row ->
                assertThat(row.getDouble("ratio_median"))
                    .isPositive()
                    .isBetween(row.getDouble("ratio_min"), row.getDouble("ratio_max")));
    assertThat(err.toString().lines().skip(3))
        .containsExactly("bench cpu: run 1/2", "bench cpu: run 2/2");
  }

  @Test
  void shouldMeasureBandwidthWithinItsWindow() {
    int code = execute("bandwidth --sizes 64k --iters 64 --runs 1 --json");

    assertThat(code).isZero();
    Config row = ConfigFactory.parseString(out.toString());
    assertThat(row.getString("test")).isEqualTo("bandwidth");
    assertThat(row.getInt("window")).isEqualTo(64);
    assertThat(row.getInt("iters")).isEqualTo(64);
    assertThat(row.getDouble("mb_per_s")).isPositive();
  }
}
