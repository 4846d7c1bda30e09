package io.tagfabric.cluster.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValueFactory;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Maps {@code TAGFABRIC_ENDPOINT_INJECT_SIZE} to {@code endpoint.inject-size} and back. */
final class Variables {
  static final String PREFIX = "TAGFABRIC_";

  private Variables() {}

  /** The variable of a relative key. */
  static String nameOf(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /**
   * The settings that environment variables give, ready to be laid over a configuration.
   *
   * @param keys relative keys that exist
   * @param foreign variables with our prefix that are no settings
   * @throws SettingsException if a variable with our prefix is neither
   */
  static Config overlay(Map<String, String> environment, Set<String> keys, Set<String> foreign) {
    Map<String, String> keyOf = new HashMap<>();
    for (String key : keys) {
      String other = keyOf.put(nameOf(key), key);
      if (other != null) {
        throw new IllegalStateException(
            "keys "
                + other
                + " and "
                + key
                + " share the variable "
                + nameOf(key)
                + ", rename one");
      }
    }
    Config overlay = ConfigFactory.empty();
    for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
      String name = variable.getKey();
      if (!name.startsWith(PREFIX) || foreign.contains(name)) {
        continue;
      }
      String key = keyOf.get(name);
      if (key == null) {
        throw new SettingsException(name, unknown(originOf(name), name, keyOf.keySet()));
      }
      overlay =
          overlay.withValue(
              Settings.ROOT + "." + key,
              ConfigValueFactory.fromAnyRef(variable.getValue(), originOf(name)));
    }
    return overlay;
  }

  static String originOf(String variable) {
    return "environment variable " + variable;
  }

  /** A sentence that refuses an unknown name and offers the nearest known one. */
  static String unknown(String subject, String name, Collection<String> known) {
    String cure =
        nearest(name, known)
            .map(near -> "did you mean " + near + "?")
            .orElse("`tagfabric info --env` lists the settings");
    return subject + " is no setting of Tagfabric, " + cure;
  }

  /** The known name with the fewest edits, if that leaves most of the name as it is. */
  static Optional<String> nearest(String name, Collection<String> known) {
    String best = null;
    int fewest = Math.max(2, name.length() / 3);
    for (String candidate : known.stream().sorted().toList()) {
      int edits = edits(name, candidate);
      if (edits < fewest || (edits == fewest && best == null)) {
        fewest = edits;
        best = candidate;
      }
    }
    return Optional.ofNullable(best);
  }

  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(diagonal + change, Math.min(above, row[j - 1]) + 1);
        diagonal = above;
      }
    }
    return row[b.length()];
  }

  /** Collects the relative keys of all values below an object; an empty object is a key itself. */
  static void keysBelow(ConfigObject object, String path, Collection<String> keys) {
    object.forEach(
        (name, value) -> {
          String key = path.isEmpty() ? name : path + "." + name;
          if (value instanceof ConfigObject inner && !inner.isEmpty()) {
            keysBelow(inner, key, keys);
          } else {
            keys.add(key);
          }
        });
  }

  /** Whether the key is one of {@code keys} or lies below one of them. */
  static boolean covers(Set<String> keys, String key) {
    for (String part = key; ; part = part.substring(0, part.lastIndexOf('.'))) {
      if (keys.contains(part)) {
        return true;
      }
      if (part.indexOf('.') < 0) {
        return false;
      }
    }
  }
}
