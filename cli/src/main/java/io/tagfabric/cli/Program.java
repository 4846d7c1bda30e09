package io.tagfabric.cli;

import io.tagfabric.launch.agent.ProgramFiles;
import java.util.List;

/**
 * What ranks run.
 *
 * @param mainClass whose {@code main} begins
 * @param arguments of that {@code main}
 * @param files where it comes from and runs
 * @param jvmFlags that its jar asks for
 */
record Program(
    String mainClass, List<String> arguments, ProgramFiles files, List<String> jvmFlags) {}
