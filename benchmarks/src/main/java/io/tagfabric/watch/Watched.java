package io.tagfabric.watch;

import io.tagfabric.report.JsonLine;
import io.tagfabric.timeline.Timeline;
import java.io.IOException;
import java.util.Map;

/** What a page shows: a job that runs, or one run of a seed. Thread: any. */
interface Watched {
  /** Before each frame, and when there is none. */
  void look();

  /** Nobody looks now. */
  void skip();

  /** What pages hear: what has happened since the last time, as one line of JSON. */
  String read();

  /**
   * Does what a page wants.
   *
   * @param words {@code do} and perhaps others
   * @return what has become of it
   * @throws IllegalArgumentException if nothing can be done so
   */
  JsonLine command(Map<String, String> words);

  /** Everything that there is now. */
  Timeline timeline() throws IOException;

  /** Whether nothing more will come. */
  boolean hasEnded();

  /** The page ends. */
  void release();
}
