package io.tagfabric.actor;

import akka.actor.ActorRef;
import akka.actor.Dropped;
import akka.actor.ExtendedActorSystem;
import io.tagfabric.actor.twin.FabricRef;
import io.tagfabric.progress.WarningRate;

/** Counts what goes wrong with references, publishes what is dropped, and warns. Thread: any. */
final class RefReports {
  private final ExtendedActorSystem system;
  private final ActorCounters counters;
  private final WarningRate warnings;

  RefReports(ExtendedActorSystem system, ActorCounters counters, WarningRate warnings) {
    this.system = system;
    this.counters = counters;
    this.warnings = warnings;
  }

  void overflow(FabricRef twin, Object message, ActorRef sender, String why) {
    counters.overflowed.increment();
    drop(twin, message, sender, why);
  }

  void unwritable(FabricRef twin, Object message, ActorRef sender, Throwable e) {
    counters.unwritable.increment();
    drop(
        twin,
        message,
        sender,
        "a message of class [" + message.getClass().getName() + "] cannot be written: " + e);
  }

  private void drop(FabricRef twin, Object message, ActorRef sender, String why) {
    system.eventStream().publish(new Dropped(message, why, sender, twin));
    warnings.warn(() -> "dropped a message to [" + twin + "]: " + why);
  }

  void refused(FabricRef twin, String why) {
    counters.refused.increment();
    warnings.warn(() -> "[" + twin + "] is reached by Akka's remoting: " + why);
  }

  void malformed(String node, String what) {
    counters.unreadable.increment();
    warnings.warn(() -> "node [" + node + "] has broken a rule of references: " + what);
  }

  void unreadable(String node, int serializer, String manifest, Throwable e) {
    counters.unreadable.increment();
    warnings.warn(
        () ->
            "a message of node ["
                + node
                + "] with serializer="
                + serializer
                + " manifest=["
                + manifest
                + "] cannot be read: "
                + e);
  }

  void harmful(String node, Object message, ActorRef target) {
    counters.harmful.increment();
    warnings.warn(
        () ->
            "dropped a message of class ["
                + message.getClass().getName()
                + "] of node ["
                + node
                + "] to ["
                + target
                + "]: such may not come from other nodes");
  }
}
