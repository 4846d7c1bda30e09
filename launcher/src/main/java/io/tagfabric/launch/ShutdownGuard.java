package io.tagfabric.launch;

/** Runs a task if this process is asked to end between {@link #arm} and {@link #disarm}. */
final class ShutdownGuard {
  private final Thread hook;
  private volatile boolean triggered;

  ShutdownGuard(Runnable task) {
    hook =
        new Thread(
            () -> {
              triggered = true;
              task.run();
            },
            "end-of-launcher");
  }

  void arm() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  void disarm() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shutdownHasBegun) {
      return;
    }
  }

  boolean isTriggered() {
    return triggered;
  }
}
