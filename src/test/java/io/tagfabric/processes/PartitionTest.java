package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.tagfabric.cli.Tagfabric;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tagfabric partition}: a job whose network is cut for good ends on both sides. */
@Tag("jvms")
class PartitionTest {
  private static final int USAGE = 2;

  @TempDir Path directory;

  @Test
  void shouldSayWhatIsMissingWithoutTheCommandIp() {
    try (Command command =
        Command.start(
            directory, Map.of("PATH", directory.toString()), Tagfabric.class, "partition")) {
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(USAGE);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).contains("this needs ").contains("the command `ip`");
      result.requireNoTrace();
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldEndEachSideAsItsSizeWants() {
    // at once: some ranks have not yet heard that the cluster takes them for up
    try (Command command =
        Command.tagfabric(directory, "partition", "--short-cut", "0", "--after", "0")) {
      Command.Result result = command.end();

      assumeFalse(result.code() == USAGE, result.err());
      assertThat(result.code()).as(result.out() + result.err()).isZero();
      assertThat(result.out()).contains("rank 2 ended with code 0", "rank 3 ended with code 1");
    }
  }
}
