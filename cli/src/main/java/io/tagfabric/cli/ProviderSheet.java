package io.tagfabric.cli;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.profile.Profiles;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.Provider;
import io.tagfabric.wire.Greeting;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints what a provider is and what endpoints over it can do, with the settings in force. */
final class ProviderSheet {
  private static final String INDENT = "    ";
  private static final String FRAME_SIZE = "akka.remote.artery.advanced.maximum-frame-size";

  /** What every endpoint can do, whatever the provider; the flows see to it. */
  private static final List<String> CAPABILITIES =
      List.of(
          "TAGGED",
          "DIRECTED_RECV",
          "SOURCE",
          "REMOTE_CQ_DATA",
          "INJECT",
          "TRANSMIT_COMPLETE",
          "DELIVERY_COMPLETE",
          "MATCH_COMPLETE");

  private final Settings settings;
  private final String version;

  ProviderSheet(Settings settings, String version) {
    this.settings = settings;
    this.version = version;
  }

  /** Name and version. */
  void list(Provider provider, PrintWriter out) {
    out.print(provider.name() + ":\n");
    row(out, "version", version);
  }

  /** The lines of fi_info without options. */
  void summary(Provider provider, PrintWriter out) {
    boolean local = provider.name().equals("local");
    out.print("provider: " + provider.name() + "\n");
    row(out, "fabric", local ? "jvm" : "artery-" + word(settings.get(JobSettings.PROFILE)));
    row(out, "domain", local ? "jvm" : settings.get(JobSettings.HOST));
    row(out, "version", version);
    row(out, "type", "RDM");
    row(out, "protocol", "TAGFABRIC_FLOW_" + Greeting.PROTOCOL);
  }

  /** Capabilities and limits. */
  void details(Provider provider, PrintWriter out) {
    var able = provider.capabilities();
    row(out, "reaches", able.reaches());
    row(out, "available", availability(provider));
    row(out, "caps", "[ " + String.join(", ", CAPABILITIES) + " ]");
    row(out, "order", "messages of a pair match in the order sent");
    row(out, "reliability", able.reliable() ? "of the provider" : "acknowledged and replayed");
    row(out, "max_packet_size", bytes(able.maxPacketBytes(), FabricSettings.PACKET_SIZE));
    row(out, "max_msg_size", shown(FabricSettings.MAX_MESSAGE_SIZE));
    row(out, "inject_size", shown(FabricSettings.INJECT_SIZE));
    row(out, "eager_limit", shown(FabricSettings.EAGER_LIMIT));
    row(out, "cq_size", shown(FabricSettings.QUEUE_SIZE));
    row(out, "progress", words(ProgressMode.values()) + ", now " + progress());
    row(out, "completion_levels", words(CompletionLevel.values()));
    row(out, "threading", "any thread");
  }

  /** In use, and at which place; or why not. */
  private String availability(Provider provider) {
    List<String> used = settings.get(FabricSettings.PROVIDERS);
    int place = used.indexOf(provider.name());
    if (place < 0) {
      return "no, " + FabricSettings.PROVIDERS.fullKey() + "=" + used + " does not name it";
    }
    if (provider.name().equals("artery")) {
      Profile profile = settings.get(JobSettings.PROFILE);
      long frame =
          Profiles.akkaConfig(JobSpec.alone(profile), ConfigFactory.defaultApplication())
              .getBytes(FRAME_SIZE);
      if (frame < provider.capabilities().maxPacketBytes()) {
        return "no, " + FRAME_SIZE + "=" + frame + " < " + provider.capabilities().maxPacketBytes();
      }
    }
    return "yes, choice " + (place + 1) + " of " + used;
  }

  private String bytes(int most, Setting<Long> setting) {
    return Math.min(most, settings.get(setting)) + " B";
  }

  private <T> String shown(Setting<T> setting) {
    return setting.write(settings.get(setting));
  }

  private String progress() {
    return word(settings.get(FabricSettings.PROGRESS_MODE));
  }

  private static String words(Enum<?>[] choices) {
    return Arrays.stream(choices).map(ProviderSheet::word).collect(Collectors.joining(", "));
  }

  private static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  private static void row(PrintWriter out, String name, String value) {
    out.print(INDENT + name + ": " + value + "\n");
  }
}
