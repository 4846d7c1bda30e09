package io.tagfabric.trials.simulate;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Simulated peers are lost by the thousand, which is no news for people. The log is silent until
 * this is closed.
 */
final class QuietLog implements AutoCloseable {
  private final List<Runnable> restore = new ArrayList<>();

  QuietLog() {
    for (String name : List.of("io.tagfabric", "akka")) {
      if (LoggerFactory.getLogger(name) instanceof Logger logger) {
        Level before = logger.getLevel();
        restore.add(() -> logger.setLevel(before));
        logger.setLevel(Level.OFF);
      }
    }
  }

  @Override
  public void close() {
    restore.forEach(Runnable::run);
  }
}
