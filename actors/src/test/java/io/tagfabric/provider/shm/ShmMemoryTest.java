package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.wire.MemoryKey;
import java.nio.file.Path;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a peer reaches by a key, and what it does not. */
class ShmMemoryTest {
  private static final int BYTES = 4096;

  @TempDir Path parent;
  private ShmMemory memory;
  private ShmDirectory directory;
  private ShmSharedMemory peers;
  private final UnsafeBuffer mine = new UnsafeBuffer(new byte[BYTES]);

  @BeforeEach
  void allocate() {
    memory = ShmMemory.allocate(ShmSide.settings(parent, Map.of()), BYTES);
    directory = ShmDirectory.enter(ShmSide.settings(parent, Map.of()));
    peers = new ShmSharedMemory(directory.path(), 0);
  }

  @AfterEach
  void close() {
    memory.close();
    directory.close();
  }

  private MemoryKey key(int offset, int length) {
    return ShmMemory.keyOf(memory.buffer(), offset, length);
  }

  @Test
  void shouldReadAndWriteWhatAKeyNames() {
    memory.buffer().putLong(100, 42);
    MemoryKey key = key(96, 16);

    assertThat(peers.read(key, 4, mine, 8, 8)).isTrue();
    assertThat(mine.getLong(8)).isEqualTo(42);
    mine.putLong(0, 43);
    assertThat(peers.write(key, 8, mine, 0, 8)).isTrue();
    assertThat(memory.buffer().getLong(104)).isEqualTo(43);
  }

  @ParameterizedTest
  @CsvSource({
    "4089, 0, 8",
    "4080, 9, 8",
    "0, 0, 4097",
    "4097, 0, 0",
    "-1, 0, 8",
    "9223372036854775807, 0, 8"
  })
  void shouldReachNothingBeyondTheEnd(long at, long position, int length) {
    MemoryKey good = key(0, 8);
    MemoryKey beyond = new MemoryKey(good.segment(), at, good.epoch());
    UnsafeBuffer large = new UnsafeBuffer(new byte[2 * BYTES]);

    assertThat(peers.read(beyond, position, large, 0, length)).isFalse();
    assertThat(peers.write(beyond, position, large, 0, length)).isFalse();
    assertThat(peers.read(new MemoryKey(good.segment(), 4088, good.epoch()), 0, large, 0, 8))
        .as("up to the end")
        .isTrue();
  }

  @Test
  void shouldReachNothingByAKeyThatWasRevoked() {
    MemoryKey old = key(0, 8);
    assertThat(peers.read(old, 0, mine, 0, 8)).isTrue();

    ShmMemory.revoke(old.segment());

    assertThat(peers.read(old, 0, mine, 0, 8)).isFalse();
    assertThat(peers.write(old, 0, mine, 0, 8)).isFalse();
    assertThat(peers.read(key(0, 8), 0, mine, 0, 8)).as("a later key is good").isTrue();
  }

  @Test
  void shouldReachNothingOnceTheMemoryIsGivenBack() {
    MemoryKey key = key(0, 8);
    assertThat(peers.write(key, 0, mine, 0, 8)).as("it is mapped now").isTrue();

    memory.close();

    mine.putLong(0, 99);
    assertThat(peers.write(key, 0, mine, 0, 8)).isFalse();
    assertThat(peers.read(key, 0, mine, 0, 8)).isFalse();
    assertThat(memory.buffer().getLong(0)).isZero();
    assertThat(key(0, 8)).as("no key names it any more").isNull();
  }

  @Test
  void shouldNameOnlyBytesThatLieWhollyInFabricMemory() {
    memory.buffer().putLong(BYTES - 8, 42);
    MemoryKey last = key(BYTES - 8, 8);
    assertThat(peers.read(last, 0, mine, 0, 8)).isTrue();
    assertThat(mine.getLong(0)).isEqualTo(42);
    assertThat(peers.read(last, 0, mine, 0, 9)).as("one byte more").isFalse();
    assertThat(key(BYTES - 8, 9)).isNull();
    assertThat(ShmMemory.keyOf(new UnsafeBuffer(new byte[8]), 0, 8)).isNull();
  }
}
