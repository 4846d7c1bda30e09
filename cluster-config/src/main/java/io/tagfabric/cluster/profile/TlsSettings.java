package io.tagfabric.cluster.profile;

import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The settings {@code tagfabric.tls.*}, of which a rank of profile {@code tls} needs a key. */
public final class TlsSettings {
  public static final Setting<String> KEY_STORE = Setting.string("tls.key-store");
  public static final Setting<String> KEY_STORE_PASSWORD = Setting.string("tls.key-store-password");
  public static final Setting<String> TRUST_STORE = Setting.string("tls.trust-store");
  public static final Setting<String> TRUST_STORE_PASSWORD =
      Setting.string("tls.trust-store-password");
  public static final Setting<Boolean> ALLOW_PLAIN = Setting.bool("tls.allow-plain");

  /** All of them, in the order they are shown. */
  public static final List<Setting<?>> ALL =
      List.of(KEY_STORE, KEY_STORE_PASSWORD, TRUST_STORE, TRUST_STORE_PASSWORD, ALLOW_PLAIN);

  private TlsSettings() {}

  /**
   * Akka's configuration of the keys; without a trust store the certificates of the key store are
   * trusted.
   *
   * @throws SettingsException if there is no key store that can be read
   */
  static Map<String, Object> akkaValues(Settings settings) {
    String keys = requireFile(settings, KEY_STORE);
    String password = settings.get(KEY_STORE_PASSWORD);
    boolean own = !settings.get(TRUST_STORE).isBlank();
    String engine = "akka.remote.artery.ssl.config-ssl-engine.";
    Map<String, Object> values = new LinkedHashMap<>();
    values.put(engine + "key-store", keys);
    values.put(engine + "key-store-password", password);
    values.put(engine + "key-password", password);
    values.put(engine + "trust-store", own ? requireFile(settings, TRUST_STORE) : keys);
    values.put(
        engine + "trust-store-password", own ? settings.get(TRUST_STORE_PASSWORD) : password);
    return values;
  }

  private static String requireFile(Settings settings, Setting<String> setting) {
    String file = settings.get(setting);
    if (file.isBlank()) {
      throw new SettingsException(
          setting.fullKey(),
          "the profile tls needs "
              + setting.fullKey()
              + ", a PKCS #12 file with key and certificate; `tagfabric run` makes one for its job");
    }
    if (!Files.isReadable(Path.of(file))) {
      throw new SettingsException(
          setting.fullKey(), setting.fullKey() + "=" + file + " is no file this user can read");
    }
    return file;
  }
}
