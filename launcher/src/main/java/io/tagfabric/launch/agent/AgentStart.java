package io.tagfabric.launch.agent;

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
    boolean input) {}
