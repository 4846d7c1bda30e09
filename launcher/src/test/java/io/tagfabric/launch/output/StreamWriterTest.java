package io.tagfabric.launch.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.launch.Await;
import io.tagfabric.launch.Gate;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StreamWriterTest {
  private static final byte[] NO_TAG = new byte[0];
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  private final Gate gate = new Gate();
  private final AtomicLong nowNs = new AtomicLong();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final StreamWriter writer = writer(gate);

  @AfterEach
  void close() {
    gate.open();
    writer.close();
  }

  @Test
  void shouldHoldUpWhoPutsWhileNobodyReadsAndLoseNothing() {
    int count = 3 * StreamWriter.CAPACITY_BYTES / 1000;
    Thread printer = printer(count);
    Await.until("the printer waits", () -> printer.getState() == Thread.State.TIMED_WAITING);

    gate.open();

    Await.until("the printer goes on", () -> !printer.isAlive() && writer.isIdle());
    assertThat(gate.text()).hasSize(1000 * count);
    assertThat(writer.writtenBytes()).isEqualTo(1000L * count);
    assertThat(writer.isLost()).isFalse();
  }

  @Test
  void shouldNeverHoldUpWhoForces() {
    Thread printer = printer(1000);
    Await.until("the printer waits", () -> printer.getState() == Thread.State.TIMED_WAITING);

    writer.force(bytes("the launcher ends the ranks\n"));

    gate.open();
    Await.until("all is there", () -> !printer.isAlive() && writer.isIdle());
    assertThat(gate.text()).contains("the launcher ends the ranks\n");
  }

  @Test
  void shouldDropTheRestWhenHurriedAndNothingIsTaken() {
    Thread printer = printer(1000);
    Await.until("the printer waits", () -> printer.getState() == Thread.State.TIMED_WAITING);

    writer.hurry(TEN_SECONDS);
    nowNs.addAndGet(TEN_SECONDS.toNanos() - 1);
    assertThat(printer.isAlive()).isTrue();
    nowNs.addAndGet(1);

    Await.until("the printer goes on", () -> !printer.isAlive());
    assertThat(writer.isLost()).isTrue();
    assertThat(told).containsExactly("it has taken nothing for 10.0 s");
    assertThat(writer.isIdle()).isTrue();
  }

  @Test
  void shouldWaitForASlowReaderWhenHurried() {
    Thread printer = printer(1000);
    Await.until("the printer waits", () -> printer.getState() == Thread.State.TIMED_WAITING);
    writer.hurry(TEN_SECONDS);
    nowNs.addAndGet(TEN_SECONDS.toNanos() - 1);

    gate.open();

    Await.until("all is there", () -> !printer.isAlive() && writer.isIdle());
    assertThat(writer.isLost()).isFalse();
  }

  @Test
  void shouldTellOnceWhyAWriteHasFailed() {
    StreamWriter full = writer(failing(new IOException("No space left on device")));

    full.put(this, NO_TAG, bytes("one\n"), true);
    Await.until("it is told", () -> !told.isEmpty());
    full.put(this, NO_TAG, bytes("two\n"), true);
    full.close();

    assertThat(told).containsExactly("No space left on device");
    assertThat(full.isLost()).isTrue();
    assertThat(full.isIdle()).isTrue();
  }

  @Test
  void shouldSayNothingWhenTheReaderHasGoneAway() {
    StreamWriter gone = writer(failing(new ReaderGoneException(new IOException("Broken pipe"))));

    for (int i = 0; i < 1000; i++) {
      gone.put(this, NO_TAG, new byte[1000], true);
    }

    Await.until("all is dropped", gone::isIdle);
    assertThat(told).isEmpty();
    assertThat(gone.isLost()).isFalse();
    gone.close();
  }

  @Test
  void shouldGiveUpDrainingWhenNothingIsTaken() throws Exception {
    writer.put(this, NO_TAG, bytes("text\n"), true);
    Await.until("it is being written", gate::isReached);

    Thread clock = new Thread(this::runClock);
    clock.start();
    writer.drain(TEN_SECONDS);
    clock.interrupt();

    assertThat(writer.isLost()).isTrue();
    assertThat(gate.text()).isEmpty();
  }

  @Test
  void shouldEndALineThatAnotherOwnerLeftOpen() {
    gate.open();
    Object one = new Object();
    Object two = new Object();

    writer.put(one, bytes("[1] "), bytes("begin "), false);
    writer.put(one, bytes("[1] "), bytes("more "), false);
    writer.put(two, bytes("[2] "), bytes("line\n"), true);
    writer.put(one, bytes("[1] "), bytes("end\n"), true);
    writer.put(two, bytes("[2] "), bytes("open"), false);
    writer.endLine(one);
    writer.endLine(two);

    Await.until("all is there", writer::isIdle);
    assertThat(gate.text()).isEqualTo("[1] begin more \n[2] line\n[1] end\n[2] open\n");
  }

  @Test
  void shouldWriteWholeLinesInPiecesThatAPipeTakesAsAWhole() {
    byte[] lines = bytes(("x".repeat(99) + "\n").repeat(100));

    gate.open();
    writer.put(this, NO_TAG, lines, true);
    writer.put(this, NO_TAG, new byte[10_000], true);

    Await.until("all is there", writer::isIdle);
    assertThat(gate.bytes()).hasSize(20_000);
    assertThat(gate.writes()).allMatch(text -> text.length() <= 4096);
    assertThat(gate.writes().subList(0, 3)).allMatch(text -> text.endsWith("\n"));
  }

  @Test
  void shouldCallBackWhenNothingHasComeForAWhile() {
    gate.open();
    List<String> calls = new CopyOnWriteArrayList<>();

    writer.remind(() -> calls.add("paused"));
    nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));

    Await.until("it calls back", () -> calls.size() == 1);
  }

  private void runClock() {
    while (!Thread.currentThread().isInterrupted()) {
      nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
      Thread.yield();
    }
  }

  private StreamWriter writer(OutputStream out) {
    return StreamWriter.start(out, told::add, nowNs::get, "test-writer");
  }

  /** Puts so many texts of 1000 bytes. */
  private Thread printer(int texts) {
    Thread printer =
        new Thread(
            () -> {
              for (int i = 0; i < texts; i++) {
                writer.put(this, NO_TAG, bytes("x".repeat(999) + "\n"), true);
              }
            });
    printer.setDaemon(true);
    printer.start();
    return printer;
  }

  private static OutputStream failing(IOException failure) {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        throw failure;
      }
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
