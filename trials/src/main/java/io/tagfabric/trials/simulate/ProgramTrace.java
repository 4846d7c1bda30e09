package io.tagfabric.trials.simulate;

import io.tagfabric.timeline.Timeline;
import io.tagfabric.timeline.TimelineText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What the recorders of one simulated run write: files that go with it. Single threaded. */
final class ProgramTrace implements AutoCloseable {
  private final Path directory;

  private ProgramTrace(Path directory) {
    this.directory = directory;
  }

  static ProgramTrace create() {
    try {
      return new ProgramTrace(Files.createTempDirectory("tagfabric-simulation-"));
    } catch (IOException e) {
      throw new UncheckedIOException("no room for the parts of the trace", e);
    }
  }

  /** Where they write. */
  Path directory() {
    return directory;
  }

  /** All of it. */
  Timeline timeline(int ranks) {
    try {
      return Timeline.gather(directory, ranks);
    } catch (IOException e) {
      throw new UncheckedIOException("the trace cannot be read", e);
    }
  }

  /** All of it, a line for each event; the same for each run of a seed. */
  List<String> lines(int ranks) {
    return new TimelineText(timeline(ranks)).lines(Integer.MAX_VALUE);
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(directory + " is left", e);
    }
  }
}
