package io.tagfabric.cli;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.connect.ConnectSettings;
import io.tagfabric.cluster.host.LaunchSettings;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.profile.TlsSettings;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.kryo.actor.KryoKeys;
import io.tagfabric.path.PathSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The settings of all modules together. */
final class AllSettings {
  private AllSettings() {}

  /** Every setting, in the order of the reference files. */
  static List<Setting<?>> list() {
    List<Setting<?>> all = new ArrayList<>(FabricSettings.ALL);
    all.addAll(PathSettings.ALL);
    all.addAll(KryoKeys.ALL);
    all.addAll(CollectiveSettings.ALL);
    all.addAll(JobSettings.ALL);
    all.addAll(ConnectSettings.ALL);
    all.addAll(ExitSettings.ALL);
    all.addAll(TlsSettings.ALL);
    all.addAll(LaunchSettings.ALL);
    return all;
  }

  /**
   * Reads this process' settings and checks the value of each, so that a mistake is told once and
   * not by every rank.
   *
   * @throws io.tagfabric.cluster.settings.SettingsException if one is refused
   */
  static Settings checked() {
    return checked(Map.of());
  }

  /** As {@link #checked()}, with further variables of the environment. */
  static Settings checked(Map<String, String> variables) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.putAll(variables);
    Settings settings = Settings.of(ConfigFactory.load(), environment);
    list().forEach(settings::find);
    return settings;
  }
}
