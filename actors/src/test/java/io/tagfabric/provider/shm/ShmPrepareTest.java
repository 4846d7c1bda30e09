package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.shm.ring.LaneLayout;
import io.tagfabric.provider.shm.ring.ShmLayout;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sender writes ahead of its messages, and where it must not. */
class ShmPrepareTest {
  private static final int LENGTH = 100;
  private static final int RECORD_BYTES = LaneLayout.recordBytes(LENGTH);

  private static final long MARK = -1;

  @TempDir Path parent;
  private long nowNs = 1;
  private ShmSide near;
  private ShmSide far;
  private ShmFile file;
  private int recordsBefore = 2;

  @BeforeEach
  void open() throws IOException {
    near = new ShmSide(() -> nowNs, parent, Map.of());
    far = new ShmSide(() -> nowNs, parent, Map.of());
    file = ShmFile.open(far.file());
  }

  @AfterEach
  void close() {
    file.close();
    near.close();
    far.close();
    assertThat(HostDirectory.below(parent).path()).doesNotExist();
  }

  /** Where the header of the second next record may be, and is not cleared yet. */
  private int ahead(int lane) {
    UnsafeBuffer buffer = file.buffer();
    return ShmLayout.of(buffer).laneAt(lane) + LaneLayout.DATA_AT + recordsBefore * RECORD_BYTES;
  }

  private long markedAhead(int lane) {
    return file.buffer().getLongVolatile(ahead(lane));
  }

  private void mark(int lane) {
    file.buffer().putLongVolatile(ahead(lane), MARK);
  }

  private ShmPeer peer() throws IOException {
    return ShmPeer.open(far.file(), ShmSettings.of(ShmSide.settings(parent, Map.of())), () -> {});
  }

  private static boolean offer(ShmPeer peer) {
    return peer.offer(
        ShmSide.ENDPOINT, new UnsafeBuffer(ShmSide.packet(LENGTH, 1).array()), LENGTH);
  }

  @Test
  void shouldPrepareTheNextMessageWhenNothingHasCome() {
    Channel there = near.connect(far);
    mark(0);
    assertThat(there.offer(ShmSide.packet(LENGTH, 1))).isTrue();
    assertThat(markedAhead(0)).as("it has been sent first").isEqualTo(MARK);

    near.loop.advance();

    assertThat(markedAhead(0)).isZero();
    mark(0);
    near.loop.advance();
    assertThat(markedAhead(0)).as("not again").isEqualTo(MARK);
  }

  /** As a sleeper sets it that has missed the last record. */
  private void fallAsleep() {
    file.buffer().putIntVolatile(ShmLayout.ASLEEP_AT, 1);
  }

  private boolean isAsleep() {
    return file.buffer().getIntVolatile(ShmLayout.ASLEEP_AT) != 0;
  }

  @Test
  void shouldRingAfterAllWhenNothingHasCome() {
    Channel there = near.connect(far);
    assertThat(there.offer(ShmSide.packet(LENGTH, 1))).isTrue();
    fallAsleep();

    near.loop.advance();

    assertThat(isAsleep()).isFalse();
    fallAsleep();
    near.loop.advance();
    assertThat(isAsleep()).as("not again").isTrue();
  }

  @Test
  void shouldRingAfterAllBeforeItWritesToAnother() {
    try (ShmSide other = new ShmSide(() -> nowNs, parent, Map.of())) {
      Channel there = near.connect(far);
      Channel elsewhere = near.connect(other);
      assertThat(there.offer(ShmSide.packet(LENGTH, 1))).isTrue();
      fallAsleep();
      assertThat(elsewhere.offer(ShmSide.packet(LENGTH, 2))).isTrue();

      assertThat(isAsleep()).isFalse();
    }
  }

  @Test
  void shouldReadBeforeItPrepares() {
    Channel there = near.connect(far);
    Channel back = far.connect(near);
    mark(0);
    assertThat(there.offer(ShmSide.packet(LENGTH, 1))).isTrue();
    assertThat(back.offer(ShmSide.packet(LENGTH, 2))).isTrue();

    near.loop.advance();

    assertThat(near.received).hasSize(1);
    assertThat(markedAhead(0)).isEqualTo(MARK);
    near.loop.advance();
    assertThat(markedAhead(0)).isZero();
  }

  @Test
  void shouldPrepareNothingAtAPeerThatIsNotWrittenTo() throws IOException {
    try (ShmPeer peer = peer()) {
      assertThat(peer.register(Path.of("domain-1-1"))).isTrue();
      assertThat(offer(peer)).isTrue();
      mark(peer.sender());
      file.buffer().putInt(ShmLayout.CLOSED_AT, 1);
      peer.prepare();
      assertThat(markedAhead(peer.sender())).as("it is closed").isEqualTo(MARK);

      file.buffer().putInt(ShmLayout.CLOSED_AT, 0);
      peer.prepare();
      assertThat(markedAhead(peer.sender())).isZero();

      assertThat(offer(peer)).isTrue();
      recordsBefore = 5; // the first prepare has cleared up to there
      mark(peer.sender());
      peer.broken("a test says so", FabricError.IO);
      fallAsleep();
      peer.ringAfterAll();
      assertThat(isAsleep()).as("it is broken").isTrue();
      peer.prepare();
      assertThat(markedAhead(peer.sender())).as("it is broken").isEqualTo(MARK);
    }
  }

  @Test
  void shouldTouchNoMemoryOfAPeerThatHasLeft() throws IOException {
    ShmPeer peer = peer();
    assertThat(peer.register(Path.of("domain-1-1"))).isTrue();
    assertThat(offer(peer)).isTrue();
    mark(peer.sender());

    fallAsleep();
    peer.leave("a test says so"); // its memory is not mapped any more
    peer.prepare();
    peer.ringAfterAll();

    assertThat(isAsleep()).isTrue();
    assertThat(markedAhead(peer.sender())).isEqualTo(MARK);
  }

  @Test
  void shouldLoseThePeerAloneWhoseFileIsCutAfterAMessage() throws IOException {
    Channel there = near.connect(far);
    try (ShmSide third = new ShmSide(() -> nowNs, parent, Map.of())) {
      Channel other = near.connect(third);
      assertThat(there.offer(ShmSide.packet(LENGTH, 1))).isTrue();
      try (FileChannel cut = FileChannel.open(far.file(), StandardOpenOption.WRITE)) {
        cut.truncate(0);
      }
      for (int i = 0; i < 4; i++) {
        nowNs += TimeUnit.SECONDS.toNanos(1);
        try {
          near.loop.advance();
          // A call of the system, at which the JVM throws what it has put off.
          assertThat(Files.exists(parent)).isTrue();
        } catch (InternalError cut) {
          assertThat(cut).hasMessageContaining("unsafe memory access");
        }
      }

      assertThat(there.closedBecause()).contains(far.file().toString(), "is cut short");
      assertThat(other.closedBecause()).isNull();
      assertThat(other.offer(ShmSide.packet(LENGTH, 0))).isTrue();
      third.loop.advance();
      assertThat(third.received).hasSize(1);
    }
  }
}
