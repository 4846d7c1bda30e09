package io.tagfabric.cluster.settings;

/** A setting that cannot be used; the message is one sentence fit to be shown to a person. */
public final class SettingsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String key;

  public SettingsException(String key, String message) {
    super(message);
    this.key = key;
  }

  /** The full key, or the name of the environment variable that maps to no key. */
  public String key() {
    return key;
  }
}
