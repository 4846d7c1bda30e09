package io.tagfabric.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecorderTest {
  private static final Recorder.Owner OWNER = new Recorder.Owner(3, 4711, -9, "main");

  @TempDir Path directory;

  private long nowNs;

  private Path file() {
    return directory.resolve("events");
  }

  private Recorder open(int events) throws IOException {
    return Recorder.open(file(), OWNER, events, () -> nowNs, () -> 1_000 + nowNs);
  }

  private void sent(Recorder recorder, long number) {
    nowNs += 10;
    recorder.record(
        TraceKind.SENT, 2, 77, number, recorder.nextOperation(), -5, 64, Long.MIN_VALUE, 8, 9);
  }

  @Test
  void shouldReadWhatWasWritten() throws IOException {
    Recorder recorder = open(16);
    sent(recorder, 1);
    nowNs += 5;
    recorder.passed(nowNs - 5, 7);
    nowNs += 100;
    recorder.slept(nowNs - 40);
    recorder.closed();

    Recording recording = Recording.read(file());

    String thread = Thread.currentThread().getName();
    assertThat(recording.owner()).isEqualTo(OWNER);
    assertThat(recording.wallNs() - recording.loopNs()).isEqualTo(1_000);
    assertThat(recording.closed()).isTrue();
    assertThat(recording.dropped()).isZero();
    assertThat(recording.events())
        .containsExactly(
            new TraceEvent(
                10, TraceKind.SENT, 2, thread, 77, 1, 1, -5, 64, Long.MIN_VALUE, 8, 9, ""),
            new TraceEvent(15, TraceKind.PASS, 0, thread, 0, 0, 0, 0, 7, 5, -1, 0, ""),
            new TraceEvent(115, TraceKind.SLEPT, 0, thread, 0, 0, 0, 0, 0, 40, -1, 0, ""));
  }

  /** An interrupt ends the writing as a full disk does. */
  @Test
  void shouldLeaveNoFileThatCouldNotBeFilled() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> open(16)).isInstanceOf(IOException.class);
    } finally {
      Thread.interrupted();
    }
    assertThat(file()).doesNotExist();
  }

  @Test
  void shouldKeepWordsOfAnyLength() throws IOException {
    Recorder recorder = open(64);
    String exact = "x".repeat(48);
    String odd = "\u00e4".repeat(70); // two bytes each: none is cut in two, wherever records end
    for (String words : List.of("short", exact, "", odd, "last")) {
      nowNs += 10;
      recorder.note(words);
      sent(recorder, 1);
    }

    List<TraceEvent> events = Recording.read(file()).events();

    assertThat(events.stream().filter(event -> event.kind() == TraceKind.NOTE))
        .extracting(TraceEvent::text)
        .containsExactly("short", exact, "", odd, "last");
    assertThat(events).hasSize(10);
    assertThat(LiveRecording.open(file()).snapshot().events()).isEqualTo(events);
  }

  @Test
  void shouldReadANoteWhoseLengthIsWrong() throws IOException {
    Recorder recorder = open(16);
    recorder.record(TraceKind.NOTE, 60_000, 0, 0, 0, 0, 0, 0, -1, 0);

    assertThat(Recording.read(file()).events())
        .singleElement()
        .satisfies(note -> assertThat(note.text()).hasSize(48));
  }

  /** Of 16 looks at both clocks, one is not interrupted by anything that takes time. */
  @Test
  void shouldCompareClocksWhereThatTookTheShortestTime() throws IOException {
    AtomicLong loopNs = new AtomicLong();
    AtomicLong looks = new AtomicLong();
    LongSupplier time = () -> loopNs.addAndGet(looks.incrementAndGet() == 10 ? 2 : 500);
    LongSupplier timeOfDay = () -> loopNs.get() + (looks.get() == 9 ? 70_000 : 60_000);

    Recorder.open(file(), OWNER, 16, time, timeOfDay);

    Recording recording = Recording.read(file());
    assertThat(recording.wallNs() - recording.loopNs()).isEqualTo(70_000 - 1);
  }

  @Test
  void shouldDropTheOldestWhenItIsFull() throws IOException {
    Recorder recorder = open(16);
    for (int number = 1; number <= 100; number++) {
      sent(recorder, number);
    }

    Recording recording = Recording.read(file());

    // The record that would be next may be in pieces in the file of a process that was killed.
    assertThat(recording.events())
        .extracting(TraceEvent::number)
        .containsExactly(
            86L, 87L, 88L, 89L, 90L, 91L, 92L, 93L, 94L, 95L, 96L, 97L, 98L, 99L, 100L);
    assertThat(recording.dropped()).isEqualTo(85);
    assertThat(recording.closed()).isFalse();
  }

  @Test
  void shouldKeepSleepsApartFromEvents() throws IOException {
    Recorder recorder = open(16);
    for (int i = 1; i <= 10; i++) {
      nowNs += 10;
      recorder.slept(nowNs - i);
    }
    sent(recorder, 1);

    Recording recording = Recording.read(file());

    assertThat(recording.events()).extracting(TraceEvent::extra).containsExactly(10L, -1L << 63);
    assertThat(recording.droppedSleeps()).isEqualTo(9);
    assertThat(recording.dropped()).isZero();
  }

  @Test
  void shouldNameThreadsAndPutThoseBeyondItsTableTogether() throws Exception {
    Recorder recorder = open(400);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String name = "worker-" + i + "-" + "x".repeat(100);
      Thread thread = new Thread(() -> sent(recorder, 1), name);
      thread.start();
      thread.join();
      names.add(i < TraceLayout.MAX_THREADS - 1 ? name.substring(0, 60) : "other threads");
    }

    assertThat(Recording.read(file()).events())
        .extracting(TraceEvent::thread)
        .containsExactlyElementsOf(names);
  }

  @Test
  void shouldDoNothingWhenOff() {
    assertThat(Recorder.OFF.isOn()).isFalse();

    Recorder.OFF.record(TraceKind.SENT, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    Recorder.OFF.passed(0, 1);
    Recorder.OFF.slept(0);
    Recorder.OFF.closed();

    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldLeaveAFileAloneThatIsThere() throws IOException {
    Files.writeString(file(), "mine");

    assertThatThrownBy(() -> open(16)).isInstanceOf(FileAlreadyExistsException.class);

    assertThat(file()).hasContent("mine");
  }

  @Test
  void shouldRefuseWhatNoRecorderHasWritten() throws IOException {
    Files.write(file(), new byte[100]);
    assertThatThrownBy(() -> Recording.read(file()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not begin as the file of a recorder");
  }

  @Test
  void shouldRefuseAFileThatIsCutShort() throws IOException {
    sent(open(16), 1);
    byte[] whole = Files.readAllBytes(file());
    Files.write(file(), Arrays.copyOf(whole, whole.length - 1));

    assertThatThrownBy(() -> Recording.read(file()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is cut short");
  }
}
