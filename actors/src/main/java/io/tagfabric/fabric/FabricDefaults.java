package io.tagfabric.fabric;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.flow.window.ActiveSettings;
import io.tagfabric.flow.window.FlowPace;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.SizeClasses;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.memory.MemorySettings;
import io.tagfabric.name.NameSettings;
import io.tagfabric.progress.CoreSet;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.IdleStrategy;
import io.tagfabric.progress.ProgressPacing;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.provider.faults.FaultSettings;
import java.time.Duration;

/** What domains, endpoints and services are opened with, by the settings. */
final class FabricDefaults {
  private FabricDefaults() {}

  /** Faults on purpose. */
  static FaultSettings faults(Settings settings) {
    return new FaultSettings(
        settings.get(FabricSettings.FAULTS_DROP) / 100,
        settings.get(FabricSettings.FAULTS_DUPLICATE) / 100,
        settings.get(FabricSettings.FAULTS_DELAY) / 100,
        settings.get(FabricSettings.FAULTS_REORDER) / 100,
        settings.get(FabricSettings.FAULTS_DELAY_TIME).toNanos(),
        settings.get(FabricSettings.FAULTS_SEED));
  }

  /** How domains make progress, unless they say otherwise. */
  static ProgressSettings progress(Settings settings) {
    boolean crowded = settings.get(JobSettings.SIZE) > Runtime.getRuntime().availableProcessors();
    Duration spin = crowded ? Duration.ZERO : settings.get(FabricSettings.SPIN);
    Duration yield = settings.get(crowded ? FabricSettings.CROWDED_YIELD : FabricSettings.YIELD);
    Duration maxPark = settings.get(FabricSettings.MAX_PARK);
    IdleStrategy resident = settings.get(FabricSettings.RESIDENT_IDLE);
    Duration closeYield =
        resident == IdleStrategy.BACKOFF
            ? settings.get(FabricSettings.RESIDENT_CLOSE_YIELD)
            : Duration.ZERO;
    return new ProgressSettings(
        settings.get(FabricSettings.PROGRESS_MODE),
        IdlePolicy.of(settings.get(FabricSettings.IDLE), policy(spin, yield, maxPark)),
        IdlePolicy.of(
            resident,
            policy(
                settings.get(FabricSettings.RESIDENT_SPIN),
                settings.get(FabricSettings.RESIDENT_YIELD),
                maxPark)),
        cores(settings, crowded),
        settings.get(FabricSettings.HAND_OVER),
        new ProgressPacing(
            settings.get(FabricSettings.RATE),
            settings.get(FabricSettings.INTERVAL).toNanos(),
            settings.get(FabricSettings.POLL_MODE),
            settings.get(FabricSettings.DEFERRED),
            closeYield.toNanos()),
        settings.get(FabricSettings.THREADS),
        !crowded && settings.get(FabricSettings.MOVE_WAITING));
  }

  private static CoreSet cores(Settings settings, boolean crowded) {
    String text = settings.get(FabricSettings.AFFINITY);
    if (text.isBlank() || (crowded && text.equals(FabricSettings.AFFINITY_AUTO))) {
      return CoreSet.NONE;
    }
    if (text.equals(FabricSettings.AFFINITY_HERE)) {
      return CoreSet.HERE;
    }
    CoreSet allowed = CoreSet.allowed();
    if (text.equals(FabricSettings.AFFINITY_AUTO)) {
      return allowed.nth(settings.get(JobSettings.RANK));
    }
    try {
      return CoreSet.parse(text, allowed.length());
    } catch (IllegalArgumentException e) {
      throw new SettingsException(
          FabricSettings.AFFINITY.fullKey(),
          FabricSettings.AFFINITY.fullKey() + "=" + text + ": " + e.getMessage());
    }
  }

  private static IdlePolicy policy(Duration spin, Duration yield, Duration maxPark) {
    return new IdlePolicy(spin.toNanos(), yield.toNanos(), maxPark.toNanos());
  }

  /** What the name service is started with. */
  static NameSettings names(Settings settings) {
    return new NameSettings(
        settings.get(FabricSettings.CLAIM_TIMEOUT),
        settings.get(FabricSettings.CONNECT_TIMEOUT),
        settings.get(FabricSettings.PARTITION_KEY));
  }

  /** What endpoints are opened with, unless they say otherwise. */
  static EndpointSettings endpoint(Settings settings) {
    return new EndpointSettings(
        settings.get(FabricSettings.INJECT_SIZE).intValue(),
        settings.get(FabricSettings.MAX_MESSAGE_SIZE).intValue(),
        settings.get(FabricSettings.MAX_PENDING_FUTURES),
        settings.get(FabricSettings.MAX_UNEXPECTED_CLASSES),
        settings.get(FabricSettings.PROVIDERS),
        settings.get(FabricSettings.PACKET_SIZE).intValue(),
        settings.get(FabricSettings.ASK_TIMEOUT),
        flow(settings),
        new MemorySettings(
            settings.get(FabricSettings.READS_SERVED),
            settings.get(FabricSettings.OUTSTANDING_ACCESSES),
            settings.get(FabricSettings.BOUNCE_LIMIT).intValue()),
        new ActiveSettings(
            settings.get(FabricSettings.ACTIVE_CREDITS),
            settings.get(FabricSettings.ACTIVE_CREDITS_TOTAL),
            settings.get(FabricSettings.ACTIVE_SLACK),
            settings.get(FabricSettings.MAX_MEDIUM).intValue(),
            settings.get(FabricSettings.PACKED_LONG_LIMIT).intValue(),
            settings.get(FabricSettings.REPLY_TIMEOUT).toNanos()));
  }

  private static FlowSettings flow(Settings settings) {
    SizeClasses sizes =
        new SizeClasses(
            settings.get(FabricSettings.EAGER_LIMIT).intValue(),
            settings.get(FabricSettings.MULTI_EAGER_LIMIT).intValue(),
            settings.get(FabricSettings.RENDEZVOUS_WINDOW).intValue(),
            settings.get(FabricSettings.RENDEZVOUS_WINDOWS));
    return new FlowSettings(
        sizes,
        FabricSettings.sizesByProvider(settings, sizes),
        settings.get(FabricSettings.EAGER_CREDIT),
        settings.get(FabricSettings.UNEXPECTED_BUDGET),
        settings.get(FabricSettings.MESSAGE_CREDITS),
        settings.get(FabricSettings.WINDOW_PACKETS),
        settings.get(FabricSettings.WINDOW_BYTES),
        settings.get(FabricSettings.ACKNOWLEDGE_EVERY),
        settings.get(FabricSettings.PING).toNanos(),
        settings.get(FabricSettings.MAX_PING).toNanos(),
        settings.get(FabricSettings.REPLAY_PACKETS),
        settings.get(FabricSettings.PEER_TIMEOUT).toNanos(),
        settings.get(FabricSettings.CONNECT_TIMEOUT).toNanos(),
        new FlowPace(
            settings.get(FabricSettings.MAX_PINGS),
            settings.get(FabricSettings.MAX_CONGESTED_PINGS),
            settings.get(FabricSettings.CONNECT_RETRY_MIN).toNanos(),
            settings.get(FabricSettings.CONNECT_RETRY_MAX).toNanos(),
            settings.get(FabricSettings.WINDOW_PACKETS_TOTAL)));
  }
}
