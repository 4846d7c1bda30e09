package io.tagfabric.provider.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.provider.ProviderUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where memory is short; needs the right to mount. */
class AeronRoomTest {
  private static final int MIB = 1 << 20;

  @TempDir Path parent;
  private Path small;
  private boolean mounted;

  @BeforeEach
  void create() throws IOException {
    small = Files.createDirectory(parent.resolve("m"));
  }

  private void mount(String size) throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", small.toString());
    assumeTrue(mounted, "only root may mount a file system");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertThat(run("umount", small.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException notThere) {
      return false;
    }
  }

  private Settings settings() {
    Config config =
        ConfigFactory.parseMap(Map.of("tagfabric.launch.directory", small.toString()))
            .withFallback(ConfigFactory.load());
    return Settings.of(config, Map.of());
  }

  @Test
  void shouldSayNeedRoomAndCureWhenADriverDoesNotFit() throws Exception {
    mount("4m");
    Settings all = settings();

    assertThatThrownBy(
            () ->
                AeronNode.acquire(new ProgressLoop(TimeSource.SYSTEM), AeronSettings.of(all), all))
        .isInstanceOf(ProviderUnavailableException.class)
        .hasMessageMatching(
            "(?s).*a media driver needs neededBytes=\\d+ of shared memory, freeBytes=\\d{7} in .*"
                + "enlarge it \\(docker run --shm-size\\), lower tagfabric.aeron.term-length, or"
                + " set tagfabric.launch.directory");
    assertThat(HostDirectory.below(small).path()).as("nothing is left").doesNotExist();
  }

  @Test
  void shouldSayWhatAStreamNeedsWhenThereIsNoRoomForItsTerms() throws Exception {
    mount("4m");

    assertThat(new AeronRoom(small, MIB).noneForStream()).isEmpty();
    assertThat(new AeronRoom(small, 2 * MIB).noneForStream())
        .get()
        .asString()
        .contains("a stream to a peer needs neededBytes=" + 6 * MIB, "freeBytes=" + 4 * MIB);
    assertThat(new AeronRoom(small, MIB).usedUp()).isEmpty();

    Files.write(small.resolve("filling"), new byte[4 * MIB - 4096]);
    assertThat(new AeronRoom(small, MIB).usedUp()).get().asString().contains("freeBytes=4096");
  }
}
