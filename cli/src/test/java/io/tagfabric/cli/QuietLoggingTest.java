package io.tagfabric.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the command and its ranks log. */
class QuietLoggingTest {
  private static final String FILE = ClassicConstants.CONFIG_FILE_PROPERTY;
  private static final String LEVEL = "TAGFABRIC_LOG_LEVEL";
  private static final String RANK = "TAGFABRIC_JOB_RANK";

  private final String given = System.getProperty(FILE);
  private final LoggerContext context = new LoggerContext();

  /** The tests of a build name a file, as a user may. */
  @BeforeEach
  void forgetFile() {
    System.clearProperty(FILE);
  }

  @AfterEach
  void restore() {
    if (given != null) {
      System.setProperty(FILE, given);
    }
    System.clearProperty(LEVEL);
    System.clearProperty(RANK);
    context.stop();
  }

  private Logger configured(String logger) {
    assertThat(new QuietLogging().configure(context))
        .isEqualTo(ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
    return context.getLogger(logger);
  }

  private ConsoleAppender<ILoggingEvent> stderr() {
    return (ConsoleAppender<ILoggingEvent>) context.getLogger("ROOT").getAppender("stderr");
  }

  /** The line of an event. */
  private String line(Logger logger, Level level, String message) {
    ILoggingEvent event = new LoggingEvent("test", logger, level, message, null, null);
    return new String(stderr().getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  @Test
  void shouldBeFoundByLogback() {
    assertThat(ServiceLoader.load(Configurator.class)).anyMatch(QuietLogging.class::isInstance);
  }

  @Test
  void shouldLogWarningsAlone() {
    Logger logger = configured("io.tagfabric.progress.ProgressLoop");

    assertThat(logger.isInfoEnabled()).isFalse();
    assertThat(logger.isWarnEnabled()).isTrue();
    assertThat(line(logger, Level.WARN, "something"))
        .matches("[0-9:.]{12} rank 0 WARN  i\\.t\\.p\\.ProgressLoop - something\\R");
  }

  @Test
  void shouldNotTellThatStreamsOfGonePeersEnd() {
    Logger logger = configured("akka.stream.Materializer");

    assertThat(logger.isWarnEnabled()).isFalse();
    assertThat(logger.isErrorEnabled()).isTrue();
  }

  @Test
  void shouldTakeLevelAndRankFromVariables() {
    System.setProperty(LEVEL, "INFO");
    System.setProperty(RANK, "3");
    Logger logger = configured("a");

    assertThat(logger.isInfoEnabled()).isTrue();
    assertThat(logger.isDebugEnabled()).isFalse();
    assertThat(line(logger, Level.INFO, "said")).contains("rank 3 INFO ");
  }

  @Test
  void shouldLeaveItToTheFileThatAUserNames() {
    System.setProperty(FILE, "mine.xml");

    assertThat(new QuietLogging().configure(context)).isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
    assertThat(context.getLogger("ROOT").getAppender("stderr")).isNull();
    assertThat(context.getLogger("ROOT").getLevel()).isEqualTo(Level.DEBUG);
  }

  @Test
  void shouldWriteToTheStreamOfErrors() {
    assertThat(configured("a").isTraceEnabled()).isFalse();

    assertThat(stderr().isStarted()).isTrue();
    assertThat(stderr().getTarget()).isEqualTo("System.err");
  }
}
