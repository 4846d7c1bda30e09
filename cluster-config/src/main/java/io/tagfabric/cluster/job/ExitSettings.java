package io.tagfabric.cluster.job;

import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import java.time.Duration;
import java.util.List;

/** The settings {@code tagfabric.exit.*}: how the end of a job is agreed upon, and how fast. */
public final class ExitSettings {
  /** Less would take a rank that was not scheduled for a moment for a dead one. */
  private static final Duration LEAST = Duration.ofMillis(500);

  private static final Duration HOUR = Duration.ofHours(1);

  public static final Setting<CodePolicy> CODE =
      Setting.choice("exit.code", CodePolicy.class).agreed();
  public static final Setting<Duration> TIMEOUT =
      Setting.duration("exit.timeout", Duration.ZERO, HOUR).agreed();
  public static final Setting<Duration> TIMEOUT_MAX =
      Setting.duration("exit.timeout-max", Duration.ZERO, HOUR).agreed();
  public static final Setting<Duration> TIMEOUT_MIN =
      Setting.duration("exit.timeout-min", Duration.ZERO, HOUR).agreed();
  public static final Setting<Duration> TIMEOUT_FACTOR =
      Setting.duration("exit.timeout-factor", Duration.ZERO, HOUR).agreed();
  public static final Setting<Duration> HOOK_TIMEOUT =
      Setting.duration("exit.hook-timeout", Duration.ZERO, HOUR);
  public static final Setting<LossPolicy> ON_LOSS =
      Setting.choice("exit.on-loss", LossPolicy.class).agreed();
  public static final Setting<HoldPhase> HOLD_PHASE =
      Setting.choice("exit.hold-phase", HoldPhase.class);
  public static final Setting<Duration> HOLD_TIME =
      Setting.duration("exit.hold-time", Duration.ZERO, HOUR);

  /** All of them, in the order they are shown. */
  public static final List<Setting<?>> ALL =
      List.of(
          CODE,
          TIMEOUT,
          TIMEOUT_MAX,
          TIMEOUT_MIN,
          TIMEOUT_FACTOR,
          HOOK_TIMEOUT,
          ON_LOSS,
          HOLD_PHASE,
          HOLD_TIME);

  private ExitSettings() {}

  /**
   * T, the time a step of the exit may take: {@code exit.timeout}, or if that is 0 the lesser of
   * {@code timeout-max} and {@code timeout-min + size * timeout-factor}.
   *
   * @throws SettingsException if that is too little
   */
  public static Duration timeout(Settings settings, int size) {
    Duration given = settings.get(TIMEOUT);
    if (!given.isZero()) {
      require(given, TIMEOUT, "give more, or 0 for a time that fits the number of ranks");
      return given;
    }
    Duration max = settings.get(TIMEOUT_MAX);
    Duration grown =
        settings.get(TIMEOUT_MIN).plus(settings.get(TIMEOUT_FACTOR).multipliedBy(size));
    Duration timeout = grown.compareTo(max) < 0 ? grown : max;
    require(
        timeout,
        TIMEOUT_MIN,
        "raise "
            + (timeout.equals(max) ? TIMEOUT_MAX : TIMEOUT_MIN).fullKey()
            + " (the least of timeout-max and timeout-min + "
            + size
            + " ranks * timeout-factor counts)");
    return timeout;
  }

  /**
   * The longest a rank may rightly take from the begin of its end to that of its process: two T,
   * its hooks, and {@code job.leave-timeout} for each of closing its domain and its ActorSystem.
   *
   * @throws SettingsException as for {@link #timeout}
   */
  public static Duration longest(Settings settings, int size) {
    return timeout(settings, size)
        .plus(settings.get(JobSettings.LEAVE_TIMEOUT))
        .multipliedBy(2)
        .plus(settings.get(HOOK_TIMEOUT));
  }

  private static void require(Duration timeout, Setting<?> setting, String cure) {
    if (timeout.compareTo(LEAST) < 0) {
      throw new SettingsException(
          setting.fullKey(),
          "time to exit="
              + timeout.toMillis()
              + " ms < "
              + LEAST.toMillis()
              + " ms by "
              + setting.fullKey()
              + ", "
              + cure);
    }
  }
}
