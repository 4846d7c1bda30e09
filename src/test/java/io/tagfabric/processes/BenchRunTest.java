package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small runs of benchmarks whose ranks are two JVMs. */
@Tag("jvms")
class BenchRunTest {
  @TempDir Path directory;

  /** The rows that a benchmark has printed; it has ended with code 0 and left nothing. */
  private List<Config> rows(String line) {
    String[] words =
        Stream.concat(Stream.of("bench"), Stream.of(line.split(" "))).toArray(String[]::new);
    try (Command command = Command.tagfabric(directory, words)) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.out() + result.err()).isZero();
      assertThat(result.out().lines()).as(result.err()).allMatch(each -> each.startsWith("{"));
      return result.out().lines().map(ConfigFactory::parseString).toList();
    }
  }

  @Test
  void shouldAskActorsOfTheOtherRankBesideAkka() {
    List<Config> rows =
        rows("ask --provider shm --vs akka --way loop,thread --runs 1 --run-ms 5 --json");

    assertThat(rows)
        .extracting(row -> row.getString("reference") + " " + row.getString("way"))
        .containsExactly("akka actors", "akka thread", "tagfabric loop", "tagfabric thread");
    assertThat(rows).allMatch(row -> row.getString("op").equals("ask"));
    assertThat(rows).allMatch(row -> row.getInt("bytes") == 64 && row.getDouble("usec") > 0);
    assertThat(rows.subList(0, 2)).noneMatch(row -> row.hasPath("faster"));
    assertThat(rows.subList(2, 4)).allMatch(row -> row.getDouble("faster_min") > 0);
    assertThat(rows.subList(2, 4)).allMatch(row -> row.getString("provider").equals("shm"));
  }

  @Test
  void shouldLetPairsOfRanksSendAtTheSameTime() {
    List<Config> rows = rows("pairs --count 1,2 --runs 1 --run-ms 5 --json");

    assertThat(rows).extracting(row -> row.getInt("pairs")).containsExactly(1, 2);
    assertThat(rows).extracting(row -> row.getInt("ranks")).containsExactly(2, 4);
    assertThat(rows).allMatch(row -> row.getString("test").equals("pairs"));
    assertThat(rows).allMatch(row -> row.getDouble("msgs_per_s") > 0);
    assertThat(rows).noneMatch(row -> row.hasPath("peer"));
  }

  @Test
  void shouldTellActorsOfTheOtherRankAndLoseNothing() {
    List<Config> rows =
        rows(
            "tell --provider shm --way loop,wait --runs 2 --run-ms 5 --window 10 --bytes 8 --json");

    assertThat(rows).extracting(row -> row.getString("way")).containsExactly("loop");
    Config row = rows.get(0);
    assertThat(row.getString("op")).isEqualTo("tell");
    assertThat(row.getInt("window")).isEqualTo(10);
    assertThat(row.getInt("bytes")).isEqualTo(8);
    assertThat(row.getInt("messages")).isPositive();
    assertThat(row.getInt("received")).isEqualTo(row.getInt("messages"));
    assertThat(row.getInt("by_artery")).isZero();
  }

  @Test
  void shouldMeasureFixedAndNegotiatedPayload() {
    List<Config> rows = rows("am --provider shm --sizes 8,4k --runs 1 --run-ms 2 --json");

    assertThat(rows)
        .extracting(row -> row.getString("op") + " " + row.getInt("bytes"))
        .containsExactly(
            "tagged 8",
            "request-reply 8",
            "medium 8",
            "medium-claim 8",
            "medium-buffer 8",
            "medium 4096",
            "medium-claim 4096",
            "medium-buffer 4096");
    assertThat(rows).allMatch(row -> row.getDouble("usec") > 0 && row.getDouble("ratio") > 0);
    assertThat(rows).allMatch(row -> row.getString("provider").equals("shm"));
  }

  @Test
  void shouldMeasureBesideSilentPeers() {
    List<Config> rows = rows("peers --count 1,5 --runs 1 --run-ms 2 --thread-use one --json");

    assertThat(rows).extracting(row -> row.getInt("peers")).containsExactly(1, 5);
    assertThat(rows).allMatch(row -> row.getDouble("half_ns") > 0);
    assertThat(rows).allMatch(row -> row.getDouble("message_ns") > 0);
    assertThat(rows.get(0).getDouble("message_ratio")).isEqualTo(1);
    assertThat(rows).allMatch(row -> row.getString("provider").equals("shm"));
  }

  @Test
  void shouldMeasureBesideSilentPeersWithADomainEach() {
    List<Config> rows =
        rows("peers --domains --provider aeron --count 1,3 --runs 1 --run-ms 2 --json");

    assertThat(rows).extracting(row -> row.getInt("peers")).containsExactly(1, 3);
    assertThat(rows).allMatch(row -> row.getString("each").equals("domain"));
    assertThat(rows).allMatch(row -> row.getString("provider").equals("aeron"));
    assertThat(rows).allMatch(row -> row.getDouble("half_ns") > 0 && row.hasPath("held_kb"));
  }

  @Test
  void shouldMeasureManySendersToOne() {
    List<Config> rows =
        rows("fan-in --senders 1,3 --runs 2 --run-ms 20 --warm-up 0s --window 8 --json");

    assertThat(rows).extracting(row -> row.getInt("senders")).containsExactly(1, 3);
    assertThat(rows).allMatch(row -> row.getDouble("messages_per_s") > 0);
    assertThat(rows).allMatch(row -> row.getDouble("share_min") <= row.getDouble("share_max"));
    assertThat(rows.get(0).getDouble("jain")).isEqualTo(1);
    assertThat(rows.get(1).getDouble("jain")).isBetween(1 / 3.0 - 1e-3, 1.0);
    assertThat(rows).allMatch(row -> row.getString("provider").equals("shm"));
  }

  @Test
  void shouldMeasurePairsBesideOnePair() {
    List<Config> rows =
        rows("crowd --ranks 2,4 --runs 2 --run-ms 20 --warm-up 0s --progress auto --json");

    assertThat(rows).extracting(row -> row.getInt("ranks")).containsExactly(2, 4);
    assertThat(rows.get(0).getDouble("ratio")).isEqualTo(1);
    assertThat(rows).allMatch(row -> row.getDouble("ratio_min") > 0);
    assertThat(rows).allMatch(row -> row.getString("progress").equals("auto"));
  }

  @Test
  void shouldWakeASleepingRank() {
    List<Config> rows = rows("wake --gap 1ms --count 20 --runs 1 --progress auto --json");

    assertThat(rows).hasSize(1);
    Config row = rows.get(0);
    assertThat(row.getString("progress")).isEqualTo("auto");
    assertThat(row.getInt("gap_us")).isEqualTo(1_000);
    assertThat(row.getDouble("p99_us")).isGreaterThanOrEqualTo(row.getDouble("p50_us"));
    assertThat(row.getDouble("idle_percent")).isGreaterThanOrEqualTo(0);
    assertThat(row.hasPath("ratio")).isFalse();
  }

  @Test
  void shouldWakeASleepingRankBesideAProgramInC() {
    assumeTrue(Stream.of("/usr/bin/cc", "/usr/bin/gcc").anyMatch(cc -> Files.exists(Path.of(cc))));
    List<Config> rows = rows("wake --gap 500us --count 20 --runs 2 --vs c --json");

    assertThat(rows).hasSize(1);
    assertThat(rows.get(0).getString("peer")).isEqualTo("c");
    assertThat(rows.get(0).getDouble("peer_p50_us")).isPositive();
    assertThat(rows.get(0).getDouble("ratio_max"))
        .isGreaterThanOrEqualTo(rows.get(0).getDouble("ratio_min"));
  }
}
