package io.tagfabric.launch.output;

import java.util.List;

/** Takes what a rank prints, and remembers the end of it. */
public interface RankSink extends TextSink {
  /** The last lines, oldest first. Thread: any. */
  List<String> lastLines();
}
