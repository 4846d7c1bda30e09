package io.tagfabric.launch.agent;

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
    long pid, List<Integer> ports, String directory, String jobDirectory, String aeronDirectory) {}
