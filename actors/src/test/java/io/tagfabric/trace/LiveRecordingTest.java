package io.tagfabric.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a recorder, read while it is written. */
class LiveRecordingTest {
  private static final int COMMANDS = 2_000;
  private static final int FLOOD = 1_000_000;
  private static final int SLEEPS_KEPT = 8;

  private static final Recorder.Owner OWNER = new Recorder.Owner(3, 4711, -9, "main");

  @TempDir Path directory;

  private Path file() {
    return directory.resolve("events");
  }

  private Recorder recorder() throws IOException {
    return Recorder.open(file(), OWNER, 16, () -> 5, () -> 5);
  }

  private static void sent(Recorder recorder, long number) {
    recorder.record(TraceKind.SENT, 2, 77, number, 0, -5, 64, 4, 8, 9);
  }

  private static List<Long> numbers(List<TraceEvent> events) {
    return events.stream().map(TraceEvent::number).toList();
  }

  @Test
  void shouldReadWhatHasComeSinceTheLastTime() throws IOException {
    Recorder recorder = recorder();
    sent(recorder, 1);
    LiveRecording live = LiveRecording.open(file());
    assertThat(live.owner()).isEqualTo(OWNER);
    List<TraceEvent> events = new ArrayList<>();

    assertThat(live.poll(events)).isZero();
    sent(recorder, 2);
    sent(recorder, 3);
    recorder.slept(0);
    assertThat(live.poll(events)).isZero();
    assertThat(live.poll(events)).isZero();

    assertThat(numbers(events)).containsExactly(1L, 2L, 3L);
    assertThat(events.get(0).thread()).isEqualTo(Thread.currentThread().getName());
    assertThat(live.sleeps()).isEqualTo(1);
    assertThat(live.sleeps()).isZero();
    assertThat(live.isClosed()).isFalse();
    recorder.closed();
    assertThat(live.isClosed()).isTrue();
  }

  @Test
  void shouldCountWhatItHasMissed() throws IOException {
    Recorder recorder = recorder();
    LiveRecording live = LiveRecording.open(file());
    List<TraceEvent> events = new ArrayList<>();
    for (int number = 1; number <= 100; number++) {
      sent(recorder, number);
    }

    assertThat(live.poll(events)).isEqualTo(85);
    assertThat(numbers(events)).hasSize(15).startsWith(86L).endsWith(100L);
  }

  /** Each event says the same number in several places, so that one written over shows. */
  @Test
  void shouldNeverReadAnEventThatIsWrittenOver() throws Exception {
    Recorder recorder = recorder();
    LiveRecording live = LiveRecording.open(file());
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              for (int number = 1; number <= FLOOD; number++) {
                recorder.record(
                    TraceKind.SENT, number, number, number, 0, number, number, number, 8, number);
              }
            });
    List<TraceEvent> events = new ArrayList<>();
    long missed = 0;
    while (!writer.isDone()) {
      missed += live.poll(events);
    }
    writer.get(60, TimeUnit.SECONDS);
    missed += live.poll(events);

    long last = 0;
    for (TraceEvent event : events) {
      long number = event.number();
      assertThat(number).isGreaterThan(last);
      assertThat(event.how()).isEqualTo((int) number);
      assertThat(event.flow()).isEqualTo(number);
      assertThat(event.tag()).isEqualTo(number);
      assertThat(event.length()).isEqualTo(number);
      assertThat(event.extra()).isEqualTo(number);
      assertThat(event.endpoint()).isEqualTo((int) number);
      last = number;
    }
    assertThat(events.size() + missed).isEqualTo(FLOOD);
    assertThat(last).isEqualTo(FLOOD);
  }

  @Test
  void shouldSayOfAllThatIsThereHowMuchIsNot() throws IOException {
    Recorder recorder = recorder();
    for (int number = 1; number <= 100; number++) {
      sent(recorder, number);
      recorder.slept(0);
    }

    Recording all = LiveRecording.open(file()).snapshot();

    assertThat(all.dropped()).isEqualTo(85);
    assertThat(all.droppedSleeps()).isEqualTo(99);
    assertThat(all.events()).hasSize(16);
  }

  /** A thread that falls asleep at 0 has slept as long as the clock shows. */
  @Test
  void shouldNeverReadASleepThatIsWrittenOver() throws Exception {
    AtomicLong clock = new AtomicLong();
    Recorder recorder =
        Recorder.open(file(), OWNER, 8 * SLEEPS_KEPT, clock::get, System::currentTimeMillis);
    LiveRecording live = LiveRecording.open(file());
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < FLOOD; i++) {
                clock.incrementAndGet();
                recorder.slept(0);
              }
            });
    List<TraceEvent> torn = new ArrayList<>();
    long seen = 0;
    while (!writer.isDone()) {
      List<TraceEvent> sleeps = live.snapshot().events();
      sleeps.stream().filter(each -> each.extra() != each.timeNs()).forEach(torn::add);
      seen += sleeps.size();
    }
    writer.get(60, TimeUnit.SECONDS);

    assertThat(torn).isEmpty();
    assertThat(seen + live.snapshot().events().size()).isPositive();
  }

  @Test
  void shouldLeaveOutWhatWasBefore() throws IOException {
    Recorder recorder = recorder();
    sent(recorder, 1);
    LiveRecording live = LiveRecording.open(file());
    live.skip();
    sent(recorder, 2);
    List<TraceEvent> events = new ArrayList<>();
    live.poll(events);
    assertThat(numbers(events)).containsExactly(2L);

    live.rewind();
    assertThat(live.poll(events)).isZero();
    assertThat(numbers(events)).containsExactly(2L, 1L, 2L);
  }

  @Test
  void shouldCarryCommandsAndAnswers() throws IOException {
    WatchDesk domain = recorder().desk();
    WatchDesk watcher = LiveRecording.open(file()).desk();
    assertThat(watcher.obeys()).isFalse();
    domain.obey();
    assertThat(watcher.obeys()).isTrue();
    assertThat(domain.next()).isNull();

    assertThat(watcher.tell(WatchDesk.Command.FREEZE)).isTrue();
    assertThat(watcher.tell(WatchDesk.Command.GO)).as("a second one at the same time").isFalse();
    assertThat(watcher.isIdle()).isFalse();
    assertThat(domain.next()).isEqualTo(WatchDesk.Command.FREEZE);
    WatchDesk.State frozen = new WatchDesk.State(true, false, true);
    domain.obeyed(frozen);

    assertThat(watcher.isIdle()).isTrue();
    assertThat(watcher.state()).isEqualTo(frozen);
    assertThat(domain.next()).isNull();
    long beats = domain.beats();
    watcher.beat();
    assertThat(domain.beats()).isNotEqualTo(beats);
    WatchDesk.Gauges gauges = new WatchDesk.Gauges(1, 2, 3, 4, true);
    domain.show(gauges);
    assertThat(watcher.gauges()).isEqualTo(gauges);
  }

  @Test
  void shouldLoseAndDoubleNoCommandOfSeveralWatchers() throws Exception {
    WatchDesk domain = recorder().desk();
    domain.obey();
    List<CompletableFuture<Void>> watchers = new ArrayList<>();
    for (WatchDesk.Command command : WatchDesk.Command.values()) {
      WatchDesk watcher = LiveRecording.open(file()).desk();
      watchers.add(CompletableFuture.runAsync(() -> tellOften(watcher, command)));
    }
    Map<WatchDesk.Command, Integer> obeyed = new EnumMap<>(WatchDesk.Command.class);
    CompletableFuture<Void> all =
        CompletableFuture.allOf(watchers.toArray(CompletableFuture[]::new));
    while (!all.isDone() || domain.next() != null) {
      WatchDesk.Command command = domain.next();
      if (command != null) {
        obeyed.merge(command, 1, Integer::sum);
        domain.obeyed(new WatchDesk.State(false, false, true));
      } else {
        Thread.yield();
      }
    }

    all.get(60, TimeUnit.SECONDS);
    assertThat(obeyed).hasSize(WatchDesk.Command.values().length);
    assertThat(obeyed.values()).containsOnly(COMMANDS);
  }

  private static void tellOften(WatchDesk watcher, WatchDesk.Command command) {
    for (int told = 0; told < COMMANDS; ) {
      if (watcher.tell(command)) {
        told++;
      } else {
        Thread.yield();
      }
    }
  }

  @Test
  void shouldRefuseWhatNoRecorderHasWritten() throws IOException {
    Files.write(file(), new byte[100]);
    assertThatThrownBy(() -> LiveRecording.open(file())).isInstanceOf(IOException.class);
    Files.write(file(), new byte[100_000]);
    assertThatThrownBy(() -> LiveRecording.open(file())).isInstanceOf(IOException.class);
  }

  @Test
  void shouldRefuseAFileThatEndsBeforeItsRecords() throws IOException {
    recorder();
    long bytes = Files.size(file());
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      channel.truncate(bytes - 1);
    }
    assertThatThrownBy(() -> LiveRecording.open(file()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a whole file of a recorder");
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), bytes - 1);
    }
    assertThat(LiveRecording.open(file()).owner()).isEqualTo(OWNER);
  }
}
