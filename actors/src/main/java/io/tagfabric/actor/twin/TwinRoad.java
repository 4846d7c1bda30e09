package io.tagfabric.actor.twin;

import akka.Done;
import akka.actor.ActorRef;
import java.util.concurrent.CompletionStage;

/** What carries the messages of twins to one peer, and tells of deaths there. Thread: any. */
public interface TwinRoad {
  /**
   * Sends a message, or tells why not where Akka would; never blocks, never throws.
   *
   * @param sender null if there is none
   */
  void tell(FabricRef twin, Object message, ActorRef sender);

  /** As {@link #tell}; completes when there was room for the message, in the order of calls. */
  CompletionStage<Done> tellOrWait(FabricRef twin, Object message);

  /** Tells the watcher once when the actor of the twin has ended. */
  void watch(FabricRef twin, ActorRef watcher);

  /** Ends {@link #watch}. */
  void unwatch(FabricRef twin, ActorRef watcher);
}
