package io.tagfabric.fabric;

import akka.actor.typed.ActorSystem;
import io.tagfabric.progress.ProgressLoop;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the actors of a closed domain end: a stopped actor still has to run once, and nobody drives
 * its loop any more. A daemon thread does so for a short while; without it {@code
 * ActorSystem.terminate()} would never finish.
 */
final class LoopDrainer {
  private static final long PARK_NS = 1_000_000L;
  private static final long IDLE_LIMIT_NS = 2_000_000_000L;

  private LoopDrainer() {}

  static void drain(ProgressLoop loop, ActorSystem<?> system, String domain) {
    Thread drainer = new Thread(() -> drainUntilIdle(loop, system), "tagfabric-drain-" + domain);
    drainer.setDaemon(true);
    drainer.start();
  }

  private static void drainUntilIdle(ProgressLoop loop, ActorSystem<?> system) {
    var terminated = system.getWhenTerminated().toCompletableFuture();
    long idleSinceNs = System.nanoTime();
    while (!terminated.isDone() && System.nanoTime() - idleSinceNs < IDLE_LIMIT_NS) {
      if (loop.advance() > 0) {
        idleSinceNs = System.nanoTime();
      } else {
        LockSupport.parkNanos(PARK_NS);
      }
    }
  }
}
