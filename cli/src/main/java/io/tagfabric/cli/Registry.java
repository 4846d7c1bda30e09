package io.tagfabric.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Names that modules give to their classes, read from all resources of one path.
 *
 * <p>A line is {@code name = class, one line of help}; lines that are empty or begin with # are
 * skipped. No class is loaded here.
 */
final class Registry {
  /** Programs: classes with a {@code main} that {@code run} starts as ranks. */
  static final String PROGRAMS = "META-INF/tagfabric/programs";

  /** Commands: picocli commands with a constructor without parameters. */
  static final String COMMANDS = "META-INF/tagfabric/commands";

  /**
   * One line.
   *
   * @param name what a person types
   * @param className class behind it
   * @param help one line of help
   */
  record Entry(String name, String className, String help) {}

  private final Map<String, Entry> entries;

  private Registry(Map<String, Entry> entries) {
    this.entries = Collections.unmodifiableMap(entries);
  }

  /**
   * Reads all resources of a path.
   *
   * @throws IllegalStateException if a line is malformed or two lines have the same name
   */
  static Registry load(ClassLoader loader, String path) {
    Map<String, Entry> entries = new TreeMap<>();
    try {
      for (URL resource : Collections.list(loader.getResources(path))) {
        read(resource, entries);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return new Registry(entries);
  }

  Optional<Entry> find(String name) {
    return Optional.ofNullable(entries.get(name));
  }

  /** All entries, in the order of their names. */
  Collection<Entry> entries() {
    return entries.values();
  }

  private static void read(URL resource, Map<String, Entry> entries) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(resource.openStream(), StandardCharsets.UTF_8))) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (line.isBlank() || line.strip().startsWith("#")) {
          continue;
        }
        Entry entry = parse(line, resource + ":" + number);
        if (entries.put(entry.name(), entry) != null) {
          throw new IllegalStateException(
              resource + ":" + number + ": name " + entry.name() + " is taken, choose another");
        }
      }
    }
  }

  private static Entry parse(String line, String place) {
    int equals = line.indexOf('=');
    int comma = line.indexOf(',', equals);
    if (equals < 1 || comma < 0) {
      throw new IllegalStateException(
          place + ": \"" + line + "\" is not of the form `name = class, one line of help`");
    }
    return new Entry(
        line.substring(0, equals).strip(),
        line.substring(equals + 1, comma).strip(),
        line.substring(comma + 1).strip());
  }
}
