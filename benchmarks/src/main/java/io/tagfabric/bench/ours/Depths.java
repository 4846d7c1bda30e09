package io.tagfabric.bench.ours;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.Map;

/** Settings under which many operations may wait at one end. */
final class Depths {
  private static final int USUAL_QUEUE = 8192;
  private static final int USUAL_CREDITS = 65536;
  private static final int SPARE = 64;

  private Depths() {}

  /**
   * Room for so many operations.
   *
   * @param depth receives posted, or messages that wait
   */
  static Config config(int depth) {
    return ConfigFactory.parseMap(
        Map.of(
            "tagfabric.endpoint.queue-size", Math.max(USUAL_QUEUE, depth + SPARE),
            "tagfabric.flow.message-credits", Math.max(USUAL_CREDITS, depth + SPARE)),
        "depth of " + depth);
  }
}
