package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.demos.Ring;
import io.tagfabric.jvms.TestPorts;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks without a launcher, each a process that a person has started. */
@Tag("jvms")
class HandStartedTest {
  @TempDir Path directory;

  private final UUID key = UUID.randomUUID();
  private final int port = TestPorts.next();

  private Command rank(int rank, Map<String, String> more) {
    return rank(rank, more, "100");
  }

  private Command rank(int rank, Map<String, String> more, String rounds) {
    Map<String, String> variables = new HashMap<>();
    variables.put("TAGFABRIC_JOB_KEY", key.toString());
    variables.put("TAGFABRIC_JOB_RANK", Integer.toString(rank));
    variables.put("TAGFABRIC_JOB_SIZE", "2");
    variables.put("TAGFABRIC_JOB_SEED_PORT", Integer.toString(port));
    variables.put("TAGFABRIC_JOB_PROFILE", "tcp");
    variables.put("TAGFABRIC_PROVIDER_USE", "artery");
    variables.putAll(more);
    return Command.start(
        directory.resolve("rank-" + rank + more.size()), variables, Ring.class, "--rounds", rounds);
  }

  private void requireRefused(Map<String, String> wrong, String sentence) {
    try (Command command = rank(1, wrong)) {
      Command.Result result = command.end();

      assertThat(result.err()).contains(sentence);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).doesNotContain("\tat ");
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldTellAStrangerWhyAndStartWithTheRightOne() {
    UUID other = UUID.randomUUID();
    try (Command zero = rank(0, Map.of())) {
      requireRefused(
          Map.of("TAGFABRIC_JOB_KEY", other.toString(), "TAGFABRIC_JOB_START_TIMEOUT", "4 s"),
          "is it running and listening there, and has it the same tagfabric.job.key?");
      requireRefused(
          Map.of(
              "TAGFABRIC_COLLECTIVE_CHECKED", "on",
              "TAGFABRIC_EXIT_TIMEOUT", "7000",
              "TAGFABRIC_PARTITION_KEY", "0x8002"),
          "rank 1: settings differ from those of rank 0, give all ranks the same:"
              + " tagfabric.collective.checked=on != off, tagfabric.exit.timeout=7 s != 0 s,"
              + " tagfabric.partition.key differs");

      // the same in other words
      try (Command one = rank(1, Map.of("TAGFABRIC_ENDPOINT_PACKET_SIZE", "65536"))) {
        assertThat(one.end().code()).isZero();
      }
      assertThat(zero.end().code()).isZero();
    }
  }

  @Test
  void shouldMissARankOfItsHostThatIsKilled() {
    // the cluster alone would not find out
    Map<String, String> patient =
        Map.of(
            "JAVA_TOOL_OPTIONS", "-Dakka.cluster.failure-detector.acceptable-heartbeat-pause=1h");
    try (Command zero = rank(0, patient, "100000000");
        Command one = rank(1, patient, "100000000")) {
      zero.awaitThread("rank-watch");
      one.signal("KILL");

      Command.Result result = zero.end();
      assertThat(result.code()).isEqualTo(1);
      // in the ring, or still in the barrier before it
      assertThat(result.err())
          .containsPattern("rank 0: (peer \\[rank-1@|barrier: rank 1 is lost)")
          .contains("its node was downed");
    }
  }
}
