package io.tagfabric.fabric;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.endpoint.EndpointSettings;
import io.tagfabric.flow.FlowSettings;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressSettings;
import java.time.Duration;
import java.util.List;

/**
 * The settings of Tagfabric below {@code tagfabric} in the configuration. Their meaning stands
 * beside each key in {@code reference.conf}.
 */
public final class FabricSettings {
  private static final Duration ZERO = Duration.ZERO;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MICRO = Duration.ofNanos(1_000);
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final int KIB = 1024;
  private static final long MIB = 1024L * KIB;

  public static final Setting<ProgressMode> PROGRESS_MODE =
      Setting.choice("progress.mode", ProgressMode.class);
  public static final Setting<Duration> SPIN = Setting.duration("progress.spin", ZERO, HOUR);
  public static final Setting<Duration> YIELD = Setting.duration("progress.yield", ZERO, HOUR);
  public static final Setting<Duration> RESIDENT_SPIN =
      Setting.duration("progress.resident-spin", ZERO, HOUR);
  public static final Setting<Duration> RESIDENT_YIELD =
      Setting.duration("progress.resident-yield", ZERO, HOUR);
  public static final Setting<Duration> MAX_PARK =
      Setting.duration("progress.max-park", MILLI, HOUR);

  public static final Setting<Integer> QUEUE_SIZE =
      Setting.integer("endpoint.queue-size", 1, 1 << 24);
  public static final Setting<Long> INJECT_SIZE = Setting.bytes("endpoint.inject-size", 0, 4 * KIB);
  public static final Setting<Long> MAX_MESSAGE_SIZE =
      Setting.bytes("endpoint.max-message-size", 1, Integer.MAX_VALUE - 64);
  public static final Setting<Long> PACKET_SIZE =
      Setting.bytes("endpoint.packet-size", 4 * KIB, 64 * KIB).agreed();
  public static final Setting<Integer> MAX_PENDING_FUTURES =
      Setting.integer("endpoint.max-pending-futures", 1, 1 << 24);
  public static final Setting<Integer> MAX_UNEXPECTED_CLASSES =
      Setting.integer("endpoint.max-unexpected-classes", 1, 64);
  public static final Setting<Duration> CLOSE_TIMEOUT =
      Setting.duration("endpoint.close-timeout", ZERO, HOUR);
  public static final Setting<Duration> ASK_TIMEOUT =
      Setting.duration("endpoint.ask-timeout", MILLI, HOUR);

  public static final Setting<Long> EAGER_LIMIT = Setting.bytes("flow.eager-limit", 0, 32 * KIB);
  public static final Setting<Long> EAGER_CREDIT =
      Setting.bytes("flow.eager-credit", 0, 1024 * MIB);
  public static final Setting<Integer> MESSAGE_CREDITS =
      Setting.integer("flow.message-credits", 1, 1 << 24);
  public static final Setting<Integer> WINDOW_PACKETS =
      Setting.integer("flow.window-packets", 2, 1 << 16);
  public static final Setting<Long> WINDOW_BYTES =
      Setting.bytes("flow.window-bytes", 8 * KIB, 144 * MIB);
  public static final Setting<Integer> ACKNOWLEDGE_EVERY =
      Setting.integer("flow.acknowledge-every", 1, 1 << 15);
  public static final Setting<Duration> PING = Setting.duration("flow.ping", MICRO, HOUR);
  public static final Setting<Duration> MAX_PING = Setting.duration("flow.max-ping", MICRO, HOUR);
  public static final Setting<Integer> REPLAY_PACKETS =
      Setting.integer("flow.replay-packets", 1, 1 << 12);
  public static final Setting<Duration> PEER_TIMEOUT =
      Setting.duration("flow.peer-timeout", MILLI, HOUR);
  public static final Setting<Duration> CONNECT_TIMEOUT =
      Setting.duration("flow.connect-timeout", MILLI, HOUR);

  public static final Setting<List<String>> PROVIDERS = Setting.strings("provider.use");
  public static final Setting<Integer> PARTITION_KEY =
      Setting.integer("partition.key", 1, 0x7FFF).agreed();
  public static final Setting<Duration> UNREACHABLE_TIMEOUT =
      Setting.duration("membership.unreachable-timeout", ZERO, HOUR);
  public static final Setting<Duration> CLAIM_TIMEOUT =
      Setting.duration("names.claim-timeout", MILLI, HOUR);

  /** All of the above, in the order of {@code reference.conf}. */
  public static final List<Setting<?>> ALL =
      List.of(
          PROGRESS_MODE,
          SPIN,
          YIELD,
          RESIDENT_SPIN,
          RESIDENT_YIELD,
          MAX_PARK,
          QUEUE_SIZE,
          INJECT_SIZE,
          MAX_MESSAGE_SIZE,
          PACKET_SIZE,
          MAX_PENDING_FUTURES,
          MAX_UNEXPECTED_CLASSES,
          CLOSE_TIMEOUT,
          ASK_TIMEOUT,
          EAGER_LIMIT,
          EAGER_CREDIT,
          MESSAGE_CREDITS,
          WINDOW_PACKETS,
          WINDOW_BYTES,
          ACKNOWLEDGE_EVERY,
          PING,
          MAX_PING,
          REPLAY_PACKETS,
          PEER_TIMEOUT,
          CONNECT_TIMEOUT,
          PROVIDERS,
          PARTITION_KEY,
          UNREACHABLE_TIMEOUT,
          CLAIM_TIMEOUT);

  private FabricSettings() {}

  /** How domains make progress, unless they say otherwise. */
  static ProgressSettings progress(Settings settings) {
    boolean crowded = settings.get(JobSettings.SIZE) > Runtime.getRuntime().availableProcessors();
    Duration spin = crowded ? ZERO : settings.get(SPIN);
    Duration yield = crowded ? ZERO : settings.get(YIELD);
    Duration maxPark = settings.get(MAX_PARK);
    return new ProgressSettings(
        settings.get(PROGRESS_MODE),
        policy(spin, yield, maxPark),
        policy(settings.get(RESIDENT_SPIN), settings.get(RESIDENT_YIELD), maxPark));
  }

  private static IdlePolicy policy(Duration spin, Duration yield, Duration maxPark) {
    return new IdlePolicy(spin.toNanos(), yield.toNanos(), maxPark.toNanos());
  }

  /** What endpoints are opened with, unless they say otherwise. */
  static EndpointSettings endpoint(Settings settings) {
    return new EndpointSettings(
        settings.get(INJECT_SIZE).intValue(),
        settings.get(MAX_MESSAGE_SIZE).intValue(),
        settings.get(MAX_PENDING_FUTURES),
        settings.get(MAX_UNEXPECTED_CLASSES),
        settings.get(PROVIDERS),
        settings.get(PACKET_SIZE).intValue(),
        settings.get(ASK_TIMEOUT),
        flow(settings));
  }

  private static FlowSettings flow(Settings settings) {
    return new FlowSettings(
        settings.get(EAGER_LIMIT).intValue(),
        settings.get(EAGER_CREDIT),
        settings.get(MESSAGE_CREDITS),
        settings.get(WINDOW_PACKETS),
        settings.get(WINDOW_BYTES),
        settings.get(ACKNOWLEDGE_EVERY),
        settings.get(PING).toNanos(),
        settings.get(MAX_PING).toNanos(),
        settings.get(REPLAY_PACKETS),
        settings.get(PEER_TIMEOUT).toNanos(),
        settings.get(CONNECT_TIMEOUT).toNanos());
  }
}
