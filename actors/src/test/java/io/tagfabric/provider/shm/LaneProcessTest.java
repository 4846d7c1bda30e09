package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.progress.TimeSource;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.shm.ring.ShmLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders in other JVMs are killed while they write into their lanes, again and again. */
@Tag("jvms")
class LaneProcessTest {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
  private static final int LANES = 3;
  private static final int AT_ONCE = 2;
  private static final int ROUNDS = 5;
  private static final int OWN_BYTES = 100;
  private static final Map<String, String> SETTINGS =
      Map.of("lanes", String.valueOf(LANES), "check-interval", "5 ms");

  @TempDir Path host;
  private final List<Process> victims = new ArrayList<>();
  private final Random random = new Random(3);
  private ShmSide side;
  private ShmSide other;
  private Channel ofOther;
  private ShmFile file;
  private int own;
  private int ownCame;
  private int ofVictims;

  @BeforeEach
  void open() throws IOException {
    side = new ShmSide(TimeSource.SYSTEM, host, SETTINGS);
    other = new ShmSide(TimeSource.SYSTEM, host, SETTINGS);
    ofOther = other.connect(side);
    file = ShmFile.open(side.file());
  }

  @AfterEach
  void close() throws InterruptedException {
    kill();
    file.close();
    other.close();
    side.close();
    assertThat(host).isEmptyDirectory();
  }

  private void start() throws IOException {
    Process victim =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LaneVictim.class.getName(),
                host.toString(),
                side.wire.address())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    victims.add(victim);
  }

  private static void awaitBegin(Process victim) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(victim.getInputStream(), StandardCharsets.UTF_8));
    String line;
    do {
      line = lines.readLine();
    } while (line != null && !line.equals("begins"));
    assertThat(line).as("the victim begins").isNotNull();
  }

  private void kill() throws InterruptedException {
    victims.forEach(Process::destroyForcibly);
    for (Process victim : victims) {
      assertThat(victim.waitFor(30, TimeUnit.SECONDS)).as("the victim has ended").isTrue();
    }
    victims.clear();
  }

  /** Reads and checks each packet, while the sender in this JVM sends too. */
  private void driveUntil(String what, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    while (!condition.getAsBoolean()) {
      assertThat(deadlineNs - System.nanoTime()).as("patience: %s", what).isPositive();
      pass();
    }
  }

  private void pass() {
    other.onLoop(
        () -> {
          if (ofOther.offer(ShmSide.packet(OWN_BYTES, own))) {
            own++;
          }
        });
    side.onLoop(() -> {});
    for (byte[] packet : side.received) {
      int seed = packet[0];
      if (packet.length == OWN_BYTES) {
        assertThat((byte) seed).as("in order").isEqualTo((byte) ownCame++);
      } else {
        ofVictims++;
      }
      int length = packet.length == OWN_BYTES ? OWN_BYTES : LaneVictim.PACKET_BYTES;
      assertThat(packet).as("whole").isEqualTo(ShmSide.packet(length, seed).buffer().byteArray());
    }
    side.received.clear();
  }

  private long lanesInUse() {
    return Long.bitCount(file.buffer().getLongVolatile(ShmLayout.LANES_USED_AT));
  }

  private int entriesInUse() {
    UnsafeBuffer buffer = file.buffer();
    int used = 0;
    for (int entry = 0; entry < ShmLayout.SENDERS; entry++) {
      used += buffer.getIntVolatile(ShmLayout.senderAt(entry)) == ShmLayout.SENDER_FREE ? 0 : 1;
    }
    return used;
  }

  @Test
  void shouldGoOnWithOthersAndGiveTheLanesToTheNextOnesWhenSendersAreKilled() throws Exception {
    int mostAtOnce = 0;
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < AT_ONCE; i++) {
        start();
      }
      for (Process victim : victims) {
        awaitBegin(victim); // now each enters and writes, or is killed in the midst of that
      }
      if (round % 2 == 0) {
        int enough = ofVictims + 100 + random.nextInt(2_000);
        driveUntil("packets of victims", () -> ofVictims >= enough);
        driveUntil("all lanes are in use", () -> lanesInUse() == LANES);
      } else {
        for (int i = random.nextInt(200); i > 0; i--) {
          pass();
        }
      }
      mostAtOnce = Math.max(mostAtOnce, entriesInUse());
      kill();

      driveUntil("only the own lane is in use", () -> lanesInUse() == 1 && entriesInUse() == 1);
      int sent = own;
      driveUntil("the sender that lives goes on", () -> ownCame > sent);
    }

    assertThat(mostAtOnce).isEqualTo(LANES);
    assertThat(side.closures).as("victims that were noticed").isPositive();
    assertThat(ofOther.closedBecause()).isNull();
  }
}
