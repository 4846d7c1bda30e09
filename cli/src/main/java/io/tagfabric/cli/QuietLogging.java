package io.tagfabric.cli;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.tagfabric.annotation.InternalApi;

/**
 * Sets Logback up for the command and its ranks, in code: a file of XML takes a JVM longer, at each
 * start.
 *
 * <p>Quiet: what a rank logs must not drown what its program prints. A file that {@code
 * -Dlogback.configurationFile} names, or a {@code logback-test.xml}, wins. Thread: the one that
 * asks for the first logger.
 */
@InternalApi
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class QuietLogging extends ContextAwareBase implements Configurator {
  /** Logback makes it. */
  public QuietLogging() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null
        || getClass().getClassLoader().getResource(ClassicConstants.TEST_AUTOCONFIG_FILE) != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(
        "%d{HH:mm:ss.SSS} rank "
            + variable("TAGFABRIC_JOB_RANK", "0")
            + " %-5level %logger{24} - %msg%n");
    encoder.start();
    ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
    stderr.setContext(context);
    stderr.setName("stderr");
    stderr.setTarget("System.err");
    stderr.setEncoder(encoder);
    stderr.start();
    var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(variable("TAGFABRIC_LOG_LEVEL", "WARN")));
    root.addAppender(stderr);
    // says at level WARN that peers are gone, which at the end of a job is normal
    context.getLogger("akka.stream.Materializer").setLevel(Level.ERROR);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** As Logback's own files: a system property, else a variable of the environment. */
  private static String variable(String name, String otherwise) {
    String property = System.getProperty(name);
    String value = property == null ? System.getenv(name) : property;
    return value == null ? otherwise : value;
  }
}
