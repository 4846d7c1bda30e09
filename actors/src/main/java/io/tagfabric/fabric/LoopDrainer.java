package io.tagfabric.fabric;

import akka.actor.typed.ActorSystem;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.runtime.Environment;

/**
 * Lets the actors of a closed domain end: a stopped actor still has to run once, and nobody drives
 * its loop any more. A daemon thread does so for a short while; without it {@code
 * ActorSystem.terminate()} would never finish.
 */
final class LoopDrainer {
  private static final long PARK_NS = 1_000_000L;
  private static final long IDLE_LIMIT_NS = 2_000_000_000L;

  private LoopDrainer() {}

  static void drain(
      Environment environment, ProgressLoop loop, ActorSystem<?> system, String domain) {
    if (environment.loopDriver().isPresent()) {
      environment.loopDriver().get().closed(domain, loop);
    } else {
      environment.threads().start("tagfabric-drain-" + domain, () -> drainUntilIdle(loop, system));
    }
  }

  private static void drainUntilIdle(ProgressLoop loop, ActorSystem<?> system) {
    var terminated = system.getWhenTerminated().toCompletableFuture();
    TimeSource time = loop.time();
    long idleSinceNs = time.nanoTime();
    while (!terminated.isDone() && time.nanoTime() - idleSinceNs < IDLE_LIMIT_NS) {
      if (loop.advance() > 0) {
        idleSinceNs = time.nanoTime();
      } else {
        time.park(loop, PARK_NS);
      }
    }
    loop.retire();
  }
}
