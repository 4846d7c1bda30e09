package io.tagfabric.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tagfabric.wire.sbe.EagerDecoder;
import io.tagfabric.wire.sbe.GoodbyeDecoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FrameBatchPoolTest {
  private static final int SMALL = 256;
  private static final int LARGE = 1024;

  private final FrameBatchPool pool = new FrameBatchPool(SMALL, LARGE);
  private final FrameWriter writer = new FrameWriter();

  @Test
  void shouldUseABatchAgainWhenItsLastHolderReleased() {
    FrameBatch batch = pool.acquire(10);
    writer.goodbye(batch, 1);
    batch.sequence(5);
    batch.retain();

    batch.release();
    assertThat(pool.acquire(10)).isNotSameAs(batch);
    batch.release();
    FrameBatch again = pool.acquire(10);

    assertThat(again).isSameAs(batch);
    assertThat(again.length()).isEqualTo(FrameBatch.HEADER_LENGTH);
    assertThat(again.frameCount()).isZero();
    assertThat(again.sequence()).isZero();
    assertThat(again.holders()).isEqualTo(1);
  }

  @Test
  void shouldRefuseAndGiveBackOnceWhenReleasedTooOften() {
    FrameBatch batch = pool.acquire(10);
    batch.release();

    assertThatIllegalStateException()
        .isThrownBy(batch::release)
        .withMessage("references=-1 < 0, released once too often");
    assertThat(pool.acquire(10)).isSameAs(batch);
    assertThat(pool.acquire(10)).isNotSameAs(batch);
  }

  @Test
  void shouldKeepNoBatchThatWasMadeForOnePacket() {
    FrameBatch batch = pool.single(10);
    assertThat(batch.remaining()).isEqualTo(10);
    batch.release();

    assertThat(pool.acquire(10).remaining()).isEqualTo(SMALL - FrameBatch.HEADER_LENGTH);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.single(LARGE))
        .withMessage("frameBytes=1024 > largest packet's 944");
  }

  @Test
  void shouldChooseTheSizeByWhatIsNeeded() {
    assertThat(pool.acquire(SMALL - FrameBatch.HEADER_LENGTH).remaining())
        .isEqualTo(SMALL - FrameBatch.HEADER_LENGTH);
    assertThat(pool.acquire(SMALL - FrameBatch.HEADER_LENGTH + 1).remaining())
        .isEqualTo(LARGE - FrameBatch.HEADER_LENGTH);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.acquire(LARGE))
        .withMessage("frameBytes=1024 > largest packet's 944");
    assertThatIllegalArgumentException().isThrownBy(() -> new FrameBatchPool(1024, 1023));
    assertThatIllegalArgumentException().isThrownBy(() -> new FrameBatchPool(8, 1024));
  }

  @Test
  void shouldKeepTheFramesWhenABatchGrows() {
    FrameBatch small = pool.acquire(10);
    byte[] payload = {1, 2, 3};
    writer.eager(small, MessageViews.of(7, null, payload));

    FrameBatch large = pool.grow(small);
    writer.goodbye(large, 2);
    writer.seal(large);

    assertThat(small.holders()).isZero();
    FrameCursor cursor = new FrameCursor();
    assertThat(cursor.wrap(large)).isTrue();
    assertThat(cursor.nextFrame()).isEqualTo(EagerDecoder.TEMPLATE_ID);
    assertThat(cursor.hasBlock(EagerDecoder.BLOCK_LENGTH)).isTrue();
    EagerDecoder eager = new EagerDecoder();
    eager.wrap(large.buffer(), cursor.blockAt(), EagerDecoder.BLOCK_LENGTH, cursor.version());
    assertThat(eager.tag()).isEqualTo(7);
    assertThat(cursor.payloadLength()).isEqualTo(3);
    assertThat(large.buffer().getByte(cursor.payloadAt() + 2)).isEqualTo((byte) 3);
    assertThat(cursor.nextFrame()).isEqualTo(GoodbyeDecoder.TEMPLATE_ID);
    assertThat(cursor.nextFrame()).isZero();
    assertThat(large.frameCount()).isEqualTo(2);
  }

  @Test
  void shouldHandOutEachBatchToOneWhenOtherThreadsGiveThemBack() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int round = 0; round < 200; round++) {
      Set<FrameBatch> now = Collections.newSetFromMap(new IdentityHashMap<>());
      for (int i = 0; i < 20; i++) {
        FrameBatch batch = pool.acquire(i % 2 == 0 ? 10 : 500);
        assertThat(now.add(batch)).isTrue();
        batch.retain();
      }
      for (int half = 0; half < 2; half++) {
        Thread thread = new Thread(() -> now.forEach(FrameBatch::release));
        thread.start();
        threads.add(thread);
      }
      if (round % 3 == 0) {
        for (Thread thread : threads) {
          thread.join();
        }
        threads.clear();
        assertThat(now).allMatch(batch -> batch.holders() == 0);
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void shouldNotPoolWhatWasReceived() {
    FrameBatch received = FrameBatch.received(new byte[200]);

    received.release();

    assertThat(pool.acquire(10)).isNotSameAs(received);
    assertThat(received.length()).isEqualTo(200);
  }
}
