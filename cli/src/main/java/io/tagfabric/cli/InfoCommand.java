package io.tagfabric.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.settings.Described;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.provider.Provider;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code tagfabric info}: what libfabric's fi_info shows. Starts no ActorSystem.
 *
 * @source libfabric fi_info(1)
 */
@Command(
    name = "info",
    description = "Show the providers of messages, their limits, and all settings.",
    footer = {
      "",
      "Ends with code 61 and a sentence when nothing fits.",
      "",
      "Example: tagfabric info -v -p artery",
      "         tagfabric info -g ping"
    })
final class InfoCommand implements Callable<Integer> {
  @Option(
      names = {"-p", "--provider"},
      paramLabel = "NAME",
      description = "Only this provider.")
  private String wanted;

  @Option(
      names = {"-l", "--list"},
      description = "List the providers and their versions.")
  private boolean list;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show capabilities and limits, too.")
  private boolean verbose;

  @Option(
      names = {"-e", "--env"},
      description = "Show all settings and the variables that set them.")
  private boolean env;

  @Option(
      names = {"-g", "--getenv"},
      paramLabel = "SUBSTR",
      description = "Show the settings whose name or help holds this text.")
  private String text;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Config config = ConfigFactory.load();
    Settings settings = Settings.of(config);
    PrintWriter out = spec.commandLine().getOut();
    int code =
        env || text != null
            ? showSettings(config, settings, out)
            : showProviders(settings, out);
    out.flush();
    return code;
  }

  private int showProviders(Settings settings, PrintWriter out) {
    List<String> used = settings.get(FabricSettings.PROVIDERS);
    List<Provider> all =
        ServiceLoader.load(Provider.class).stream()
            .map(ServiceLoader.Provider::get)
            .sorted(Comparator.comparingInt(each -> preference(each, used)))
            .toList();
    List<Provider> shown =
        all.stream().filter(each -> wanted == null || each.name().equals(wanted)).toList();
    if (shown.isEmpty()) {
      String names = all.stream().map(Provider::name).collect(Collectors.joining(", "));
      return noData("no provider is named '" + wanted + "', there are " + names);
    }
    ProviderSheet sheet = new ProviderSheet(settings, VersionProvider.majorMinor());
    boolean first = true;
    for (Provider provider : shown) {
      if (verbose && !first) {
        out.print("---\n");
      }
      first = false;
      if (list) {
        sheet.list(provider, out);
      } else {
        sheet.summary(provider, out);
      }
      if (verbose) {
        sheet.details(provider, out);
      }
    }
    return ExitCode.OK;
  }

  /** As flows try them; those that are not used come last. */
  private static int preference(Provider provider, List<String> used) {
    int place = used.indexOf(provider.name());
    return place < 0 ? used.size() : place;
  }

  private int showSettings(Config config, Settings settings, PrintWriter out) {
    int shown = 0;
    for (Described setting : settings.describe(AllSettings.list())) {
      if (fits(setting.key()) || fits(setting.variable()) || fits(setting.help())) {
        SettingSheet.print(setting, out);
        shown++;
      }
    }
    shown += SettingSheet.printForeign(config, this::fits, out);
    return shown > 0 ? ExitCode.OK : noData("no setting holds '" + text + "'");
  }

  private boolean fits(String words) {
    return text == null
        || words.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
  }

  private int noData(String why) {
    PrintWriter err = spec.commandLine().getErr();
    int code = FabricError.NO_DATA.code();
    err.println("tagfabric info: -" + code + " (No data available): " + why);
    err.flush();
    return code;
  }
}
