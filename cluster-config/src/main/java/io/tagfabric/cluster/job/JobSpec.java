package io.tagfabric.cluster.job;

import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * What a rank knows about its job before it has talked to anyone.
 *
 * @param jobKey names the job; only ranks with the same key talk to each other
 * @param rank number of this rank, from 0 to {@code size - 1}
 * @param size number of ranks
 * @param host address by which the other ranks reach this one
 * @param port port this rank listens on, 0 for any free one
 * @param seedHost host of rank 0
 * @param seedPort port of rank 0, 0 only in a job of one rank
 * @param launcherPid process that started the ranks, 0 if there is none
 * @param aeronDirectory directory of the host's shared media driver, empty for an embedded one
 * @param profile how Akka's remoting travels
 */
public record JobSpec(
    UUID jobKey,
    int rank,
    int size,
    String host,
    int port,
    String seedHost,
    int seedPort,
    long launcherPid,
    Optional<Path> aeronDirectory,
    Profile profile) {

  public JobSpec {
    Objects.requireNonNull(jobKey, "jobKey");
    Objects.requireNonNull(aeronDirectory, "aeronDirectory");
    Objects.requireNonNull(profile, "profile");
    require(size >= 1, JobSettings.SIZE, "size=" + size + " < 1, a job has at least one rank");
    require(
        rank >= 0 && rank < size,
        JobSettings.RANK,
        "rank=" + rank + " is not within size=" + size + ", number the ranks from 0");
    requireHost(JobSettings.HOST, host);
    requireHost(JobSettings.SEED_HOST, seedHost);
    requirePort(JobSettings.PORT, port);
    requirePort(JobSettings.SEED_PORT, seedPort);
    require(
        size == 1 || seedPort > 0,
        JobSettings.SEED_PORT,
        "size="
            + size
            + " > 1 but the port of rank 0 is not known, set "
            + JobSettings.SEED_PORT.variable()
            + " to the same port in all ranks");
    require(launcherPid >= 0, JobSettings.LAUNCHER_PID, "launcherPid=" + launcherPid + " < 0");
  }

  /** A job of one rank on the loopback interface, with a new key. */
  public static JobSpec alone(Profile profile) {
    String loopback = "127.0.0.1";
    return new JobSpec(
        UUID.randomUUID(), 0, 1, loopback, 0, loopback, 0, 0, Optional.empty(), profile);
  }

  /**
   * The job that the settings describe; rank 0 listens where the others look for it.
   *
   * @throws SettingsException if a setting is wrong, or does not fit another one
   */
  public static JobSpec fromSettings(Settings settings) {
    int rank = settings.get(JobSettings.RANK);
    int size = settings.get(JobSettings.SIZE);
    int port = settings.get(JobSettings.PORT);
    int seedPort = settings.get(JobSettings.SEED_PORT);
    Optional<UUID> key = settings.find(JobSettings.KEY).map(keys -> keys.get(0));
    require(
        size == 1 || key.isPresent(),
        JobSettings.KEY,
        "size="
            + size
            + " > 1 but the job has no key, set "
            + JobSettings.KEY.variable()
            + " to the same UUID in all ranks");
    require(
        rank != 0 || port == 0 || seedPort == 0 || port == seedPort,
        JobSettings.PORT,
        "port=" + port + " != seed-port=" + seedPort + " in rank 0, give one of the two");
    return new JobSpec(
        key.orElseGet(UUID::randomUUID),
        rank,
        size,
        settings.get(JobSettings.HOST),
        rank == 0 && port == 0 ? seedPort : port,
        settings.get(JobSettings.SEED_HOST),
        seedPort,
        settings.get(JobSettings.LAUNCHER_PID),
        Optional.of(settings.get(JobSettings.AERON_DIRECTORY))
            .filter(text -> !text.isBlank())
            .map(Path::of),
        settings.get(JobSettings.PROFILE));
  }

  /** The environment variables from which {@link #fromSettings} reads this job again. */
  public Map<String, String> toEnvironment() {
    Map<String, String> environment = new LinkedHashMap<>();
    put(environment, JobSettings.KEY, List.of(jobKey));
    put(environment, JobSettings.RANK, rank);
    put(environment, JobSettings.SIZE, size);
    put(environment, JobSettings.HOST, host);
    put(environment, JobSettings.PORT, port);
    put(environment, JobSettings.SEED_HOST, seedHost);
    put(environment, JobSettings.SEED_PORT, seedPort);
    put(environment, JobSettings.LAUNCHER_PID, Math.toIntExact(launcherPid));
    put(environment, JobSettings.AERON_DIRECTORY, aeronDirectory.map(Path::toString).orElse(""));
    put(environment, JobSettings.PROFILE, profile);
    return environment;
  }

  /** The same rank with the media driver of a directory. */
  public JobSpec withAeronDirectory(Path directory) {
    return new JobSpec(
        jobKey,
        rank,
        size,
        host,
        port,
        seedHost,
        seedPort,
        launcherPid,
        Optional.of(directory),
        profile);
  }

  /** Whether this rank is the one that all others join. */
  public boolean isSeed() {
    return rank == 0;
  }

  private static <T> void put(Map<String, String> environment, Setting<T> setting, T value) {
    environment.put(setting.variable(), setting.write(value));
  }

  private static void requireHost(Setting<String> setting, String host) {
    require(
        !host.isBlank() && host.chars().noneMatch(Character::isWhitespace),
        setting,
        "host=\"" + host + "\" is no host name or address");
  }

  private static void requirePort(Setting<Integer> setting, int port) {
    require(port >= 0 && port <= 65535, setting, "port=" + port + " is not within 0 to 65535");
  }

  private static void require(boolean holds, Setting<?> setting, String message) {
    if (!holds) {
      throw new SettingsException(setting.fullKey(), setting.fullKey() + ": " + message);
    }
  }
}
