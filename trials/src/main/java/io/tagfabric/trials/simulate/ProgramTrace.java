package io.tagfabric.trials.simulate;

import io.tagfabric.timeline.Timeline;
import io.tagfabric.timeline.TimelineText;
import io.tagfabric.watch.TemporaryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** What the recorders of one simulated run write: files that go with it. Single threaded. */
final class ProgramTrace implements AutoCloseable {
  private final TemporaryDirectory files;

  private ProgramTrace(TemporaryDirectory files) {
    this.files = files;
  }

  static ProgramTrace create() {
    return new ProgramTrace(TemporaryDirectory.create("tagfabric-simulation-"));
  }

  /** Where they write. */
  Path directory() {
    return files.path();
  }

  /** All of it. */
  Timeline timeline(int ranks) {
    try {
      return Timeline.gather(directory(), ranks);
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
    files.close();
  }
}
