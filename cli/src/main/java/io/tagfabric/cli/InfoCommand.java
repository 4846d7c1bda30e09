package io.tagfabric.cli;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Described;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.report.JsonLine;
import io.tagfabric.wire.Greeting;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Shows what this Tagfabric can do, without starting anything.
 *
 * @source libfabric fi_info(1)
 */
@Command(
    name = "info",
    description = "Show providers, their capabilities and limits, and all settings.",
    footer = {"", "Exit code 61 if nothing fits the request."})
public final class InfoCommand implements Callable<Integer> {
  private static final int NO_DATA = 61;
  private static final List<String> TAGGED_CAPABILITIES =
      List.of("TAGGED", "DIRECTED_RECV", "SOURCE", "REMOTE_CQ_DATA", "SEND", "RECV", "LOCAL_COMM");
  private static final List<String> LEVELS = List.of("INJECT", "TRANSMIT", "DELIVERY", "MATCH");

  @Option(
      names = {"-l", "--list"},
      description = "Only list the providers and their versions.")
  private boolean list;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show capabilities and limits too.")
  private boolean verbose;

  @Option(
      names = {"-e", "--env"},
      description = "Show all settings: type, meaning, default, value.")
  private boolean environment;

  @Option(
      names = {"-g", "--getenv"},
      paramLabel = "TEXT",
      description = "Show the settings whose name contains a text.")
  private String settingText;

  @Option(
      names = {"-p", "--provider"},
      paramLabel = "NAME",
      description = "Only this provider.")
  private String providerName;

  @Option(names = "--json", description = "Print one JSON object a line, with all that -v shows.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Settings settings = Settings.of(ConfigFactory.load());
    boolean found =
        environment || settingText != null ? settings(out, settings) : providers(out, settings);
    out.flush();
    if (!found) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("tagfabric info: -" + NO_DATA + " (No data available), nothing fits the request");
      err.flush();
      return NO_DATA;
    }
    return 0;
  }

  private boolean settings(PrintWriter out, Settings settings) {
    String wanted = settingText == null ? "" : settingText.toLowerCase(Locale.ROOT);
    boolean found = false;
    for (Described setting : settings.describe(AllSettings.list())) {
      boolean fits =
          setting.key().toLowerCase(Locale.ROOT).contains(wanted)
              || setting.variable().toLowerCase(Locale.ROOT).contains(wanted);
      if (fits) {
        found = true;
        out.println(json ? fields(setting) : setting.listing());
      }
    }
    return found;
  }

  private boolean providers(PrintWriter out, Settings settings) throws IOException {
    String version = majorMinor(VersionProvider.tagfabric());
    List<String> order = settings.get(FabricSettings.PROVIDERS);
    List<Provider> providers = new ArrayList<>();
    ServiceLoader.load(Provider.class).forEach(providers::add);
    boolean found = false;
    for (Provider provider : providers) {
      if (providerName != null && !providerName.equals(provider.name())) {
        continue;
      }
      if (found && verbose && !json) {
        out.println("---");
      }
      found = true;
      if (json) {
        out.println(fields(provider, version, order, settings));
      } else if (list) {
        out.printf("%s:%n    version: %s%n", provider.name(), version);
      } else if (verbose) {
        describe(out, provider, version, order, settings);
      } else {
        summarize(out, provider, version);
      }
    }
    return found;
  }

  private JsonLine fields(
      Provider provider, String version, List<String> order, Settings settings) {
    JsonLine line = new JsonLine().put("provider", provider.name()).put("version", version);
    if (list) {
      return line;
    }
    ProviderCapabilities can = provider.capabilities();
    return line.put("fabric", "tagfabric")
        .put("domain", can.reaches())
        .put("type", "RDM")
        .put("protocol", "TAGFABRIC_" + Greeting.PROTOCOL)
        .put("preference", order.indexOf(provider.name()) + 1)
        .put("caps", capabilities(can))
        .put("inject_bytes", settings.get(FabricSettings.INJECT_SIZE))
        .put("queue_size", settings.get(FabricSettings.QUEUE_SIZE))
        .put("comp_levels", LEVELS)
        .put("cq_data_bytes", Long.BYTES)
        .put("max_msg_bytes", settings.get(FabricSettings.MAX_MESSAGE_SIZE))
        .put("max_packet_bytes", can.maxPacketBytes())
        .put("eager_limit_bytes", settings.get(FabricSettings.EAGER_LIMIT))
        .put("progress", lowerCase(settings.get(FabricSettings.PROGRESS_MODE)))
        .put("reliable", can.reliable());
  }

  private static JsonLine fields(Described setting) {
    return new JsonLine()
        .put("key", setting.key())
        .put("variable", setting.variable())
        .put("type", setting.type())
        .put("unit", setting.unit())
        .put("expected", setting.expected())
        .put("default", setting.defaultValue())
        .put("value", setting.value())
        .put("origin", setting.origin())
        .put("must_agree", setting.mustAgree())
        .put("help", setting.help());
  }

  private static String lowerCase(ProgressMode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> capabilities(ProviderCapabilities can) {
    List<String> names = new ArrayList<>(TAGGED_CAPABILITIES);
    if (!can.reaches().contains("JVM")) {
      names.add("REMOTE_COMM");
    }
    return names;
  }

  /** As fi_info shows versions. */
  private static String majorMinor(String version) {
    String[] parts = version.split("[.-]", 3);
    return parts[0] + "." + parts[1];
  }

  private static void summarize(PrintWriter out, Provider provider, String version) {
    line(out, 0, "provider", provider.name());
    line(out, 4, "fabric", "tagfabric");
    line(out, 4, "domain", provider.capabilities().reaches());
    line(out, 4, "version", version);
    line(out, 4, "type", "RDM");
    line(out, 4, "protocol", "TAGFABRIC_" + Greeting.PROTOCOL);
  }

  private static void describe(
      PrintWriter out, Provider provider, String version, List<String> order, Settings settings) {
    ProviderCapabilities can = provider.capabilities();
    summarize(out, provider, version);
    int place = order.indexOf(provider.name());
    line(out, 4, "preference", place < 0 ? "not in provider.use" : (place + 1) + " of " + order);
    line(out, 4, "caps", capabilities(can));
    line(out, 4, "mode", "[]");
    line(out, 4, "tx_attr", "");
    line(out, 8, "inject_size", settings.get(FabricSettings.INJECT_SIZE));
    line(out, 8, "size", settings.get(FabricSettings.QUEUE_SIZE));
    line(out, 8, "comp_level", LEVELS);
    line(out, 4, "rx_attr", "");
    line(out, 8, "size", settings.get(FabricSettings.QUEUE_SIZE));
    line(out, 8, "cq_data_size", Long.BYTES);
    line(out, 4, "ep_attr", "");
    line(out, 8, "type", "RDM");
    line(out, 8, "max_msg_size", settings.get(FabricSettings.MAX_MESSAGE_SIZE));
    line(out, 8, "max_packet_size", can.maxPacketBytes());
    line(out, 8, "eager_limit", settings.get(FabricSettings.EAGER_LIMIT));
    line(out, 8, "msg_order", "SAS");
    line(out, 8, "mem_tag_format", "64 bits");
    line(out, 4, "domain_attr", "");
    line(out, 8, "progress", "[AUTO, MANUAL], now " + settings.get(FabricSettings.PROGRESS_MODE));
    line(out, 8, "threading", "SAFE");
    line(out, 8, "av_type", "TABLE");
    line(out, 8, "resource_mgmt", "ENABLED");
    line(
        out,
        8,
        "channel",
        can.reliable() ? "reliable, kept in order" : "may lose packets, flows replay them");
  }

  private static void line(PrintWriter out, int indent, String name, Object value) {
    String text = value.toString();
    out.println(" ".repeat(indent) + name + ":" + (text.isEmpty() ? "" : " " + text));
  }
}
