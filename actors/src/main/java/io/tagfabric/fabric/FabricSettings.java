package io.tagfabric.fabric;

import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.flow.window.SizeClasses;
import io.tagfabric.progress.HandOver;
import io.tagfabric.progress.IdleStrategy;
import io.tagfabric.progress.PollMode;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ThreadUse;
import io.tagfabric.provider.Provider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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
  public static final Setting<HandOver> HAND_OVER =
      Setting.choice("progress.hand-over", HandOver.class);
  public static final Setting<Duration> SPIN = Setting.duration("progress.spin", ZERO, HOUR);
  public static final Setting<Duration> YIELD = Setting.duration("progress.yield", ZERO, HOUR);
  public static final Setting<Duration> CROWDED_YIELD =
      Setting.duration("progress.crowded-yield", ZERO, HOUR);
  public static final Setting<IdleStrategy> IDLE =
      Setting.choice("progress.idle", IdleStrategy.class);
  public static final Setting<IdleStrategy> RESIDENT_IDLE =
      Setting.choice("progress.resident-idle", IdleStrategy.class);
  public static final Setting<Duration> RESIDENT_SPIN =
      Setting.duration("progress.resident-spin", ZERO, HOUR);
  public static final Setting<Duration> RESIDENT_YIELD =
      Setting.duration("progress.resident-yield", ZERO, HOUR);
  public static final Setting<Duration> RESIDENT_CLOSE_YIELD =
      Setting.duration("progress.resident-close-yield", ZERO, HOUR);
  public static final Setting<Boolean> MOVE_WAITING = Setting.bool("progress.move-waiting");
  public static final Setting<Duration> MAX_PARK =
      Setting.duration("progress.max-park", MILLI, HOUR);

  public static final Setting<Integer> RATE = Setting.integer("progress.rate", 0, 1_000_000);
  public static final Setting<Duration> INTERVAL =
      Setting.duration("progress.interval", ZERO, Duration.ofSeconds(1));

  /** Which threads may call into a domain in MANUAL mode. */
  public static final Setting<ThreadUse> THREADS =
      Setting.choice("progress.threads", ThreadUse.class);

  public static final Setting<PollMode> POLL_MODE =
      Setting.choice("progress.poll-mode", PollMode.class);
  public static final Setting<Boolean> DEFERRED = Setting.bool("progress.deferred");

  /** Value of {@link #AFFINITY}: each rank has a core of its own. */
  public static final String AFFINITY_AUTO = "auto";

  /** Value of {@link #AFFINITY}: where the thread runs that opens the domain. */
  public static final String AFFINITY_HERE = "here";

  public static final Setting<String> AFFINITY = Setting.string("progress.affinity");

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
  public static final Setting<Long> MULTI_EAGER_LIMIT =
      Setting.bytes("flow.multi-eager-limit", 0, 16 * MIB);
  public static final Setting<Long> RENDEZVOUS_WINDOW =
      Setting.bytes("flow.rendezvous-window", KIB, 1024 * MIB);
  public static final Setting<Integer> RENDEZVOUS_WINDOWS =
      Setting.integer("flow.rendezvous-windows", 1, 1 << 10);
  public static final Setting<Long> EAGER_CREDIT =
      Setting.bytes("flow.eager-credit", 0, 1024 * MIB);
  public static final Setting<Long> UNEXPECTED_BUDGET =
      Setting.bytes("flow.unexpected-budget", 0, 1L << 40);
  public static final Setting<Integer> MESSAGE_CREDITS =
      Setting.integer("flow.message-credits", 1, 1 << 24);
  public static final Setting<Integer> WINDOW_PACKETS =
      Setting.integer("flow.window-packets", 2, 1 << 16);
  public static final Setting<Long> WINDOW_BYTES =
      Setting.bytes("flow.window-bytes", 8 * KIB, 144 * MIB);
  public static final Setting<Integer> WINDOW_PACKETS_TOTAL =
      Setting.integer("flow.window-packets-total", 0, 1 << 24);
  public static final Setting<Integer> ACKNOWLEDGE_EVERY =
      Setting.integer("flow.acknowledge-every", 1, 1 << 15);
  public static final Setting<Duration> PING = Setting.duration("flow.ping", MICRO, HOUR);
  public static final Setting<Duration> MAX_PING = Setting.duration("flow.max-ping", MICRO, HOUR);
  public static final Setting<Integer> MAX_PINGS = Setting.integer("flow.max-pings", 1, 65_535);
  public static final Setting<Integer> MAX_CONGESTED_PINGS =
      Setting.integer("flow.max-congested-pings", 1, 65_535);
  public static final Setting<Integer> REPLAY_PACKETS =
      Setting.integer("flow.replay-packets", 1, 1 << 12);
  public static final Setting<Duration> PEER_TIMEOUT =
      Setting.duration("flow.peer-timeout", MILLI, HOUR);
  public static final Setting<Duration> CONNECT_TIMEOUT =
      Setting.duration("flow.connect-timeout", MILLI, HOUR);
  public static final Setting<Duration> CONNECT_RETRY_MIN =
      Setting.duration("flow.connect-retry-min", MICRO, HOUR);
  public static final Setting<Duration> CONNECT_RETRY_MAX =
      Setting.duration("flow.connect-retry-max", MICRO, HOUR);

  public static final Setting<Double> FAULTS_DROP = percent("faults.drop");
  public static final Setting<Double> FAULTS_DUPLICATE = percent("faults.duplicate");
  public static final Setting<Double> FAULTS_DELAY = percent("faults.delay");
  public static final Setting<Double> FAULTS_REORDER = percent("faults.reorder");
  public static final Setting<Duration> FAULTS_DELAY_TIME =
      Setting.duration("faults.delay-time", MICRO, HOUR);
  public static final Setting<Integer> FAULTS_SEED =
      Setting.integer("faults.seed", Integer.MIN_VALUE, Integer.MAX_VALUE);

  public static final Setting<Integer> READS_SERVED =
      Setting.integer("memory.reads-served", 1, 1 << 16);
  public static final Setting<Integer> OUTSTANDING_ACCESSES =
      Setting.integer("memory.outstanding", 1, 1 << 24);
  public static final Setting<Long> BOUNCE_LIMIT = Setting.bytes("memory.bounce-limit", 0, MIB);
  public static final Setting<Long> MEMORY_BUDGET = Setting.bytes("memory.budget", 0, 1L << 50);

  public static final Setting<Integer> ACTIVE_CREDITS = Setting.integer("am.credits", 1, 1 << 14);
  public static final Setting<Integer> ACTIVE_CREDITS_TOTAL =
      Setting.integer("am.credits-total", 0, 1 << 24);
  public static final Setting<Integer> ACTIVE_SLACK =
      Setting.integer("am.credits-slack", 0, 1 << 16);
  public static final Setting<Long> MAX_MEDIUM = Setting.bytes("am.max-medium", 512, MIB).agreed();
  public static final Setting<Long> PACKED_LONG_LIMIT =
      Setting.bytes("am.packed-long-limit", 0, 64 * KIB);
  public static final Setting<Duration> REPLY_TIMEOUT =
      Setting.duration("am.reply-timeout", MILLI, HOUR);

  public static final Setting<List<String>> PROVIDERS = Setting.strings("provider.use");
  public static final Setting<Integer> PARTITION_KEY =
      Setting.parsed(
              "partition.key",
              "Integer",
              "a whole number from 1 to 0x7fff, decimal or hexadecimal",
              FabricSettings::partition,
              Object::toString)
          .agreed();
  public static final Setting<Boolean> NAMES_ENABLED = Setting.bool("names.enabled");
  public static final Setting<Duration> CLAIM_TIMEOUT =
      Setting.duration("names.claim-timeout", MILLI, HOUR);

  public static final Setting<Integer> ACTORS_QUEUE_MESSAGES =
      Setting.integer("actors.queue-messages", 1, 1 << 24);
  public static final Setting<Long> ACTORS_QUEUE_BYTES =
      Setting.bytes("actors.queue-bytes", 1, 1L << 40);

  public static final Setting<String> TRACE_DIRECTORY = Setting.string("trace.directory");
  public static final Setting<Integer> TRACE_EVENTS = Setting.integer("trace.events", 16, 1 << 24);

  public static final Setting<Boolean> STEERED = Setting.bool("trace.steered");

  public static final Setting<String> STATS_FILE = Setting.string("observe.stats-file");
  public static final Setting<Boolean> MANAGEMENT = Setting.bool("observe.management");

  private static final List<Setting<?>> FIXED =
      List.of(
          PROGRESS_MODE,
          HAND_OVER,
          SPIN,
          YIELD,
          CROWDED_YIELD,
          RESIDENT_SPIN,
          RESIDENT_YIELD,
          RESIDENT_CLOSE_YIELD,
          IDLE,
          RESIDENT_IDLE,
          MOVE_WAITING,
          MAX_PARK,
          RATE,
          INTERVAL,
          POLL_MODE,
          THREADS,
          DEFERRED,
          AFFINITY,
          QUEUE_SIZE,
          INJECT_SIZE,
          MAX_MESSAGE_SIZE,
          PACKET_SIZE,
          MAX_PENDING_FUTURES,
          MAX_UNEXPECTED_CLASSES,
          CLOSE_TIMEOUT,
          ASK_TIMEOUT,
          EAGER_LIMIT,
          MULTI_EAGER_LIMIT,
          RENDEZVOUS_WINDOW,
          RENDEZVOUS_WINDOWS,
          EAGER_CREDIT,
          UNEXPECTED_BUDGET,
          MESSAGE_CREDITS,
          WINDOW_PACKETS,
          WINDOW_BYTES,
          WINDOW_PACKETS_TOTAL,
          ACKNOWLEDGE_EVERY,
          PING,
          MAX_PING,
          MAX_PINGS,
          MAX_CONGESTED_PINGS,
          REPLAY_PACKETS,
          PEER_TIMEOUT,
          CONNECT_TIMEOUT,
          CONNECT_RETRY_MIN,
          CONNECT_RETRY_MAX,
          READS_SERVED,
          OUTSTANDING_ACCESSES,
          BOUNCE_LIMIT,
          MEMORY_BUDGET,
          ACTIVE_CREDITS,
          ACTIVE_CREDITS_TOTAL,
          ACTIVE_SLACK,
          MAX_MEDIUM,
          PACKED_LONG_LIMIT,
          REPLY_TIMEOUT,
          FAULTS_DROP,
          FAULTS_DUPLICATE,
          FAULTS_DELAY,
          FAULTS_REORDER,
          FAULTS_DELAY_TIME,
          FAULTS_SEED,
          PROVIDERS,
          PARTITION_KEY,
          NAMES_ENABLED,
          ACTORS_QUEUE_MESSAGES,
          ACTORS_QUEUE_BYTES,
          CLAIM_TIMEOUT,
          TRACE_DIRECTORY,
          TRACE_EVENTS,
          STEERED,
          STATS_FILE,
          MANAGEMENT);

  /** Where one provider's size classes differ from those of `flow`. */
  private record OfProvider(
      Setting<Long> eagerLimit,
      Setting<Long> multiEagerLimit,
      Setting<Long> window,
      Setting<Integer> windows) {
    private OfProvider(String name) {
      this(
          Setting.bytes("provider." + name + ".eager-limit", 0, 32 * KIB),
          Setting.bytes("provider." + name + ".multi-eager-limit", 0, 16 * MIB),
          Setting.bytes("provider." + name + ".rendezvous-window", KIB, 1024 * MIB),
          Setting.integer("provider." + name + ".rendezvous-windows", 1, 1 << 10));
    }

    Stream<Setting<?>> all() {
      return Stream.of(eagerLimit, multiEagerLimit, window, windows);
    }

    boolean isGiven(Settings settings) {
      return all().anyMatch(setting -> settings.find(setting).isPresent());
    }

    SizeClasses sizes(Settings settings, SizeClasses others) {
      return new SizeClasses(
          settings.find(eagerLimit).map(Long::intValue).orElse(others.eagerLimitBytes()),
          settings.find(multiEagerLimit).map(Long::intValue).orElse(others.multiEagerLimitBytes()),
          settings.find(window).map(Long::intValue).orElse(others.windowBytes()),
          settings.find(windows).orElse(others.windows()));
    }
  }

  private static final Map<String, OfProvider> OF_PROVIDERS = new LinkedHashMap<>();

  /** All of the above, then those of the providers on the class path. */
  public static final List<Setting<?>> ALL = all(Provider.installed());

  private static List<Setting<?>> all(List<Provider> providers) {
    List<Setting<?>> all = new ArrayList<>(FIXED);
    for (Provider provider : providers) {
      OfProvider sizes = new OfProvider(provider.name());
      OF_PROVIDERS.put(provider.name(), sizes);
      sizes.all().forEach(all::add);
      all.addAll(provider.settings());
    }
    return List.copyOf(all);
  }

  private FabricSettings() {}

  /** A share written as a percentage, with or without the sign. */
  private static Setting<Double> percent(String key) {
    return Setting.parsed(
        key,
        "Percent",
        "a percentage from 0% to 100%",
        text -> {
          String number = text.strip().replaceFirst("\\s*%$", "");
          double percent = Double.parseDouble(number);
          if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException();
          }
          return percent;
        },
        percent -> percent + "%");
  }

  /** Bit 15 says how a member of an InfiniBand partition takes part; it is not of the key. */
  private static int partition(String text) {
    int given = Integer.decode(text.strip());
    int key = given & 0x7FFF;
    if (given < 0 || given > 0xFFFF || key == 0) {
      throw new IllegalArgumentException();
    }
    return key;
  }

  /** The sizes for messages over those providers that have settings of their own for them. */
  static Map<String, SizeClasses> sizesByProvider(Settings settings, SizeClasses sizes) {
    Map<String, SizeClasses> sizesByProvider = new HashMap<>();
    OF_PROVIDERS.forEach(
        (name, ofProvider) -> {
          if (ofProvider.isGiven(settings)) {
            sizesByProvider.put(name, ofProvider.sizes(settings, sizes));
          }
        });
    return sizesByProvider;
  }
}
