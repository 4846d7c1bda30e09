package io.tagfabric.cluster.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValueFactory;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
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
        Spelling.nearest(name, known)
            .map(near -> "did you mean " + near + "?")
            .orElse("`tagfabric info --env` lists the settings");
    return subject + " is no setting of Tagfabric, " + cure;
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
