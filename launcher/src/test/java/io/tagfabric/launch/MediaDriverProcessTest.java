package io.tagfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.MediaDriverDirectory;
import io.tagfabric.cluster.host.PrivateFiles;
import io.tagfabric.cluster.host.ProcessId;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("jvms")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MediaDriverProcessTest {
  @TempDir Path parent;
  private HostDirectory host;
  private MediaDriverDirectory directory;

  @BeforeEach
  void makeHost() {
    host = HostDirectory.at(parent.resolve("host"));
    directory = MediaDriverDirectory.of(host);
  }

  private MediaDriverProcess startOrJoin() {
    return MediaDriverProcess.startOrJoin(host, InetAddress.getLoopbackAddress(), Map.of());
  }

  private ProcessHandle driver() {
    return ProcessHandle.of(directory.driver().orElseThrow().pid()).orElseThrow();
  }

  @Test
  void shouldRunADriverUntilItIsClosed() throws InterruptedException {
    MediaDriverProcess starter = startOrJoin();
    starter.awaitReady();
    ProcessHandle process = driver();

    starter.close();

    assertThat(process.isAlive()).isFalse();
    assertThat(host.path()).doesNotExist();
  }

  @Test
  void shouldJoinADriverThatRuns() throws InterruptedException {
    MediaDriverProcess starter = startOrJoin();
    starter.awaitReady();
    ProcessHandle process = driver();
    MediaDriverProcess guest = startOrJoin();
    guest.awaitReady();

    guest.close();

    assertThat(guest.isStarted()).isFalse();
    assertThat(process.isAlive()).isTrue();
    starter.close();
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void shouldStartADriverIfTheOneItHasJoinedEndsBeforeItIsReady()
      throws IOException, InterruptedException {
    Process ends = new ProcessBuilder("sleep", "60").start();
    host.lock().close();
    directory.writeDriver(ProcessId.of(ends.toHandle()), ProcessId.current());
    MediaDriverProcess joined = startOrJoin();
    boolean before = joined.isStarted();
    ends.destroyForcibly().waitFor();

    joined.awaitReady();

    assertThat(before).isFalse();
    assertThat(joined.isStarted()).isTrue();
    assertThat(directory.findActive()).contains(joined.aeronDirectory());
    ProcessHandle process = driver();
    joined.close();
    assertThat(process.isAlive()).isFalse();
    assertThat(host.path()).doesNotExist();
  }

  @Test
  void shouldTellAllWhoUseItWhenItIsKilled() throws Exception {
    MediaDriverProcess starter = startOrJoin();
    starter.awaitReady();
    MediaDriverProcess guest = startOrJoin();
    guest.awaitReady();
    CompletableFuture<?> told = guest.onExit().toCompletableFuture();
    assertThat(told).isNotDone();

    driver().destroyForcibly();

    told.get(30, TimeUnit.SECONDS);
    starter.onExit().toCompletableFuture().get(30, TimeUnit.SECONDS);
    guest.close();
    starter.close();
    assertThat(host.path()).doesNotExist();
  }

  @Test
  void shouldCleanUpWhenDriverAndStarterHaveBeenKilled() throws Exception {
    Process ends = new ProcessBuilder("sleep", "60").start();
    ProcessId deadStarter = new ProcessId(ProcessHandle.current().pid(), 1);
    host.lock().close();
    directory.writeDriver(ProcessId.of(ends.toHandle()), deadStarter);
    PrivateFiles.makeDirectories(directory.aeron().resolve("images"));
    MediaDriverProcess joined = startOrJoin();
    ends.destroyForcibly().waitFor();

    joined.close();

    assertThat(joined.isStarted()).isFalse();
    assertThat(host.path()).doesNotExist();
  }

  @Test
  void shouldLetNobodyElseReadItsBuffers() throws Exception {
    MediaDriverProcess starter = startOrJoin();
    try {
      starter.awaitReady();
      int port;
      try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      String channel = "aeron:udp?endpoint=127.0.0.1:" + port;
      String place = directory.aeron().toString();
      try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(place));
          Subscription in = aeron.addSubscription(channel, 1);
          Publication out = aeron.addPublication(channel, 1)) {
        Await.until("the stream is open", () -> in.imageCount() == 1 && out.isConnected());
        try (Stream<Path> all = Files.walk(host.path())) {
          assertThat(all)
              .hasSizeGreaterThan(8)
              .anyMatch(path -> path.endsWith("cnc.dat"))
              .anyMatch(path -> path.getParent().endsWith("images"))
              .anyMatch(path -> path.getParent().endsWith("publications"))
              .allSatisfy(
                  path ->
                      assertThat(Files.getPosixFilePermissions(path))
                          .as(path.toString())
                          .doesNotContainAnyElementsOf(
                              PosixFilePermissions.fromString("---rwxrwx")));
        }
      }
    } finally {
      starter.close();
    }
  }

  @Test
  void shouldServeItsUsersToTheEndWhenItIsTerminated() throws Exception {
    MediaDriverProcess starter = startOrJoin();
    starter.awaitReady();
    ProcessHandle process = driver();
    Process user = new ProcessBuilder("sleep", "60").start();
    directory.add(ProcessId.of(user.toHandle()));

    process.destroy();
    starter.close();

    assertThatThrownBy(() -> process.onExit().get(1, TimeUnit.SECONDS))
        .isInstanceOf(TimeoutException.class);
    assertThat(directory.findActive()).isPresent();
    user.destroyForcibly();
    process.onExit().get(30, TimeUnit.SECONDS);
    assertThat(host.path()).doesNotExist();
  }
}
