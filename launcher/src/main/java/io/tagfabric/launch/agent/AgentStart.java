package io.tagfabric.launch.agent;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How an agent starts a rank.
 *
 * @param directory its working directory, empty for the agent's
 * @param input whether it reads what comes as input, else nothing
 */
public record AgentStart(
    int rank,
    List<String> words,
    Map<String, String> variables,
    Optional<Path> directory,
    boolean input) {
  public AgentFrame toFrame() {
    byte[] body =
        AgentBody.encode(
            fields -> {
              fields.put(words);
              fields.put(variables);
              fields.put(directory);
              fields.put(input ? 1 : 0);
            });
    return new AgentFrame(AgentFrame.Kind.START, rank, body);
  }

  public static AgentStart of(AgentFrame frame) throws IOException {
    AgentBody fields = AgentBody.of(frame.body());
    return new AgentStart(
        frame.rank(), fields.texts(), fields.map(), fields.path(), fields.number() != 0);
  }
}
