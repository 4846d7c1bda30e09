package io.tagfabric.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of loops in recordings of JFR. */
class FlightEventsTest {
  private static final Recorder.Owner OWNER = new Recorder.Owner(3, 4711, -9, "main");

  @TempDir Path directory;

  private static Recorder recorder() {
    return Recorder.withoutFile(OWNER, () -> 1_000);
  }

  private List<RecordedEvent> events(Recording recording) throws IOException {
    recording.stop();
    Path file = directory.resolve("events.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file);
  }

  @Test
  void shouldBeOffWhileNoRecordingAsks() throws IOException {
    assertThat(recorder()).isSameAs(Recorder.OFF);
    try (Recording recording = new Recording()) {
      recording.start();

      assertThat(recorder()).as("a recording of something else").isSameAs(Recorder.OFF);
    }
  }

  @Test
  void shouldTellARecordingThatAsks() throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("tagfabric.Message");
      recording.enable("tagfabric.Loop");
      recording.start();
      Recorder recorder = recorder();
      assertThat(recorder.isOn()).isTrue();

      recorder.record(
          TraceKind.SENT, TraceKind.Way.EAGER.code(), 77, 5, 1, -5, 64, Long.MIN_VALUE, 8, 9);
      recorder.passed(400, 7);
      recorder.slept(900);

      List<RecordedEvent> events = events(recording);
      assertThat(events)
          .extracting(event -> event.getString("kind"))
          .containsExactlyInAnyOrder("SENT", "PASS", "SLEPT");
      for (RecordedEvent event : events) {
        assertThat(event.getInt("rank")).isEqualTo(3);
        assertThat(event.getString("domain")).isEqualTo("main");
        switch (event.getString("kind")) {
          case "SENT" -> {
            assertThat(event.getEventType().getName()).isEqualTo("tagfabric.Message");
            assertThat(event.getString("how")).isEqualTo("EAGER");
            assertThat(event.getLong("flow")).isEqualTo(77);
            assertThat(event.getLong("number")).isEqualTo(5);
            assertThat(event.getLong("tag")).isEqualTo(-5);
            assertThat(event.getLong("length")).isEqualTo(64);
            assertThat(event.getInt("peer")).isEqualTo(8);
            assertThat(event.getInt("endpoint")).isEqualTo(9);
          }
          case "PASS" -> {
            assertThat(event.getEventType().getName()).isEqualTo("tagfabric.Loop");
            assertThat(event.getDuration("took").toNanos()).isEqualTo(600);
            assertThat(event.getInt("work")).isEqualTo(7);
          }
          default -> assertThat(event.getDuration("took").toNanos()).isEqualTo(100);
        }
      }
    }
  }

  @Test
  void shouldTellAFileToo() throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("tagfabric.Loop");
      recording.start();
      Path file = directory.resolve("events");
      Recorder recorder = Recorder.open(file, OWNER, 16, () -> 1_000, () -> 1_000);
      recorder.passed(400, 7);

      assertThat(events(recording)).hasSize(1);
      assertThat(io.tagfabric.trace.Recording.read(file).events()).hasSize(1);
    }
  }
}
