package io.tagfabric.trials.simulate;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Simulated peers are lost by the thousand, which is no news for people. */
final class QuietLog {
  private QuietLog() {}

  static void silence() {
    for (String name : new String[] {"io.tagfabric", "akka"}) {
      if (LoggerFactory.getLogger(name) instanceof Logger logger) {
        logger.setLevel(Level.OFF);
      }
    }
  }
}
