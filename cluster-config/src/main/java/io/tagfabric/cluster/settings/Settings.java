package io.tagfabric.cluster.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.tagfabric.annotation.InternalApi;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The values of all settings under {@code tagfabric.}, read once.
 *
 * <p>A later source wins: {@code reference.conf}, the application's configuration, system
 * properties ({@code -Dtagfabric.endpoint.inject-size=64}), environment variables ({@code
 * TAGFABRIC_ENDPOINT_INJECT_SIZE=64}). A name that {@code reference.conf} does not know is refused,
 * so a typing error never falls back to the default in silence; below a key whose default is an
 * empty object every name is allowed. Immutable; any thread.
 */
public final class Settings {
  /** The block of the configuration that is ours. */
  public static final String ROOT = "tagfabric";

  private static final String FOREIGN = "environment-variables";

  /** Begins system properties that tests give to JVMs they start; they are no settings. */
  private static final String TESTS = "test.";

  private final Config reference;
  private final Config values;

  private Settings(Config reference, Config values) {
    this.reference = reference;
    this.values = values;
  }

  /**
   * Reads the block {@code tagfabric} of a configuration, such as that of an ActorSystem, and the
   * environment of this process.
   *
   * @throws SettingsException if the configuration or the environment holds an unknown name
   */
  public static Settings of(Config systemConfig) {
    return of(systemConfig, System.getenv());
  }

  /** As {@link #of(Config)}, with the given environment. */
  public static Settings of(Config systemConfig, Map<String, String> environment) {
    return of(systemConfig, environment, ConfigFactory.defaultReferenceUnresolved());
  }

  static Settings of(Config systemConfig, Map<String, String> environment, Config reference) {
    Config defaults = ours(reference);
    Config given = ours(systemConfig);
    Set<String> keys = new TreeSet<>();
    Variables.keysBelow(block(defaults), "", keys);
    Set<String> foreign = foreignVariables(defaults);
    keys.removeIf(key -> key.startsWith(FOREIGN + "."));
    refuseUnknownKeys(given, keys);
    Config overlay = Variables.overlay(environment, keys, foreign);
    return new Settings(defaults, overlay.withFallback(given).withFallback(defaults));
  }

  /**
   * The value of a setting.
   *
   * @throws SettingsException if it has no value, or one that the setting refuses
   */
  public <T> T get(Setting<T> setting) {
    return find(setting)
        .orElseThrow(
            () ->
                new SettingsException(
                    setting.fullKey(),
                    setting.fullKey()
                        + " has no value, set it (or "
                        + setting.variable()
                        + ") to "
                        + setting.expected()));
  }

  /**
   * The value of a setting that may have none.
   *
   * @throws SettingsException if it has a value that the setting refuses
   */
  public <T> Optional<T> find(Setting<T> setting) {
    ConfigValue value = valueAt(values, setting.fullKey());
    if (value == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(setting.parse(value));
    } catch (NumberFormatException | ConfigException refused) {
      throw refusal(setting, value, "");
    } catch (IllegalArgumentException refused) {
      throw refusal(setting, value, refused.getMessage());
    }
  }

  /** Whether a setting has a value that is not from {@code reference.conf}. */
  @InternalApi
  public boolean isGiven(Setting<?> setting) {
    ConfigValue value = valueAt(values, setting.fullKey());
    ConfigValue standard = valueAt(reference, setting.fullKey());
    return value != null && (standard == null || !value.origin().equals(standard.origin()));
  }

  /** Describes settings in the order given, without checking their values. */
  @InternalApi
  public List<Described> describe(Iterable<Setting<?>> settings) {
    List<Described> described = new ArrayList<>();
    for (Setting<?> setting : settings) {
      described.add(describe(setting));
    }
    return List.copyOf(described);
  }

  private Described describe(Setting<?> setting) {
    ConfigValue standard = valueAt(reference, setting.fullKey());
    ConfigValue value = valueAt(values, setting.fullKey());
    ConfigValue commented = rawValueAt(reference, setting.fullKey());
    return new Described(
        setting.fullKey(),
        setting.variable(),
        setting.type(),
        setting.unit(),
        setting.expected(),
        shown(standard),
        shown(value),
        value == null ? "" : place(setting, value.origin()),
        commented == null ? "" : comment(commented.origin()),
        setting.mustAgree());
  }

  private SettingsException refusal(Setting<?> setting, ConfigValue value, String why) {
    StringBuilder text = new StringBuilder(setting.fullKey()).append('=').append(shown(value));
    if (why != null && !why.isEmpty()) {
      boolean relation = why.startsWith("<") || why.startsWith(">");
      text.append(relation ? " " : ": ").append(why);
    }
    text.append(" (set by ").append(place(setting, value.origin())).append("), expected ");
    text.append(setting.expected());
    String standard = shown(valueAt(reference, setting.fullKey()));
    if (!standard.isEmpty() && !standard.equals(shown(value))) {
      text.append("; without it the default is ").append(standard);
    }
    return new SettingsException(setting.fullKey(), text.toString());
  }

  private static Config ours(Config config) {
    try {
      return config.root().containsKey(ROOT)
          ? config.withOnlyPath(ROOT).resolve()
          : ConfigFactory.empty();
    } catch (ConfigException refused) {
      throw new SettingsException(
          ROOT, "the block " + ROOT + " cannot be read: " + refused.getMessage());
    }
  }

  private static ConfigObject block(Config config) {
    ConfigValue block = config.root().get(ROOT);
    if (block == null) {
      return ConfigFactory.empty().root();
    }
    if (block instanceof ConfigObject object) {
      return object;
    }
    throw new SettingsException(
        ROOT,
        ROOT
            + "="
            + shown(block)
            + " (set by "
            + place(ROOT, block.origin())
            + ") is no block of settings, write "
            + ROOT
            + " { ... }");
  }

  private static Set<String> foreignVariables(Config defaults) {
    return block(defaults).get(FOREIGN) instanceof ConfigObject foreign
        ? foreign.keySet()
        : Set.of();
  }

  private static void refuseUnknownKeys(Config given, Set<String> known) {
    Collection<String> keys = new TreeSet<>();
    Variables.keysBelow(block(given), "", keys);
    for (String key : keys) {
      if (Variables.covers(known, key)
          || key.startsWith(FOREIGN)
          || key.startsWith(TESTS)
          || isEmptyBlock(given, key)) {
        continue;
      }
      String fullKey = ROOT + "." + key;
      ConfigValue value = rawValueAt(given, fullKey);
      String place = value == null ? "" : " (set by " + place(fullKey, value.origin()) + ")";
      Set<String> fullKeys = known.stream().map(k -> ROOT + "." + k).collect(Collectors.toSet());
      throw new SettingsException(fullKey, Variables.unknown(fullKey + place, fullKey, fullKeys));
    }
  }

  private static boolean isEmptyBlock(Config config, String key) {
    return rawValueAt(config, ROOT + "." + key) instanceof ConfigObject;
  }

  private static ConfigValue valueAt(Config config, String fullKey) {
    ConfigValue value = rawValueAt(config, fullKey);
    return value == null || value.valueType() == ConfigValueType.NULL ? null : value;
  }

  private static ConfigValue rawValueAt(Config config, String fullKey) {
    ConfigValue at = config.root();
    for (String step : fullKey.split("\\.", -1)) {
      if (!(at instanceof ConfigObject object)) {
        return null;
      }
      at = object.get(step);
    }
    return at;
  }

  private static String shown(ConfigValue value) {
    if (value == null || value.valueType() == ConfigValueType.NULL) {
      return "";
    }
    return switch (value.valueType()) {
      case STRING, NUMBER, BOOLEAN -> value.atKey(ROOT).getString(ROOT);
      case LIST, OBJECT, NULL -> value.render(ConfigRenderOptions.concise());
    };
  }

  private static String place(Setting<?> setting, ConfigOrigin origin) {
    return place(setting.fullKey(), origin);
  }

  private static String place(String fullKey, ConfigOrigin origin) {
    String description = origin.description();
    if (description.startsWith("environment variable ")) {
      return description;
    }
    if (description.toLowerCase(Locale.ROOT).startsWith("system propert")) {
      return "system property " + fullKey;
    }
    String file = origin.filename() != null ? origin.filename() : origin.resource();
    if (file == null) {
      return description;
    }
    return origin.lineNumber() > 0 ? file + ":" + origin.lineNumber() : file;
  }

  private static String comment(ConfigOrigin origin) {
    return origin.comments().stream().map(String::strip).collect(Collectors.joining("\n"));
  }
}
