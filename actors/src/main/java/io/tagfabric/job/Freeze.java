package io.tagfabric.job;

import io.tagfabric.exit.ThreadPicture;
import io.tagfabric.runtime.Environment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps a rank that has failed as it is, for a debugger.
 *
 * @source GASNet README, GASNET_FREEZE_ON_ERROR
 */
final class Freeze {
  private static final Duration LOOK = Duration.ofMillis(100);

  /** A debugger that sets it to false lets the ranks of this JVM end. */
  @SuppressWarnings("FieldMayBeFinal") // a debugger changes it
  private static volatile boolean frozen = true;

  private Freeze() {}

  /** Shows what all threads do, and waits for a debugger, or for a signal that ends the process. */
  static void await(Environment environment, int rank) {
    environment
        .process()
        .say(
            "rank "
                + rank
                + ": frozen, process "
                + ProcessHandle.current().pid()
                + " waits for a debugger, which sets "
                + Freeze.class.getName()
                + ".frozen to false to let it end; its threads:\n"
                + ThreadPicture.take());
    CompletableFuture<Void> never = new CompletableFuture<>();
    while (frozen && !environment.process().isEnding()) {
      environment.threads().await(never, LOOK);
    }
  }
}
