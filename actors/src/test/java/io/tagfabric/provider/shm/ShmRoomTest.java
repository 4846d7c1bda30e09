package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.ProviderUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where memory is short; needs the right to mount. */
class ShmRoomTest {
  @TempDir Path parent;
  private Path small;
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    small = Files.createDirectory(parent.resolve("m"));
    mounted = run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", small.toString());
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

  @Test
  void shouldSayNeedRoomAndCureWhenTheFileDoesNotFit() {
    assertThatThrownBy(() -> new ShmSide(() -> 1, small, Map.of()))
        .isInstanceOf(ProviderUnavailableException.class)
        .hasMessageMatching(
            "(?s)a domain needs neededBytes=\\d{7} of shared memory, freeBytes=\\d+ in .*"
                + " enlarge it \\(docker run --shm-size\\), lower tagfabric.provider.shm.ring-size"
                + " and tagfabric.provider.shm.slots, or set tagfabric.launch.directory");
    assertThat(HostDirectory.below(small).path()).as("nothing is left").doesNotExist();
  }

  @Test
  void shouldFitWhenTheDomainIsMadeSmaller() {
    ShmSide side = new ShmSide(() -> 1, small, Map.of("ring-size", "128 KiB", "slots", "8"));

    assertThat(side.file()).exists();
    side.close();
  }

  @Test
  void shouldServeByTheNextProviderWhenThereIsNoRoom() {
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            "short-of-memory",
            ConfigFactory.parseMap(
                    Map.of(
                        "akka.loglevel", "ERROR",
                        "tagfabric.provider.use", List.of("shm", "local"),
                        "tagfabric.launch.directory", small.toString()))
                .withFallback(ConfigFactory.load()));
    try {
      Domain domain = Fabric.get(system).openDomain("d", ProgressMode.MANUAL);

      assertThat(domain.openEndpoint("e").address().providers()).containsOnlyKeys("local");
      assertThat(domain.allocate(4 << 20).sharedBy()).as("private instead").isEmpty();
      assertThat(HostDirectory.below(small).path()).as("nothing is left").doesNotExist();
    } finally {
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().join();
    }
  }
}
