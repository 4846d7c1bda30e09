package io.tagfabric.simulation.job;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import java.time.Duration;

/** Reads times as settings have them. */
final class ConfigDurations {
  private ConfigDurations() {}

  /**
   * A time such as {@code 20ms}.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Duration parse(String text) {
    try {
      return ConfigValueFactory.fromAnyRef(text).atKey("time").getDuration("time");
    } catch (ConfigException noTime) {
      throw new IllegalArgumentException(
          "'" + text + "' is no time, write for example 20ms", noTime);
    }
  }
}
