package io.tagfabric.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExitLogTest {
  private static final Logger RUNTIME = Logger.getLogger("java.lang.Runtime");
  private static final Logger ROOT = Logger.getLogger("");

  private final List<Integer> codes = new ArrayList<>();
  private final List<String> shown = new ArrayList<>();
  private final Handler screen =
      new Handler() {
        @Override
        public void publish(LogRecord text) {
          shown.add(text.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void addScreen() {
    screen.setLevel(Level.ALL);
    ROOT.addHandler(screen);
  }

  @AfterEach
  void restore() {
    ROOT.removeHandler(screen);
    for (Handler handler : RUNTIME.getHandlers()) {
      RUNTIME.removeHandler(handler);
    }
    RUNTIME.setLevel(null);
    RUNTIME.setUseParentHandlers(true);
  }

  /** As Runtime.exit of Java 21 does. */
  private static void logExit(int code) {
    System.getLogger("java.lang.Runtime")
        .log(
            System.Logger.Level.DEBUG,
            "Runtime.exit() called with status: " + code,
            new Throwable("Runtime.exit(" + code + ")"));
  }

  @Test
  void shouldHearTheCodeAndShowNothing() {
    ExitLog.listen(codes::add);

    logExit(5);
    logExit(-1);
    System.getLogger("java.lang.Runtime").log(System.Logger.Level.INFO, "status: 7");

    assertThat(codes).containsExactly(5, 255);
    assertThat(shown).noneMatch(text -> text.contains("Runtime.exit"));
  }

  @Test
  void shouldLeaveTheLoggerAsItIsWhenSomebodyWantsToSeeIt() {
    RUNTIME.setLevel(Level.FINER);

    ExitLog.listen(codes::add);
    logExit(5);

    assertThat(RUNTIME.getLevel()).isEqualTo(Level.FINER);
    assertThat(shown).containsExactly("Runtime.exit() called with status: 5");
    assertThat(codes).containsExactly(5);
  }
}
