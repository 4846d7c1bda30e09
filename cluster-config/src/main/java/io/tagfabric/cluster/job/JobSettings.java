package io.tagfabric.cluster.job;

import io.tagfabric.cluster.settings.Setting;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The settings {@code tagfabric.job.*}, of which {@link JobSpec} is made. */
public final class JobSettings {
  /** The most ranks a job may have. */
  public static final int MAX_SIZE = 1 << 20;

  public static final Setting<List<UUID>> KEY = Setting.uuids("job.key").agreed();
  public static final Setting<Integer> RANK = Setting.integer("job.rank", 0, MAX_SIZE - 1);
  public static final Setting<Integer> SIZE = Setting.integer("job.size", 1, MAX_SIZE).agreed();
  public static final Setting<String> HOST = Setting.string("job.host");
  public static final Setting<Integer> PORT = Setting.integer("job.port", 0, 65535);
  public static final Setting<String> SEED_HOST = Setting.string("job.seed-host").agreed();
  public static final Setting<Integer> SEED_PORT =
      Setting.integer("job.seed-port", 0, 65535).agreed();
  public static final Setting<Integer> LAUNCHER_PID =
      Setting.integer("job.launcher-pid", 0, Integer.MAX_VALUE);
  public static final Setting<String> LOCALITY = Setting.string("job.locality");
  public static final Setting<String> AERON_DIRECTORY = Setting.string("job.aeron-directory");
  public static final Setting<String> HOST_DIRECTORY = Setting.string("job.host-directory");
  public static final Setting<Profile> PROFILE =
      Setting.choice("job.profile", Profile.class).agreed();

  public static final Setting<Duration> START_TIMEOUT =
      Setting.duration("job.start-timeout", Duration.ofMillis(1), Duration.ofHours(1));
  public static final Setting<Duration> LEAVE_TIMEOUT =
      Setting.duration("job.leave-timeout", Duration.ofMillis(1), Duration.ofHours(1));
  public static final Setting<Boolean> DEBUG = Setting.bool("job.debug");
  public static final Setting<Boolean> FREEZE = Setting.bool("job.freeze");

  /** All of them, in the order they are shown. */
  public static final List<Setting<?>> ALL =
      List.of(
          KEY,
          RANK,
          SIZE,
          HOST,
          PORT,
          SEED_HOST,
          SEED_PORT,
          LAUNCHER_PID,
          LOCALITY,
          AERON_DIRECTORY,
          HOST_DIRECTORY,
          PROFILE,
          START_TIMEOUT,
          LEAVE_TIMEOUT,
          DEBUG,
          FREEZE);

  private JobSettings() {}
}
