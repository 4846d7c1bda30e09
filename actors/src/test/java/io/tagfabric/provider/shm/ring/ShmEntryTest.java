package io.tagfabric.provider.shm.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.junit.jupiter.api.Test;

/** Entries, and what becomes of those whose senders are killed. */
class ShmEntryTest {
  private static final int LANES = 2;
  private static final int STORES_OF_TAKE = 5;

  private final ShmLayout layout = new ShmLayout(1 << 12, LANES, 1 << 12, 0, 0);
  private final UnsafeBuffer file =
      new UnsafeBuffer(ByteBuffer.allocateDirect((int) layout.fileBytes));
  private final List<Long> read = new ArrayList<>();
  private final List<Integer> brokenLanes = new ArrayList<>();
  private final Map<String, Sender> living = new HashMap<>();
  private final ShmLanes lanes = new ShmLanes(file, layout, new Records());
  private final ShmSenders<Sender> senders =
      new ShmSenders<>(file, ring(file), lanes, 1, this::find, this::mayHaveTaken);
  private Runnable whileAsked = () -> {};
  private int asked;
  private long nowNs;

  private final class Records implements ShmLanes.RecordHandler {
    @Override
    public void onRecord(AtomicBuffer memory, int type, int index, int length) {
      read.add(memory.getLong(index));
    }

    @Override
    public void onBroken(int lane, String detail) {
      brokenLanes.add(lane);
      senders.cutOff(lane);
    }
  }

  /** A process with a file. */
  private record Sender(String path) implements ShmSenders.Owner {
    @Override
    public boolean isOwnerAlive() {
      return true;
    }
  }

  /** Memory of a process that is killed before its store of a number. */
  private static final class Mortal extends UnsafeBuffer {
    private int stores;

    Mortal(UnsafeBuffer memory, int stores) {
      super(memory, 0, memory.capacity());
      this.stores = stores;
    }

    private void spend() {
      if (stores-- == 0) {
        throw new IllegalStateException("killed");
      }
    }

    @Override
    public void putInt(int index, int value) {
      spend();
      super.putInt(index, value);
    }

    @Override
    public void putBytes(int index, byte[] bytes) {
      spend();
      super.putBytes(index, bytes);
    }

    @Override
    public void putLongOrdered(int index, long value) {
      spend();
      super.putLongOrdered(index, value);
    }

    @Override
    public boolean compareAndSetInt(int index, int expected, int value) {
      spend();
      return super.compareAndSetInt(index, expected, value);
    }

    @Override
    public boolean compareAndSetLong(int index, long expected, long value) {
      spend();
      return super.compareAndSetLong(index, expected, value);
    }
  }

  private Sender find(Path path) {
    return living.get(path.toString());
  }

  private boolean mayHaveTaken(int state) {
    asked++;
    whileAsked.run();
    return living.keySet().stream().anyMatch(path -> ShmEntry.takenBy(bytes(path)) == state);
  }

  private static byte[] bytes(String path) {
    return path.getBytes(StandardCharsets.UTF_8);
  }

  private ManyToOneRingBuffer ring(UnsafeBuffer memory) {
    return new ManyToOneRingBuffer(
        new UnsafeBuffer(memory, ShmLayout.RING_AT, layout.ringTotalBytes()));
  }

  private ShmEntry take(UnsafeBuffer memory, String path, int longestBytes) {
    return ShmEntry.take(
        memory,
        layout,
        ring(file),
        lane -> new UnsafeBuffer(file, layout.laneAt(lane), layout.laneMemoryBytes()),
        bytes(path),
        longestBytes);
  }

  private ShmEntry take(String path) {
    living.put(path, new Sender(path));
    return take(file, path, 100);
  }

  private static void write(ShmEntry entry, long value) {
    int index = entry.writer().claim(1, Long.BYTES);
    entry.writer().buffer().putLong(index, value);
    entry.writer().commit(index);
  }

  private void check(int times) {
    for (int i = 0; i < times; i++) {
      nowNs++;
      senders.check(nowNs);
    }
  }

  private long used() {
    return file.getLongVolatile(ShmLayout.LANES_USED_AT);
  }

  private int state(int entry) {
    return file.getIntVolatile(ShmLayout.senderAt(entry));
  }

  @Test
  void shouldGiveEntryAndLaneBackWhereverItsSenderIsKilled() {
    for (int stores = 0; stores <= STORES_OF_TAKE; stores++) {
      Mortal memory = new Mortal(file, stores);
      if (stores < STORES_OF_TAKE) {
        int before = stores;
        assertThatThrownBy(() -> take(memory, "domain-1", 100))
            .as("killed before store %d", before)
            .hasMessage("killed");
      } else {
        assertThat(take(memory, "domain-1", 100)).as("stores of all").isNotNull();
      }

      check(3);

      assertThat(state(0)).as("killed before store %d", stores).isEqualTo(ShmLayout.SENDER_FREE);
      assertThat(used()).as("killed before store %d", stores).isZero();
      ShmEntry next = take("domain-next");
      assertThat(next.number()).isZero();
      write(next, stores);
      lanes.read();
      assertThat(read).endsWith((long) stores);
      senders.forget(senders.peer(0));
      living.clear();
    }
  }

  @Test
  void shouldWaitForASenderThatLivesHoweverLongItTakes() {
    Sender slow = new Sender("domain-slow");
    living.put(slow.path(), slow);
    Mortal stopped = new Mortal(file, 4); // all but the last store
    assertThatThrownBy(() -> take(stopped, slow.path(), 100)).hasMessage("killed");

    check(10);
    assertThat(state(0)).isEqualTo(ShmEntry.takenBy(bytes(slow.path())));
    assertThat(take("domain-2").number()).isEqualTo(1);

    living.remove(slow.path());
    check(2);
    assertThat(state(0)).isEqualTo(ShmLayout.SENDER_FREE);
    assertThat(used()).isEqualTo(2);
  }

  @Test
  void shouldAskWhoLivesOnlyAtTheSecondLook() {
    for (int round = 0; round < 2; round++) {
      Mortal memory = new Mortal(file, 1);
      assertThatThrownBy(() -> take(memory, "domain-1", 100)).hasMessage("killed");

      check(1);
      assertThat(asked).as("questions after a look in round %d", round).isEqualTo(round);
      check(1);
      assertThat(asked).as("questions after another in round %d", round).isEqualTo(round + 1);
      assertThat(state(0)).isEqualTo(ShmLayout.SENDER_FREE);
      check(1);
    }
  }

  /** It is killed only then, and what it has written is there. */
  @Test
  void shouldNotFreeWhatIsMadeReadyWhileItAsksWhoLives() {
    Mortal memory = new Mortal(file, STORES_OF_TAKE - 1);
    assertThatThrownBy(() -> take(memory, "domain-1", 100)).hasMessage("killed");
    int taken = state(0);
    whileAsked =
        () ->
            assertThat(file.compareAndSetInt(ShmLayout.senderAt(0), taken, ShmLayout.SENDER_READY))
                .isTrue();

    check(2);

    assertThat(asked).isEqualTo(1);
    assertThat(state(0)).isEqualTo(ShmLayout.SENDER_READY);
    assertThat(used()).isEqualTo(1);
  }

  /** Its file was removed by somebody, so it looked dead, and another one has its entry. */
  @Test
  void shouldGoOnWithTheNextEntryWhenItIsTakenAwayMeanwhile() {
    int[] looks = new int[1];
    UnsafeBuffer slow =
        new UnsafeBuffer(file, 0, file.capacity()) {
          @Override
          public void putBytes(int index, byte[] bytes) {
            super.putBytes(index, bytes);
            if (looks[0]++ == 0) {
              check(2);
              assertThat(take("domain-2").number()).isZero();
            }
          }
        };

    ShmEntry entry = take(slow, "domain-1", 100);

    assertThat(entry.number()).isEqualTo(1);
    assertThat(state(0)).isEqualTo(ShmLayout.SENDER_READY);
    assertThat(used()).isEqualTo(3);
  }

  @Test
  void shouldShareTheRingWhenAllLanesAreTakenOrTooShort() {
    assertThat(take(file, "domain-1", 1 << 12).number()).as("none of a lane's").isEqualTo(LANES);
    assertThat(take("domain-2").writer()).isInstanceOf(LaneWriter.class);
    assertThat(take("domain-3").writer()).isInstanceOf(LaneWriter.class);
    assertThat(take("domain-4").writer()).isInstanceOf(RingWriter.class);
    assertThat(used()).isEqualTo(3);
    for (int entry = LANES + 2; entry < ShmLayout.SENDERS; entry++) {
      assertThat(take("domain-" + entry).number()).isEqualTo(entry);
    }
    assertThat(take("domain-late")).isNull();
  }

  @Test
  void shouldUseALanesEntryForTheRingWhenTheOthersAreTaken() {
    for (int entry = LANES; entry < ShmLayout.SENDERS; entry++) {
      take(file, "domain-" + entry, 1 << 12);
    }

    ShmEntry last = take(file, "domain-last", 1 << 12);

    assertThat(last.number()).isZero();
    assertThat(last.writer()).isInstanceOf(RingWriter.class);
    assertThat(used()).isZero();
  }

  @Test
  void shouldCutOffTheSenderOfABrokenLaneAndNoOther() {
    ShmEntry bad = take("domain-bad");
    ShmEntry good = take("domain-good");
    write(bad, 1);
    file.putInt(layout.laneAt(0) + LaneLayout.DATA_AT + 32, 3); // no header is shorter than 8
    write(good, 2);

    assertThat(lanes.read()).isPositive();
    assertThat(read).containsExactly(1L, 2L);
    assertThat(brokenLanes).containsExactly(0);
    assertThat(bad.isCutOff()).isTrue();
    assertThat(good.isCutOff()).isFalse();
    assertThat(lanes.hasRecord()).isFalse();
    senders.findAll();
    assertThat(senders.peer(0)).as("known from before").isEqualTo(living.get("domain-bad"));
    assertThat(senders.isDrained(living.get("domain-bad"))).isTrue();

    senders.forget(living.get("domain-bad"));
    check(3);
    assertThat(senders.peer(0)).isNull();
    assertThat(bad.isCutOff()).as("for ever").isTrue();
    assertThat(take("domain-next").number()).as("not the lane of that one").isEqualTo(LANES);
    write(bad, 3);
    write(good, 4);
    assertThat(lanes.read()).isEqualTo(1);
    assertThat(read).containsExactly(1L, 2L, 4L);
  }

  @Test
  void shouldNotTakeAwayTheBitsOfOthersWhenItsOwnIsGoneAlready() {
    take("domain-1");
    take("domain-2");
    file.putLongVolatile(ShmLayout.LANES_USED_AT, 2); // a peer may write there what it likes

    assertThat(lanes.free(0)).isTrue();

    assertThat(used()).isEqualTo(2);
  }
}
