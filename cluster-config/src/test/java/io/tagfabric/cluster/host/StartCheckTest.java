package io.tagfabric.cluster.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StartCheckTest {
  private static final long SOON_MS = 300;

  @TempDir private Path temporary;
  private MediaDriverDirectory directory;

  @BeforeEach
  void makeHost() throws IOException {
    Path host = temporary.resolve("host");
    PrivateFiles.makeDirectory(host);
    directory = MediaDriverDirectory.of(HostDirectory.at(host));
  }

  @Test
  void shouldRefuseADirectoryWithoutADriverAtOnce() throws IOException {
    JobSpec job = job();

    assertThatThrownBy(() -> StartCheck.check(job))
        .isInstanceOf(LaunchException.class)
        .hasMessageStartingWith("no media driver runs in tagfabric.job.aeron-directory=");
  }

  @Test
  void shouldWaitForADriverThatIsStarting() throws IOException {
    directory.writeDriver(ProcessId.current(), ProcessId.current());
    CompletableFuture<MediaDriver> driver =
        CompletableFuture.supplyAsync(
            this::launch, CompletableFuture.delayedExecutor(SOON_MS, TimeUnit.MILLISECONDS));

    StartCheck.check(job());

    try (MediaDriver running = driver.join()) {
      assertThat(directory.findActive()).contains(Path.of(running.aeronDirectoryName()));
    }
  }

  private MediaDriver launch() {
    return MediaDriver.launch(
        new MediaDriver.Context()
            .aeronDirectoryName(directory.aeron().toString())
            .threadingMode(ThreadingMode.SHARED)
            .dirDeleteOnShutdown(true));
  }

  private JobSpec job() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, loopback)) {
      port = free.getLocalPort();
    }
    String host = loopback.getHostAddress();
    return new JobSpec(
        new UUID(1, 2),
        0,
        1,
        host,
        port,
        host,
        port,
        0,
        Optional.of(directory.aeron()),
        Profile.AERON);
  }
}
