package io.tagfabric.cluster.job;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Notices a process that a scheduler, or the launcher of an MPI, has started as one of many and
 * that knows nothing of a job of ours: it would run as a job of one rank, and so would the others.
 *
 * @source Slurm, srun(1) "Output environment variables"; Open MPI, mpirun(1) "Environment
 *     variables"; PMI-1 (PMI_SIZE)
 */
@InternalApi
public final class SchedulerCheck {
  /**
   * The variables that say of how many processes this one is. In a script of Slurm, where no srun
   * has started the process, there is no step; SLURM_NTASKS is set there, too.
   */
  private static final List<String> SIZES =
      List.of("SLURM_STEP_NUM_TASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE");

  private SchedulerCheck() {}

  /**
   * Checks a process.
   *
   * @throws SettingsException if it is one of many, and its settings name neither a job nor a size
   */
  public static void check(Settings settings, Map<String, String> environment) {
    if (settings.find(JobSettings.KEY).isPresent() || settings.isGiven(JobSettings.SIZE)) {
      return;
    }
    for (String name : SIZES) {
      many(environment.get(name))
          .ifPresent(
              size -> {
                throw new SettingsException(JobSettings.SIZE.fullKey(), complaint(name, size));
              });
    }
  }

  private static String complaint(String name, int size) {
    return name
        + "="
        + size
        + ", but this process knows of no job with the others: start one `tagfabric run -n "
        + size
        + "` instead, or give each process "
        + JobSettings.KEY.variable()
        + " and the other settings of a rank; with "
        + JobSettings.SIZE.variable()
        + "=1 each runs as a job of its own";
  }

  private static Optional<Integer> many(String number) {
    try {
      return Optional.ofNullable(number)
          .map(String::strip)
          .map(Integer::valueOf)
          .filter(size -> size > 1);
    } catch (NumberFormatException meansSomethingElse) {
      return Optional.empty();
    }
  }
}
