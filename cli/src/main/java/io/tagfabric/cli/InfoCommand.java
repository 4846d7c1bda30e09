package io.tagfabric.cli;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.Protocols;
import io.tagfabric.cluster.settings.Described;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.fabric.Capability;
import io.tagfabric.fabric.EndpointKind;
import io.tagfabric.fabric.FabricHints;
import io.tagfabric.fabric.FabricInfo;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.Interfaces;
import io.tagfabric.provider.Provider;
import io.tagfabric.report.JsonLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Shows what this Tagfabric can do, without starting anything.
 *
 * @source libfabric fi_info(1)
 */
@Command(
    name = "info",
    description = "Show providers, their capabilities and limits, settings and interfaces.",
    footer = {"", "Exit code 61 if nothing fits the request."})
public final class InfoCommand implements Callable<Integer> {
  private static final int NO_DATA = 61;
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

  @Option(
      names = {"-c", "--caps"},
      paramLabel = "NAME|...",
      description = "Only what has all these capabilities, such as 'TAGGED|SOURCE'.")
  private String capabilityNames;

  @Option(
      names = {"-t", "--ep_type"},
      paramLabel = "KIND",
      description = "Only this kind of endpoint: RDM, MSG or DGRAM.")
  private String kindName;

  @Option(
      names = {"-i", "--interfaces"},
      description =
          "Show the network interfaces that tagfabric.tcp.interfaces and"
              + " tagfabric.aeron.interfaces may select, and which they do.")
  private boolean interfaces;

  @Option(names = "--json", description = "Print one JSON object a line, with all that -v shows.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Settings settings = Settings.of(ConfigFactory.load());
    if (interfaces) {
      return interfaces(out, settings);
    }
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

  private int interfaces(PrintWriter out, Settings settings) {
    try {
      new InterfaceList(Interfaces.ofThisHost(), settings).print(out, json);
      return 0;
    } catch (IllegalArgumentException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("tagfabric info: " + e.getMessage());
      err.flush();
      return NO_DATA;
    } finally {
      out.flush();
    }
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
    List<FabricInfo> infos = FabricInfo.find(settings, Provider.installed(), hints());
    boolean found = false;
    Set<String> listed = new HashSet<>();
    for (FabricInfo info : infos) {
      if (list && !listed.add(info.provider())) {
        continue;
      }
      if (found && verbose && !json) {
        out.println("---");
      }
      found = true;
      if (json) {
        out.println(fields(info, version, settings));
      } else if (list) {
        out.printf("%s:%n    version: %s%n", info.provider(), version);
      } else if (verbose) {
        describe(out, info, version, order, settings);
      } else {
        summarize(out, info, version);
      }
    }
    return found;
  }

  private FabricHints hints() {
    FabricHints hints = FabricHints.any();
    if (providerName != null) {
      hints = hints.withProvider(providerName);
    }
    if (kindName != null) {
      hints =
          hints.withKind(
              Stream.of(EndpointKind.values())
                  .filter(
                      kind -> kind.name().equalsIgnoreCase(kindName.replaceFirst("^FI_EP_", "")))
                  .findFirst()
                  .orElseThrow(() -> mistake("endpoint type", kindName, "RDM, MSG or DGRAM")));
    }
    if (capabilityNames != null) {
      for (String name : capabilityNames.split("[|,]", -1)) {
        hints =
            hints.with(
                Capability.find(name)
                    .orElseThrow(
                        () -> mistake("capability", name, Arrays.toString(Capability.values()))));
      }
    }
    return hints;
  }

  private ParameterException mistake(String what, String name, String choices) {
    return new ParameterException(
        spec.commandLine(), "unrecognized " + what + ": " + name + ", choose of " + choices);
  }

  private JsonLine fields(FabricInfo info, String version, Settings settings) {
    JsonLine line = new JsonLine().put("provider", info.provider()).put("version", version);
    if (list) {
      return line;
    }
    return line.put("fabric", "tagfabric")
        .put("domain", info.reaches())
        .put("type", info.kind())
        .put("protocol", "TAGFABRIC_" + Protocols.OWN)
        .put("preference", info.preference())
        .put("caps", List.copyOf(info.capabilities()))
        .put("inject_bytes", info.injectBytes())
        .put("queue_size", info.queueSize())
        .put("comp_levels", levels(info))
        .put("cq_data_bytes", info.dataBytes())
        .put("tag_bits", info.tagBits())
        .put("max_msg_bytes", info.maxMessageBytes())
        .put("max_packet_bytes", info.maxPacketBytes())
        .put("eager_limit_bytes", settings.get(FabricSettings.EAGER_LIMIT))
        .put("progress", lowerCase(info.progress()))
        .put("reliable", info.reliable());
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

  private static List<String> levels(FabricInfo info) {
    return info.kind() == EndpointKind.DGRAM ? LEVELS.subList(0, 2) : LEVELS;
  }

  private static String lowerCase(ProgressMode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  /** As fi_info shows versions. */
  private static String majorMinor(String version) {
    String[] parts = version.split("[.-]", 3);
    return parts[0] + "." + parts[1];
  }

  private static void summarize(PrintWriter out, FabricInfo info, String version) {
    line(out, 0, "provider", info.provider());
    line(out, 4, "fabric", "tagfabric");
    line(out, 4, "domain", info.reaches());
    line(out, 4, "version", version);
    line(out, 4, "type", info.kind());
    line(out, 4, "protocol", "TAGFABRIC_" + Protocols.OWN);
  }

  private static void describe(
      PrintWriter out, FabricInfo info, String version, List<String> order, Settings settings) {
    summarize(out, info, version);
    int place = info.preference();
    line(out, 4, "preference", place == 0 ? "not in provider.use" : place + " of " + order);
    line(out, 4, "caps", info.capabilities());
    line(out, 4, "mode", "[]");
    line(out, 4, "tx_attr", "");
    line(out, 8, "inject_size", info.injectBytes());
    line(out, 8, "size", info.queueSize());
    line(out, 8, "comp_level", levels(info));
    line(out, 4, "rx_attr", "");
    line(out, 8, "size", info.queueSize());
    line(out, 8, "cq_data_size", info.dataBytes());
    line(out, 4, "ep_attr", "");
    line(out, 8, "type", info.kind());
    line(out, 8, "max_msg_size", info.maxMessageBytes());
    line(out, 8, "max_packet_size", info.maxPacketBytes());
    line(out, 8, "eager_limit", settings.get(FabricSettings.EAGER_LIMIT));
    line(out, 8, "msg_order", "SAS");
    line(out, 8, "mem_tag_format", info.tagBits() + " bits");
    line(out, 4, "domain_attr", "");
    line(out, 8, "progress", "[AUTO, MANUAL], now " + settings.get(FabricSettings.PROGRESS_MODE));
    line(out, 8, "threading", "SAFE");
    line(out, 8, "av_type", "TABLE");
    line(out, 8, "resource_mgmt", "ENABLED");
    line(
        out,
        8,
        "channel",
        info.reliable() ? "reliable, kept in order" : "may lose packets, flows replay them");
  }

  private static void line(PrintWriter out, int indent, String name, Object value) {
    String text = value.toString();
    out.println(" ".repeat(indent) + name + ":" + (text.isEmpty() ? "" : " " + text));
  }
}
