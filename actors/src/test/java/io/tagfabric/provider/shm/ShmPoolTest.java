package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.provider.shm.ring.ShmLayout;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PayloadCopy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Slots of a domain: whose turn it is, and that none has two holders. */
class ShmPoolTest {
  private static final int SLOTS = 6;
  private static final int SLOT_BYTES = 128 * 1024;

  private final ShmLayout layout = new ShmLayout(1024, 0, 1024, SLOTS, SLOT_BYTES);
  private final UnsafeBuffer memory =
      new UnsafeBuffer(ByteBuffer.allocateDirect((int) layout.fileBytes));
  private final ShmPool pool = new ShmPool(memory, layout, PayloadCopy.PLAIN);
  private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[SLOT_BYTES]);

  /** Sends so many bytes by a slot. */
  private int send(int length) {
    int slot = pool.fill(bytes, length);
    if (slot >= 0) {
      pool.sent(slot, null, length);
    }
    return slot;
  }

  /** The peer has read a slot. */
  private void read(int slot) {
    memory.putIntVolatile(layout.stateAt(slot), ShmLayout.SLOT_FREE);
  }

  private List<Integer> sendAndRead(int times, int length) {
    List<Integer> slots = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      int slot = send(length);
      slots.add(slot);
      read(slot);
    }
    return slots;
  }

  @Test
  void shouldLetSlotsTakeTurnsSoThatNoneIsWrittenThatWasJustRead() {
    assertThat(sendAndRead(8, 10_000)).containsExactly(0, 1, 2, 3, 4, 5, 0, 1);
  }

  @Test
  void shouldBeginAnewAfterAsManyBytesAsACacheHolds() {
    assertThat(sendAndRead(7, ShmPool.ROUND_BYTES / 2)).containsExactly(0, 1, 0, 1, 0, 1, 0);
  }

  @Test
  void shouldPassOverSlotsThatThePeerHasNotRead() {
    List<Integer> lent = List.of(send(100), send(100), send(100));
    assertThat(lent).containsExactly(0, 1, 2);
    read(1);
    assertThat(sendAndRead(4, 100)).containsExactly(3, 4, 5, 1);
  }

  @Test
  void shouldHaveNoSlotUntilThePeerHasReadOne() {
    for (int i = 0; i < SLOTS; i++) {
      assertThat(send(100)).isEqualTo(i);
    }
    assertThat(send(100)).isNegative();
    assertThat(pool.packet()).isNull();
    read(4);
    Packet packet = pool.packet();
    assertThat(packet).as("one was read").isNotNull();
    assertThat(pool.slotOf(packet)).isEqualTo(4);
    assertThat(send(100)).isNegative();
  }

  @Test
  void shouldTakeAPacketBackThatIsNotSent() {
    Packet packet = pool.packet();
    assertThat(pool.slotOf(packet)).isZero();
    packet.release();
    assertThat(sendAndRead(SLOTS, 100)).contains(0);
  }

  /** A number below 70 sends so many kilobytes; others let the peer read the oldest or newest. */
  @Property(tries = 300)
  void shouldLendEachSlotOnceAndFindEachFreeOne(
      @ForAll @Size(max = 300) List<@IntRange(max = 99) Integer> steps) {
    memory.setMemory(layout.statesAt, layout.slotsAt - layout.statesAt, (byte) 0);
    List<Integer> lent = new ArrayList<>();
    for (int step : steps) {
      if (step < 70) {
        int slot = send(1 + step * 1024);
        assertThat(slot >= 0).as("a slot is free").isEqualTo(lent.size() < SLOTS);
        if (slot >= 0) {
          assertThat(lent).doesNotContain(slot);
          lent.add(slot);
        }
      } else if (!lent.isEmpty()) {
        read(lent.remove(step % 2 == 0 ? 0 : lent.size() - 1));
      }
    }
  }
}
