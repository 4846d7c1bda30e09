package io.tagfabric.provider.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.MessageViews;
import io.tagfabric.wire.Packet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalInboxTest {
  private static final long HOUR_NS = 3_600_000_000_000L;
  private static final int SENDERS = 3;
  private static final int FLOW_AT = Packet.HEADER_LENGTH;
  private static final int NUMBER_AT = FLOW_AT + Integer.BYTES;

  private final ProgressLoop loop = new ProgressLoop(TimeSource.SYSTEM);
  private final Got got = new Got();
  private final LocalInbox inbox = new LocalInbox(loop, got);

  /** Flows whose senders are on the receiver's loop. */
  private final BitSet own = new BitSet();

  /** Notes what comes, and whether it is the sender's next. */
  private static final class Got implements WireListener {
    final List<Long> numbers = new ArrayList<>();
    final List<String> wrong = new ArrayList<>();
    final Semaphore[] room = new Semaphore[SENDERS];
    final long[] next = new long[SENDERS];
    int packets;
    int injected;

    /** Runs before the next packet is noted. */
    Runnable beforePacket = () -> {};

    @Override
    public void onPacket(Packet packet) {
      beforePacket.run();
      packets++;
      note(packet.buffer().getInt(FLOW_AT), packet.buffer().getLong(NUMBER_AT));
      packet.release();
    }

    @Override
    public void onInjected(long flow, MessageView message) {
      injected++;
      note((int) flow, message.buffer().getLong(message.offset()));
    }

    private void note(int flow, long number) {
      if (number != next[flow]) {
        wrong.add("flow=" + flow + " number=" + number + " next=" + next[flow]);
      }
      next[flow] = number + 1;
      numbers.add(number);
      if (room[flow] != null) {
        room[flow].release();
      }
    }

    @Override
    public void onFrames(long flow, Packet frames) {
      wrong.add("frames of flow=" + flow + " without a packet");
    }

    @Override
    public void onChannelClosed() {}
  }

  private static Packet packet(int flow, long number) {
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[NUMBER_AT + Long.BYTES]);
    bytes.putInt(FLOW_AT, flow);
    bytes.putLong(NUMBER_AT, number);
    return Packet.received(bytes.byteArray());
  }

  private void offer(int flow, Packet packet) {
    inbox.offer(packet, own.get(flow));
  }

  private boolean inject(int flow, long number, int length) {
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[length]);
    bytes.putLong(0, number);
    return inbox.inject(flow, MessageViews.of(number, bytes, 0, length), own.get(flow));
  }

  private void drain() {
    while (loop.advance() > 0) {
      assertThat(got.wrong).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldHandOverInTheOrderWritten(boolean isOwn) {
    own.set(0, isOwn);
    inbox.connected();
    assertThat(inject(0, 0, 8)).isTrue();
    offer(0, packet(0, 1));
    assertThat(inject(0, 2, 8)).as("while a packet waits").isFalse();
    offer(0, packet(0, 2));

    drain();

    assertThat(got.numbers).containsExactly(0L, 1L, 2L);
    assertThat(inject(0, 3, 8)).isTrue();
    drain();
    assertThat(got.numbers).containsExactly(0L, 1L, 2L, 3L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldRefuseAMessageWhileAPacketIsBeingHandled(boolean isOwn) {
    own.set(0, isOwn);
    inbox.connected();
    List<Boolean> taken = new ArrayList<>();
    got.beforePacket = () -> taken.add(inject(0, 1, 8));
    offer(0, packet(0, 0));

    drain();

    assertThat(taken).containsExactly(false);
    assertThat(got.numbers).containsExactly(0L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldTellWhoSendsWhenItDropsWhatTheyHaveWritten(boolean isOwn) {
    own.set(0, isOwn);
    List<String> told = new ArrayList<>();
    Runnable one = () -> told.add("one");
    Runnable left = () -> told.add("left");
    inbox.connected(one);
    inbox.connected(left);
    inbox.disconnected(left);
    Packet unread = packet(0, 0);
    offer(0, unread);

    inbox.close();
    inbox.close();
    drain();
    inbox.connected(() -> told.add("late"));

    assertThat(told).containsExactly("one", "late");
    assertThat(got.numbers).isEmpty();
    assertThat(unread.holders()).isZero();
  }

  @Test
  void shouldRefuseWhatIsTooLong() {
    inbox.connected();

    assertThat(inject(0, 0, 513)).isFalse();
    assertThat(inject(0, 0, 512)).isTrue();

    drain();
    assertThat(got.numbers).containsExactly(0L);
  }

  @Test
  void shouldTakeNoOtherMessageUntilTheReceiverHasLooked() {
    inbox.connected();
    for (int number = 0; number < 1_000; number++) {
      assertThat(inject(0, number, 512)).isTrue();
      assertThat(inject(0, number + 1, 8)).isFalse();
      drain();
    }
    assertThat(got.injected).isEqualTo(1_000);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldDropWhatComesAfterTheClose(boolean isOwn) {
    own.set(0, isOwn);
    inbox.connected();
    inject(0, 0, 8);
    Packet packet = packet(0, 1);
    offer(0, packet);

    inbox.close();
    drain();

    assertThat(got.numbers).isEmpty();
    assertThat(packet.holders()).isZero();
  }

  @Test
  void shouldKeepTheOrderOfSendersOnTheLoopAndOfOthersSideBySide() {
    Random random = new Random(7);
    inbox.connected();
    own.set(1);
    long[] sent = new long[2];
    for (int i = 0; i < 10_000; i++) {
      int flow = random.nextInt(2);
      if (random.nextInt(4) == 0 || !inject(flow, sent[flow], 8)) {
        offer(flow, packet(flow, sent[flow]));
      }
      sent[flow]++;
      if (random.nextInt(6) == 0) {
        drain();
      }
    }
    drain();

    assertThat(got.wrong).isEmpty();
    assertThat(got.next).startsWith(sent);
    assertThat(got.injected).isPositive();
    assertThat(got.packets).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"4, 20000", "64, 50000", "2000, 100000"})
  @Timeout(120)
  void shouldKeepTheOrderOfEachSenderAndLoseNoWakeUp(int window, int count)
      throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicInteger refused = new AtomicInteger();
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      int flow = i;
      got.room[flow] = new Semaphore(window);
      Thread sender = new Thread(() -> send(flow, count, refused), "sender-" + flow);
      sender.setUncaughtExceptionHandler((thread, e) -> failure.compareAndSet(null, e));
      senders.add(sender);
    }
    senders.forEach(Thread::start);

    boolean all =
        loop.await(
            () -> got.numbers.size() == SENDERS * count || !got.wrong.isEmpty(),
            System.nanoTime() + HOUR_NS,
            new IdlePolicy(0, 1_000, HOUR_NS));

    assertThat(got.wrong).isEmpty();
    assertThat(all).isTrue();
    for (Thread sender : senders) {
      sender.join();
    }
    assertThat(failure.get()).isNull();
    assertThat(got.injected).as("refused %s", refused).isPositive();
    assertThat(got.packets).isPositive();
  }

  private void send(int flow, int count, AtomicInteger refused) {
    Random random = new Random(flow);
    inbox.connected();
    for (long number = 0; number < count; number++) {
      got.room[flow].acquireUninterruptibly();
      boolean wantsPacket = random.nextInt(16) == 0;
      if (wantsPacket || !inject(flow, number, 8 + random.nextInt(64))) {
        refused.addAndGet(wantsPacket ? 0 : 1);
        offer(flow, packet(flow, number));
      }
    }
  }
}
