package io.tagfabric.cluster.launch;

import java.util.List;
import java.util.Map;

/**
 * How a rank is started.
 *
 * @param variables what its environment has more than the launcher's
 */
record RankCommand(int rank, List<String> words, Map<String, String> variables) {
  /** As a person could type it. */
  String shellLine() {
    return RankProcess.shellLine(words, variables);
  }
}
