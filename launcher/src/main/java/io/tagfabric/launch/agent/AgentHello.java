package io.tagfabric.launch.agent;

import io.tagfabric.cluster.job.Profile;
import java.util.Map;
import java.util.UUID;

/**
 * What an agent has to know of the job.
 *
 * @param address where its ranks listen
 * @param ranks how many it will get
 * @param directory what {@code tagfabric.launch.directory} says, may be empty
 * @param keep whether the job's files outlive the job
 * @param terminateGraceMs from SIGTERM to SIGKILL
 * @param silenceMs after which a launcher that says nothing counts as gone, 0 for never
 * @param variables what processes of the job have more in their environment than the agent
 * @param tlsStore keys of the job in Base64, empty if it has none; see {@code TlsKeys}
 * @param files what must be there before ranks start
 */
public record AgentHello(
    UUID job,
    Profile profile,
    String address,
    int ranks,
    String directory,
    boolean keep,
    long terminateGraceMs,
    long silenceMs,
    Map<String, String> variables,
    String tlsStore,
    ProgramFiles files) {}
