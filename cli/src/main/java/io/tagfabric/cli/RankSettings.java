package io.tagfabric.cli;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings of single ranks, as they stand on the command line. */
final class RankSettings {
  private static final Pattern FORM = Pattern.compile("(\\d{1,7}):(?:tagfabric\\.)?([^=]+)=(.*)");

  private RankSettings() {}

  /**
   * Reads {@code RANK:KEY=VALUE}s; the last of two for one key wins.
   *
   * @return variables of the environment, by rank
   * @throws UsageException if one has not this form, or no rank or setting of its name exists
   * @throws io.tagfabric.cluster.settings.SettingsException if a value is refused
   */
  static Map<Integer, Map<String, String>> variables(List<String> given, int ranks) {
    Map<Integer, Map<String, String>> variables = new HashMap<>();
    for (String text : given) {
      Matcher form = FORM.matcher(text);
      if (!form.matches()) {
        throw new UsageException("--rank-set=" + text + " is not of the form RANK:KEY=VALUE");
      }
      int rank = requireRank("--rank-set", Integer.parseInt(form.group(1)), ranks);
      Setting<?> setting = setting(form.group(2).strip());
      Map<String, String> ofRank = variables.computeIfAbsent(rank, key -> new LinkedHashMap<>());
      ofRank.put(setting.variable(), form.group(3));
      Settings.of(ConfigFactory.load(), ofRank).find(setting);
    }
    return variables;
  }

  /** A rank that the job has. */
  static int requireRank(String option, int rank, int ranks) {
    if (rank < 0 || rank >= ranks) {
      throw new UsageException(
          option + ": rank=" + rank + " is not within ranks=" + ranks + ", they count from 0");
    }
    return rank;
  }

  private static Setting<?> setting(String key) {
    return AllSettings.list().stream()
        .filter(each -> each.key().equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "--rank-set: no setting "
                        + key
                        + ", `tagfabric info --env` lists them with their variables"));
  }
}
