package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.error.FabricError;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.provider.Channel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With another JVM that is killed. */
@Tag("jvms")
class ShmProcessTest {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);
  private static final IdlePolicy PARKING = new IdlePolicy(0, 0, PATIENCE_NS);

  @TempDir Path parent;
  private Path host;
  private Process victim;
  private String address;
  private ShmSide side;

  @BeforeEach
  void startVictim() throws IOException {
    host = parent;
    victim =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ShmVictim.class.getName(),
                host.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(victim.getInputStream(), StandardCharsets.UTF_8));
    do {
      address = lines.readLine();
    } while (address != null && !address.startsWith(parent.toString()));
    assertThat(address).as("the victim's address").isNotNull();
  }

  @AfterEach
  void end() throws InterruptedException {
    if (side != null) {
      side.close();
    }
    kill();
  }

  private void kill() throws InterruptedException {
    victim.destroyForcibly();
    assertThat(victim.waitFor(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldCloseTheChannelWithinTheIntervalWhenThePeerIsKilled() throws Exception {
    side = new ShmSide(TimeSource.SYSTEM, host, Map.of("check-interval", "20 ms"));
    Channel channel = side.connect(ShmSide.addressOf(address));
    channel.offer(ShmSide.packet(100, 1));
    assertThat(channel.closedBecause()).isNull();

    kill();

    assertThat(
            side.loop.await(
                () -> channel.closedBecause() != null, System.nanoTime() + PATIENCE_NS, PARKING))
        .isTrue();
    assertThat(channel.closedBecause()).isEqualTo("the peer's process has ended");
    assertThat(channel.closedWith()).isEqualTo(FabricError.CONNECTION_RESET);
    assertThat(side.closures).isEqualTo(1);
  }

  @Test
  void shouldNotTakeAnInterruptedThreadForTheEndOfThePeer() {
    side = new ShmSide(TimeSource.SYSTEM, host, Map.of("check-interval", "1 ms"));
    Channel channel = side.connect(ShmSide.addressOf(address));

    Thread.currentThread().interrupt();
    long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
    while (System.nanoTime() - untilNs < 0) {
      side.loop.advance();
    }

    assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
    assertThat(channel.closedBecause()).isNull();
  }

  @Test
  void shouldSweepWhatAKilledJvmLeftWhenTheNextOneBegins() throws Exception {
    Path left = Path.of(address.substring(0, address.indexOf('#')));
    kill();
    assertThat(left).exists();

    side = new ShmSide(TimeSource.SYSTEM, host, Map.of());

    assertThat(left.getParent()).doesNotExist();
    side.close();
    side = null;
    assertThat(host).isEmptyDirectory();
  }
}
