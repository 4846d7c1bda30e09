package io.tagfabric.launch;

import io.tagfabric.cluster.job.Profile;
import io.tagfabric.launch.agent.ProgramFiles;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What to run on this host.
 *
 * @param size number of ranks
 * @param mainClass class with the {@code main} of every rank
 * @param arguments arguments of that {@code main}
 * @param profile how Akka's remoting travels between the ranks
 * @param jvmFlags flags for the JVMs of the ranks
 * @param timeout after which the job is ended, empty for never
 * @param verbose whether to print the command of each rank, and how it ended
 * @param options what else a person may choose
 * @param files what the program needs of each host
 */
public record LocalJob(
    int size,
    String mainClass,
    List<String> arguments,
    Profile profile,
    List<String> jvmFlags,
    Optional<Duration> timeout,
    boolean verbose,
    LaunchOptions options,
    ProgramFiles files) {

  public LocalJob {
    arguments = List.copyOf(arguments);
    jvmFlags = List.copyOf(jvmFlags);
  }

  /** A job with the usual options. */
  public LocalJob(
      int size,
      String mainClass,
      List<String> arguments,
      Profile profile,
      List<String> jvmFlags,
      Optional<Duration> timeout,
      boolean verbose) {
    this(size, mainClass, arguments, profile, jvmFlags, timeout, verbose, LaunchOptions.defaults());
  }

  /** A job of a program that Tagfabric's own jars hold. */
  public LocalJob(
      int size,
      String mainClass,
      List<String> arguments,
      Profile profile,
      List<String> jvmFlags,
      Optional<Duration> timeout,
      boolean verbose,
      LaunchOptions options) {
    this(
        size,
        mainClass,
        arguments,
        profile,
        jvmFlags,
        timeout,
        verbose,
        options,
        ProgramFiles.none());
  }
}
