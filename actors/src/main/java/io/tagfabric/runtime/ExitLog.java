package io.tagfabric.runtime;

import java.util.function.IntConsumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hears the code of {@code System.exit} from the JDK, which logs it, from version 21 on, before the
 * shutdown hooks run. What others see of that logger stays as it was. A program that sets up the
 * logging of {@code java.util.logging} anew, or sends the JDK's own logging elsewhere, may make it
 * fall silent. Thread: any.
 *
 * @source JDK 21, Runtime.exit (API note on logging)
 */
final class ExitLog extends Handler {
  private static final Pattern CALLED = Pattern.compile("Runtime\\.exit\\(\\).*: (-?\\d+)");
  private static final int CODE_MASK = 0xFF;

  /** Held, as a logger that nobody holds loses what was set. */
  private static final Logger LOGGER = Logger.getLogger("java.lang.Runtime");

  private final IntConsumer onExit;

  private ExitLog(IntConsumer onExit) {
    this.onExit = onExit;
  }

  /**
   * Begins to listen.
   *
   * @param onExit gets the code, its low eight bits, on the thread that exits
   */
  static void listen(IntConsumer onExit) {
    if (!LOGGER.isLoggable(Level.FINE)) {
      LOGGER.setLevel(Level.FINE);
      LOGGER.setUseParentHandlers(false);
    }
    LOGGER.addHandler(new ExitLog(onExit));
  }

  @Override
  public void publish(LogRecord call) {
    Matcher called = CALLED.matcher(String.valueOf(call.getMessage()));
    if (called.matches()) {
      onExit.accept(Integer.parseInt(called.group(1)) & CODE_MASK);
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
