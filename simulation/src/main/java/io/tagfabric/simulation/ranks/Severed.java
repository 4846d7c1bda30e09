package io.tagfabric.simulation.ranks;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.remote.RemoteActorRefProvider;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressLoop;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes an ActorSystem fall silent, as if its process had been killed: nobody is told anything, the
 * loops of its domains stand still, and its remoting is gone. Its memory and threads stay until the
 * JVM ends.
 */
final class Severed {
  private static final Logger LOG = LoggerFactory.getLogger(Severed.class);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(100);

  private Severed() {}

  /** Severs a system; the calling thread keeps its loops, and must not go on with the program. */
  static void cut(ActorSystem<?> system) {
    if (system.hasExtension(Fabric.Id.getInstance())) {
      for (Domain domain : Fabric.get(system).domains()) {
        hold(domain.loop());
      }
    }
    ExtendedActorSystem classic = (ExtendedActorSystem) Adapter.toClassic(system);
    if (classic.provider() instanceof RemoteActorRefProvider remoting) {
      remoting.transport().shutdown();
    }
  }

  /** Enters a loop and does not leave it. */
  private static void hold(ProgressLoop loop) {
    long endNs = System.nanoTime() + PATIENCE_NS;
    while (!loop.isDriving() && !loop.tryEnter()) {
      if (System.nanoTime() - endNs > 0) {
        LOG.warn("a loop of a rank that was halted is still driven by another thread");
        return;
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }
}
