package io.tagfabric.complete;

import io.tagfabric.annotation.InternalApi;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exceptions of a program's listeners: each costs its own notification and nothing else. The log
 * tells of the first failure and then of the second, fourth, eighth and so on, so that a listener
 * that always fails does not fill it. Thread: any.
 */
@InternalApi
public final class ListenerFailures {
  private static final Logger LOG = LoggerFactory.getLogger(ListenerFailures.class);

  private final AtomicInteger count = new AtomicInteger();

  /**
   * A listener has thrown. Returns, unless the JVM itself is at its end.
   *
   * @param listener for the text
   */
  public void caught(Object listener, Throwable failure) {
    if (failure instanceof VirtualMachineError error && !(error instanceof StackOverflowError)) {
      throw error;
    }
    int number = count.incrementAndGet();
    if (Integer.bitCount(number) == 1) {
      LOG.error(
          "listener [{}] has thrown and missed what it was told; failures so far: {}",
          listener.getClass().getName(),
          number,
          failure);
    }
  }

  /** How many were caught. */
  public int count() {
    return count.get();
  }
}
