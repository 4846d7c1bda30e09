package io.tagfabric.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Settings of ranks from the files of a directory, which are read once, here: {@code job.conf} for
 * all ranks, {@code host-<name>.conf} for those of a host, {@code rank-<number>.conf} for one. What
 * is nearer to the rank wins. Files of ranks and hosts that the job has not are left alone, other
 * names are refused.
 */
final class SettingsFiles {
  private static final Pattern NAME = Pattern.compile("job|host-(.+)|rank-([0-9]{1,7})");
  private static final String ENDING = ".conf";

  private final Path directory;

  private SettingsFiles(Path directory) {
    this.directory = directory;
  }

  /**
   * Variables of the environment, by rank.
   *
   * @param hosts the name of each rank's host
   * @throws UsageException if the directory, or a file's name or content, is refused
   * @throws io.tagfabric.cluster.settings.SettingsException if a setting is unknown or its value
   *     refused; it names the file and the line
   */
  static Map<Integer, Map<String, String>> variables(Path directory, List<String> hosts) {
    SettingsFiles files = new SettingsFiles(directory);
    Map<String, Map<String, String>> byName = files.readAll();
    Map<Integer, Map<String, String>> variables = new HashMap<>();
    for (int rank = 0; rank < hosts.size(); rank++) {
      Map<String, String> ofRank = new LinkedHashMap<>(byName.getOrDefault("job", Map.of()));
      ofRank.putAll(byName.getOrDefault("host-" + hosts.get(rank), Map.of()));
      ofRank.putAll(byName.getOrDefault("rank-" + rank, Map.of()));
      variables.put(rank, ofRank);
    }
    return variables;
  }

  private Map<String, Map<String, String>> readAll() {
    Map<String, Map<String, String>> byName = new HashMap<>();
    for (Path file : list()) {
      String fileName = file.getFileName().toString();
      Matcher name = NAME.matcher(fileName.substring(0, fileName.length() - ENDING.length()));
      if (!name.matches()) {
        throw new UsageException(
            "--settings-dir: "
                + file
                + " is none of job.conf, host-NAME.conf and rank-NUMBER.conf, rename it");
      }
      // rank-03.conf is rank 3
      String key = name.group(2) == null ? name.group() : "rank-" + Integer.parseInt(name.group(2));
      if (byName.put(key, read(file)) != null) {
        throw new UsageException("--settings-dir: " + file + " is the second file of " + key);
      }
    }
    return byName;
  }

  private List<Path> list() {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*" + ENDING)) {
      found.forEach(files::add);
    } catch (IOException failure) {
      throw new UsageException("--settings-dir: cannot read directory " + directory);
    }
    files.sort(null);
    return files;
  }

  private static Map<String, String> read(Path file) {
    Config content;
    try {
      content = ConfigFactory.parseFile(file.toFile()).resolve();
    } catch (ConfigException refused) {
      throw new UsageException("--settings-dir: " + refused.getMessage());
    }
    for (String key : content.root().keySet()) {
      if (!key.equals(Settings.ROOT)) {
        throw new UsageException(
            "--settings-dir: "
                + file
                + ":"
                + content.root().get(key).origin().lineNumber()
                + ": "
                + key
                + " is outside of "
                + Settings.ROOT
                + " { ... }");
      }
    }
    Settings settings = Settings.of(content, Map.of());
    Map<String, String> variables = new LinkedHashMap<>();
    for (Setting<?> setting : AllSettings.list()) {
      if (content.hasPath(setting.fullKey())) {
        put(setting, settings, variables);
      }
    }
    return variables;
  }

  private static <T> void put(
      Setting<T> setting, Settings settings, Map<String, String> variables) {
    variables.put(setting.variable(), setting.write(settings.get(setting)));
  }
}
