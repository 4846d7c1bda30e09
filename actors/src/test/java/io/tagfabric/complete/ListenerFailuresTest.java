package io.tagfabric.complete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ListenerFailuresTest {
  private final ListenerFailures failures = new ListenerFailures();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(ListenerFailures.class);
  private Level formerLevel;

  @BeforeEach
  void listen() {
    formerLevel = logger.getLevel();
    logger.setLevel(Level.ERROR);
    logger.setAdditive(false);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(formerLevel);
  }

  @Test
  void shouldLogTheFirstSecondFourthAndEighthFailure() {
    for (int number = 1; number <= 9; number++) {
      failures.caught("listener", new IllegalStateException("failure " + number));
    }

    assertThat(failures.count()).isEqualTo(9);
    assertThat(lines.list)
        .extracting(line -> line.getThrowableProxy().getMessage())
        .containsExactly("failure 1", "failure 2", "failure 4", "failure 8");
    assertThat(lines.list.get(2).getFormattedMessage())
        .isEqualTo(
            "listener [java.lang.String] has thrown and missed what it was told;"
                + " failures so far: 4");
  }

  @Test
  void shouldPassOnWhatTheVirtualMachineCannotSurvive() {
    OutOfMemoryError end = new OutOfMemoryError("on purpose");

    assertThatThrownBy(() -> failures.caught("listener", end)).isSameAs(end);

    assertThat(failures.count()).isZero();
    assertThat(lines.list).isEmpty();
  }

  @Test
  void shouldTakeAnyOtherErrorForAFailureOfTheListener() {
    for (Throwable thrown : List.of(new StackOverflowError(), new AssertionError())) {
      failures.caught("listener", thrown);
    }

    assertThat(failures.count()).isEqualTo(2);
    assertThat(lines.list).hasSize(2);
  }
}
