package io.tagfabric.launch;

import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.LossPolicy;
import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.launch.hosts.HostPlan;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a person may choose about a launch.
 *
 * @param onLoss what becomes of the job when a rank fails or is killed; empty for what the settings
 *     say
 * @param exports which variables of the environment ranks get
 * @param rankVariables further variables of the environment, by rank
 * @param outputDirectory where {@code rank-<number>.out} and {@code .err} go instead of the screen
 * @param tagged whether lines on the screen begin with their rank
 * @param input whether rank 0 reads the launcher's standard input; those of others are empty
 * @param debugRank the rank whose JVM waits for a debugger
 * @param keep whether the job's files outlive the job
 * @param dryRun whether to print the commands and to start nothing
 * @param hosts where ranks run, with the numeric addresses of all hosts; empty for this host only
 * @param ranksPerJvm how many ranks share a JVM; more than one on this host only
 */
public record LaunchOptions(
    Optional<LossPolicy> onLoss,
    Exports exports,
    Map<Integer, Map<String, String>> rankVariables,
    Optional<Path> outputDirectory,
    boolean tagged,
    boolean input,
    OptionalInt debugRank,
    boolean keep,
    boolean dryRun,
    Optional<HostPlan> hosts,
    int ranksPerJvm) {

  public LaunchOptions {
    rankVariables = Map.copyOf(rankVariables);
  }

  /** A JVM for each rank. */
  public LaunchOptions(
      Optional<LossPolicy> onLoss,
      Exports exports,
      Map<Integer, Map<String, String>> rankVariables,
      Optional<Path> outputDirectory,
      boolean tagged,
      boolean input,
      OptionalInt debugRank,
      boolean keep,
      boolean dryRun,
      Optional<HostPlan> hosts) {
    this(
        onLoss,
        exports,
        rankVariables,
        outputDirectory,
        tagged,
        input,
        debugRank,
        keep,
        dryRun,
        hosts,
        1);
  }

  /** Lines with their rank in front, on the screen; no input; this host. */
  public static LaunchOptions defaults() {
    return new LaunchOptions(
        Optional.empty(),
        Exports.none(),
        Map.of(),
        Optional.empty(),
        true,
        false,
        OptionalInt.empty(),
        false,
        false,
        Optional.empty());
  }

  /** The same with what becomes of the job when a rank fails or is killed. */
  public LaunchOptions withOnLoss(LossPolicy policy) {
    return RecordCopy.with(this, "onLoss", Optional.of(policy));
  }

  /** The same with other variables for the ranks. */
  public LaunchOptions withExports(Exports other) {
    return RecordCopy.with(this, "exports", other);
  }

  /** The same on other hosts, whose addresses are numeric. */
  public LaunchOptions withHosts(HostPlan plan) {
    return RecordCopy.with(this, "hosts", Optional.of(plan));
  }

  /** The same with more ranks, or fewer, in each JVM. */
  public LaunchOptions withRanksPerJvm(int ranks) {
    return RecordCopy.with(this, "ranksPerJvm", ranks);
  }

  boolean goesOnAfterLoss(Settings settings) {
    return onLoss.orElse(settings.get(ExitSettings.ON_LOSS)) == LossPolicy.CONTINUE;
  }
}
