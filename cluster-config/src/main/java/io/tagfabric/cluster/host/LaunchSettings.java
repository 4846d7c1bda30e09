package io.tagfabric.cluster.host;

import io.tagfabric.cluster.settings.Setting;
import java.time.Duration;
import java.util.List;

/** The settings {@code tagfabric.launch.*}. */
public final class LaunchSettings {
  public static final Setting<String> DIRECTORY = Setting.string("launch.directory");
  public static final Setting<Integer> MAX_RANKS = Setting.integer("launch.max-ranks", 1, 4096);
  public static final Setting<Duration> FAILURE_GRACE =
      Setting.duration("launch.failure-grace", Duration.ZERO, Duration.ofHours(1));
  public static final Setting<Duration> EXIT_GRACE =
      Setting.duration("launch.exit-grace", Duration.ZERO, Duration.ofHours(1));
  public static final Setting<Duration> TERMINATE_GRACE =
      Setting.duration("launch.terminate-grace", Duration.ZERO, Duration.ofMinutes(1));

  /** Empty for ssh if hosts are named, else for children of the launcher. */
  public static final Setting<String> SPAWNER = Setting.string("launch.spawner");

  public static final Setting<String> SSH = Setting.string("launch.ssh");
  public static final Setting<Duration> HOST_START_TIMEOUT =
      Setting.duration("launch.host-start-timeout", Duration.ofMillis(1), Duration.ofHours(1));
  public static final Setting<Duration> HOST_TIMEOUT =
      Setting.duration("launch.host-timeout", Duration.ZERO, Duration.ofHours(24));

  /** All of them, in the order they are shown. */
  public static final List<Setting<?>> ALL =
      List.of(
          DIRECTORY,
          MAX_RANKS,
          FAILURE_GRACE,
          EXIT_GRACE,
          TERMINATE_GRACE,
          SPAWNER,
          SSH,
          HOST_START_TIMEOUT,
          HOST_TIMEOUT);

  private LaunchSettings() {}
}
