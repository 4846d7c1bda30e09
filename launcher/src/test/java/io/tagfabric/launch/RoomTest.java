package io.tagfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.typesafe.config.ConfigFactory;
import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.Room;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.settings.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where memory is short; needs the right to mount. */
@Tag("jvms")
@Timeout(60)
class RoomTest {
  @TempDir Path parent;
  private Path small;
  private boolean mounted;

  @BeforeEach
  void makePlace() throws IOException {
    small = Files.createDirectory(parent.resolve("small"));
  }

  @AfterEach
  void unmount() throws InterruptedException {
    if (mounted) {
      assertThat(run("umount", small.toString())).isTrue();
    }
  }

  private void mount(int mebibytes) throws InterruptedException {
    mounted =
        run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", small.toString());
    assumeTrue(mounted, "only root may mount a file system");
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
  void shouldChooseThePlaceWithRoom() throws InterruptedException {
    Path missing = parent.resolve("missing");
    assertThat(Room.choose(parent, missing)).isEqualTo(parent);
    assertThat(Room.choose(missing, parent)).isEqualTo(parent);

    mount(200);

    assertThat(Room.choose(small, parent)).isEqualTo(parent);
    assertThat(Room.choose(small, missing)).isEqualTo(small);
  }

  @Test
  void shouldStartNoJobWhereItsDriverHasNoRoom() throws InterruptedException {
    mount(140);
    Map<String, String> variables = Map.of("TAGFABRIC_LAUNCH_DIRECTORY", small.toString());
    OutputStream nowhere = OutputStream.nullOutputStream();
    JobLauncher launcher =
        new JobLauncher(Settings.of(ConfigFactory.load(), variables), variables, nowhere, nowhere);
    LocalJob job =
        new LocalJob(
            2,
            TestRank.class.getName(),
            List.of("aeron"),
            Profile.AERON,
            List.of(),
            Optional.empty(),
            false);

    assertThatThrownBy(() -> launcher.run(job))
        .isInstanceOf(LaunchException.class)
        .hasMessageMatching(
            ".*/tagfabric-.* has room for freeBytes=14\\d+ < 167772160 that the media driver's"
                + " buffers may take: enlarge it .* by TAGFABRIC_LAUNCH_DIRECTORY, or do without a"
                + " driver by --profile tcp");
    assertThat(small).isEmptyDirectory();
  }

  @Test
  void shouldNotComplainOfRoomThatIsEnough() throws InterruptedException {
    mount(168);
    HostDirectory host = HostDirectory.below(small);
    MediaDriverProcess driver =
        MediaDriverProcess.startOrJoin(host, InetAddress.getLoopbackAddress(), Map.of());
    try {
      driver.awaitReady();
      String directory = driver.aeronDirectory().toString();
      try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
          Publication buffer = aeron.addPublication("aeron:ipc?term-length=64k", 1)) {
        assertThat(buffer.isClosed()).isFalse();
        assertThat(small.toFile().getUsableSpace()).isLessThan(Room.OF_DRIVER_BYTES);
        assertThat(aeron.countersReader().getCounterValue(SystemCounterDescriptor.ERRORS.id()))
            .isZero();
      }
    } finally {
      driver.close();
    }
    assertThat(small).isEmptyDirectory();
  }
}
