package io.tagfabric.trials.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.LoggerFactory;

/**
 * Hears the errors that the project logs. Warnings are not printed meanwhile: each attacker is
 * worth one.
 */
final class LogErrors extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private static final String PROJECT = "io.tagfabric";

  private final AtomicReference<String> first = new AtomicReference<>();
  private final Logger root;
  private final Level levelBefore;

  LogErrors() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    levelBefore = root.getLevel();
    root.setLevel(Level.ERROR);
    setContext(context);
    start();
    root.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.ERROR)
        && event.getLoggerName().startsWith(PROJECT)) {
      first.compareAndSet(null, event.getFormattedMessage());
    }
  }

  /** Throws if there was one. */
  void requireNone() {
    String text = first.get();
    if (text != null) {
      throw new Violation(Violation.Promise.LIFE, "an error was logged: " + text);
    }
  }

  @Override
  public void close() {
    root.detachAppender(this);
    root.setLevel(levelBefore);
    stop();
  }
}
