package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that SIGTERM ends sends what it has accepted before it leaves. */
@Tag("jvms")
class EndedNodeTest {
  @TempDir Path directory;

  @Test
  void shouldReceiveWhatANodeHadPostedThatIsEnded() {
    run("shm");
  }

  @Tag("exhaustive")
  @ParameterizedTest
  @ValueSource(strings = {"tcp", "artery", "aeron"})
  void shouldReceiveItOverTheNetworkToo(String provider) {
    run(provider);
  }

  private void run(String provider) {
    try (Command command = Command.start(directory, Map.of(), EndedNode.class, provider)) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.out() + result.err()).isZero();
      assertThat(result.lines()).contains("received in order 60", "other 143", "it has left");
      result.requireNoTrace();
    }
  }
}
