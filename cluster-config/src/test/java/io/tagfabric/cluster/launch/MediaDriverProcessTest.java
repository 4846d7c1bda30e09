package io.tagfabric.cluster.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    assertThat(guest.onExit()).isEmpty();
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
    Optional<?> before = joined.onExit();
    ends.destroyForcibly().waitFor();

    joined.awaitReady();

    assertThat(before).isEmpty();
    assertThat(joined.onExit()).isPresent();
    assertThat(directory.findActive()).contains(joined.aeronDirectory());
    ProcessHandle process = driver();
    joined.close();
    assertThat(process.isAlive()).isFalse();
    assertThat(host.path()).doesNotExist();
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
