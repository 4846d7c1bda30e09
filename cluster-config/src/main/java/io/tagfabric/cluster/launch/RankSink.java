package io.tagfabric.cluster.launch;

import java.util.List;

/** Takes what a rank prints, and remembers the end of it. */
interface RankSink extends TextSink {
  /** The last lines, oldest first. Thread: any. */
  List<String> lastLines();
}
