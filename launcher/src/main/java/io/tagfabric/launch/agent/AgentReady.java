package io.tagfabric.launch.agent;

import java.util.List;

/**
 * What a launcher has to know of an agent.
 *
 * @param pid process id of the agent; its ranks end when that process has ended
 * @param ports free ones, one for each rank
 * @param directory where this host keeps the files of jobs
 * @param jobDirectory where those of this job are
 * @param aeronDirectory of the media driver, empty if there is none
 */
public record AgentReady(
    long pid, List<Integer> ports, String directory, String jobDirectory, String aeronDirectory) {}
