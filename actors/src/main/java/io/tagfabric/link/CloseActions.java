package io.tagfabric.link;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.ListenerFailures;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Whether an endpoint closes, and what is to be done when it begins to. An action that throws keeps
 * no other from its turn. Thread: any.
 */
@InternalApi
public final class CloseActions {
  private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();
  private final ListenerFailures failures = new ListenerFailures();
  private volatile boolean begun;

  /** Whether nothing more is accepted. */
  boolean hasBegun() {
    return begun;
  }

  /** From now on nothing is accepted. */
  public void begin() {
    begun = true;
  }

  /** Adds an action; runs it now if the close has begun. */
  public void add(Runnable action) {
    actions.add(action);
    if (begun) {
      run();
    }
  }

  /** Begins, and runs each action once. */
  public void run() {
    begun = true;
    for (Runnable action = actions.poll(); action != null; action = actions.poll()) {
      try {
        action.run();
      } catch (Throwable e) {
        failures.caught(action, e);
      }
    }
  }
}
