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

class PacketPoolTest {
  private static final int SMALL = 256;
  private static final int LARGE = 1024;

  private final PacketPool pool = new PacketPool(SMALL, LARGE);
  private final FrameWriter writer = new FrameWriter();

  @Test
  void shouldSayWhichFramesNeedALargePacket() {
    assertThat(pool.isLarge(SMALL - Packet.HEADER_LENGTH)).isFalse();
    assertThat(pool.isLarge(SMALL - Packet.HEADER_LENGTH + 1)).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.isLarge(LARGE))
        .withMessageContaining("frameBytes=1024 > largest packet's 968");
  }

  @Test
  void shouldUseABatchAgainWhenItsLastHolderReleased() {
    Packet packet = pool.acquire(10);
    writer.goodbye(packet, 1);
    packet.sequence(5);
    packet.retain();

    packet.release();
    assertThat(pool.acquire(10)).isNotSameAs(packet);
    packet.release();
    Packet again = pool.acquire(10);

    assertThat(again).isSameAs(packet);
    assertThat(again.length()).isEqualTo(Packet.HEADER_LENGTH);
    assertThat(again.frameCount()).isZero();
    assertThat(again.sequence()).isZero();
    assertThat(again.holders()).isEqualTo(1);
  }

  @Test
  void shouldRefuseAndGiveBackOnceWhenReleasedTooOften() {
    Packet packet = pool.acquire(10);
    packet.release();

    assertThatIllegalStateException()
        .isThrownBy(packet::release)
        .withMessage("references=-1 < 0, released once too often");
    assertThat(pool.acquire(10)).isSameAs(packet);
    assertThat(pool.acquire(10)).isNotSameAs(packet);
  }

  @Test
  void shouldKeepNoBatchThatWasMadeForOnePacket() {
    Packet packet = pool.single(10);
    assertThat(packet.remaining()).isEqualTo(10);
    packet.release();

    assertThat(pool.acquire(10).remaining()).isEqualTo(SMALL - Packet.HEADER_LENGTH);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.single(LARGE))
        .withMessage("frameBytes=1024 > largest packet's 968");
  }

  @Test
  void shouldChooseTheSizeByWhatIsNeeded() {
    assertThat(pool.acquire(SMALL - Packet.HEADER_LENGTH).remaining())
        .isEqualTo(SMALL - Packet.HEADER_LENGTH);
    assertThat(pool.acquire(SMALL - Packet.HEADER_LENGTH + 1).remaining())
        .isEqualTo(LARGE - Packet.HEADER_LENGTH);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.acquire(LARGE))
        .withMessage("frameBytes=1024 > largest packet's 968");
    assertThatIllegalArgumentException().isThrownBy(() -> new PacketPool(1024, 1023));
    assertThatIllegalArgumentException().isThrownBy(() -> new PacketPool(8, 1024));
  }

  @Test
  void shouldKeepTheFramesWhenABatchGrows() {
    Packet small = pool.acquire(10);
    byte[] payload = {1, 2, 3};
    writer.eager(small, MessageViews.of(7, null, payload));

    Packet large = pool.grow(small);
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
      Set<Packet> now = Collections.newSetFromMap(new IdentityHashMap<>());
      for (int i = 0; i < 20; i++) {
        Packet packet = pool.acquire(i % 2 == 0 ? 10 : 500);
        assertThat(now.add(packet)).isTrue();
        packet.retain();
      }
      for (int half = 0; half < 2; half++) {
        Thread thread = new Thread(() -> now.forEach(Packet::release));
        thread.start();
        threads.add(thread);
      }
      if (round % 3 == 0) {
        for (Thread thread : threads) {
          thread.join();
        }
        threads.clear();
        assertThat(now).allMatch(packet -> packet.holders() == 0);
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void shouldNotPoolWhatWasReceived() {
    Packet received = Packet.received(new byte[200]);

    received.release();

    assertThat(pool.acquire(10)).isNotSameAs(received);
    assertThat(received.length()).isEqualTo(200);
  }
}
