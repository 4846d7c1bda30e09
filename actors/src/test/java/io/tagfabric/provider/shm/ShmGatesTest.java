package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.provider.DirectRegion;
import io.tagfabric.provider.LocalRegions;
import io.tagfabric.provider.RegionDoor;
import io.tagfabric.provider.RegionPass;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Regions of fabric memory that peers access themselves, from both sides. */
class ShmGatesTest {
  static final int BYTES = 4096;
  static final long TOKEN = 77;
  private static final int ALL_RIGHTS = 15;

  @TempDir Path parent;
  private ShmDirectory directory;
  private ShmMemory memory;
  private ShmFile own;
  private ShmDirectMemory peer;
  private long generations = 1;

  @BeforeEach
  void allocate() throws IOException {
    directory = ShmDirectory.enter(ShmSide.settings(parent, Map.of()));
    memory = ShmMemory.allocate(ShmSide.settings(parent, Map.of()), BYTES);
    own = ShmFile.create(directory.path().resolve("domain-1-1"), BYTES);
    peer = new ShmDirectMemory(directory.path(), own.path(), TOKEN);
  }

  @AfterEach
  void close() throws IOException {
    peer.close();
    memory.close();
    try (Stream<Path> files = Files.list(directory.path())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("region-") || name.startsWith("memory-"));
    }
    own.close();
    directory.close();
  }

  private static RegionPass pass(long key, long length) {
    return new RegionPass(key, length, ALL_RIGHTS, true);
  }

  private RegionDoor open(UnsafeBuffer buffer, long generation) {
    return LocalRegions.open(buffer, generation, pass(generation, buffer.capacity()));
  }

  private UnsafeBuffer all() {
    return new UnsafeBuffer(memory.buffer());
  }

  @Test
  void shouldFindARegionByItsGenerationAndKey() {
    RegionDoor door = open(new UnsafeBuffer(memory.buffer(), 16, 24), 5);
    assertThat(peer.find(6, 5)).isNull();
    DirectRegion region = peer.find(5, 5);
    assertThat(region.pass()).isEqualTo(pass(5, 24));
    assertThat(region.enter()).isTrue();
    region.bytes().putLong(8, 42);
    region.leave();
    assertThat(memory.buffer().getLong(24)).isEqualTo(42);
    assertThat(peer.find(5, 7)).isNull();
    door.shut();
    assertThat(region.enter()).isFalse();
    assertThat(door.isQuiet()).isTrue();
    door.release();
  }

  @Test
  void shouldNotFindARegionOfMemoryThatWasGivenBackBefore() {
    RegionDoor known = open(all(), 5);
    RegionDoor unknown = open(all(), 7);
    DirectRegion region = peer.find(5, 5);
    memory.close();
    assertThat(peer.find(7, 7)).as("its loop is asked").isNull();
    assertThat(region.enter()).as("what is mapped stays").isTrue();
    region.leave();
    known.shut();
    unknown.shut();
    assertThat(region.enter()).isFalse();
  }

  @Test
  void shouldHaveRoomForSoManyRegionsAndPeers() {
    List<RegionDoor> doors = new ArrayList<>();
    for (int i = 0; i < ShmGates.GATES; i++) {
      doors.add(open(all(), 2L * i + 1));
      assertThat(doors.get(i)).isNotNull();
    }
    assertThat(open(all(), 9999)).isNull();
    doors.get(3).shut();
    assertThat(peer.find(7, 7)).isNull();
    doors.get(3).release();
    doors.set(3, open(all(), 9999));
    assertThat(peer.find(9999, 9999)).isNotNull();

    List<ShmDirectMemory> peers = new ArrayList<>();
    for (int i = 1; i <= ShmGates.PLACES; i++) {
      ShmDirectMemory more = new ShmDirectMemory(directory.path(), own.path(), TOKEN);
      peers.add(more);
      assertThat(more.find(1, 1) != null).isEqualTo(i < ShmGates.PLACES);
    }
    peers.get(0).close();
    ShmDirectMemory late = new ShmDirectMemory(directory.path(), own.path(), TOKEN);
    assertThat(late.find(1, 1)).isNotNull();
    peers.add(late);
    peers.forEach(ShmDirectMemory::close);
    doors.forEach(RegionDoor::shut);
  }

  @Test
  void shouldTakePlacesBackFromTheDead() {
    List<ShmDirectMemory> dead = new ArrayList<>();
    RegionDoor door = open(all(), 1);
    for (int i = 0; i < ShmGates.PLACES; i++) {
      // Their domains' file is there no more.
      ShmDirectMemory gone =
          new ShmDirectMemory(directory.path(), directory.path().resolve("domain-9-" + i), TOKEN);
      assertThat(gone.find(1, 1)).isNotNull();
      dead.add(gone);
    }
    DirectRegion inside = dead.get(0).find(1, 1);
    assertThat(inside.enter()).isTrue();
    assertThat(peer.find(1, 1)).isNull();
    RegionDoor next = open(all(), 3);
    assertThat(peer.find(3, 3)).isNotNull();
    door.shut();
    assertThat(door.isQuiet()).as("nobody who lives is inside").isTrue();
    next.shut();
  }

  @Test
  void shouldWriteNothingByAnOldKey() throws Exception {
    reopen(3_000);
  }

  @Test
  @Tag("exhaustive")
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldWriteNothingByAnOldKeyInALongRun() throws Exception {
    reopen(100_000);
  }

  /** One writer is always at work, another is stopped in the middle of each tenth region. */
  private void reopen(int rounds) throws Exception {
    AtomicLong current = new AtomicLong();
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong written = new AtomicLong();
    Thread writer = new Thread(() -> write(current, over, written), "writer");
    writer.start();
    try {
      for (int round = 1; round <= rounds; round++) {
        if (round % 500 == 0) {
          memory.close();
          memory = ShmMemory.allocate(ShmSide.settings(parent, Map.of()), BYTES);
        }
        reopenOnce(current, round % 10 == 0);
      }
    } finally {
      over.set(true);
      writer.join(TimeUnit.MINUTES.toMillis(1));
    }
    assertThat(writer.isAlive()).isFalse();
    assertThat(written.get()).as("regions that the writer has met").isPositive();
  }

  private void reopenOnce(AtomicLong current, boolean stopped) {
    long generation = generations += 2;
    RegionDoor door = open(all(), generation);
    current.set(generation);
    DirectRegion region = stopped ? peer.find(generation, generation) : null;
    if (stopped) {
      assertThat(region.enter()).isTrue();
    }
    door.shut();
    if (stopped) {
      assertThat(door.isQuiet()).as("a writer is inside").isFalse();
      region.bytes().setMemory(0, BYTES, (byte) 1);
      region.leave();
      assertThat(region.enter()).isFalse();
    }
    while (!door.isQuiet()) {
      Thread.onSpinWait();
    }
    UnsafeBuffer mine = all();
    mine.setMemory(0, BYTES, (byte) 0);
    long changed = 0;
    for (int look = 0; look < 3; look++) {
      for (int at = 0; at < BYTES; at += Long.BYTES) {
        changed |= mine.getLongVolatile(at);
      }
    }
    assertThat(changed).as("bytes written by an old key").isZero();
    door.release();
  }

  private void write(AtomicLong current, AtomicBoolean over, AtomicLong written) {
    try (ShmDirectMemory regions = new ShmDirectMemory(directory.path(), own.path(), TOKEN + 1)) {
      while (!over.get()) {
        long generation = current.get();
        DirectRegion region = regions.find(generation, generation);
        for (int i = 0; region != null && i < 20; i++) {
          if (region.enter()) {
            region.bytes().setMemory(0, BYTES, (byte) 2);
            region.leave();
            written.incrementAndGet();
          }
        }
      }
    }
  }

  @Test
  @Tag("jvms")
  void shouldWaitForAProcessThatIsInsideUntilItIsKilled() throws Exception {
    RegionDoor door = open(all(), 5);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                GateVictim.class.getName(),
                directory.path().toString(),
                "5")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      assertThat(lines.readLine()).isEqualTo("inside");
      door.shut();
      assertThat(door.isQuiet()).isFalse();
      assertThat(door.isQuiet()).isFalse();
    } finally {
      process.destroyForcibly();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(door.isQuiet()).isTrue();
    Files.delete(directory.path().resolve("domain-2-2"));
  }
}
