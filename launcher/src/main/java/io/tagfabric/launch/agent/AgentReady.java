package io.tagfabric.launch.agent;

import java.io.IOException;
import java.util.List;

/**
 * What a launcher has to know of an agent.
 *
 * @param pid its process, for which its ranks look
 * @param ports free ones, one for each rank
 * @param directory where this host keeps the files of jobs
 * @param jobDirectory where those of this job are
 * @param aeronDirectory of the media driver, empty if there is none
 */
public record AgentReady(
    long pid, List<Integer> ports, String directory, String jobDirectory, String aeronDirectory) {
  public AgentFrame toFrame() {
    byte[] body =
        AgentBody.encode(
            fields -> {
              fields.put(pid);
              fields.put(ports.stream().map(port -> Integer.toString(port)).toList());
              fields.put(directory);
              fields.put(jobDirectory);
              fields.put(aeronDirectory);
            });
    return new AgentFrame(AgentFrame.Kind.READY, 0, body);
  }

  public static AgentReady of(AgentFrame frame) throws IOException {
    AgentBody fields = AgentBody.of(frame.body());
    return new AgentReady(
        fields.number(),
        fields.texts().stream().map(Integer::valueOf).toList(),
        fields.text(),
        fields.text(),
        fields.text());
  }
}
