package io.tagfabric.progress;

import akka.actor.AbstractExtensionId;
import akka.actor.ActorPath;
import akka.actor.ActorRef;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the {@link GuardedMailbox}es of one ActorSystem share: the loops behind their actors, and
 * the count of what they have dropped. Thread: any.
 */
final class Guards implements Extension {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedMailbox.class);

  /** Makes one for each system. */
  static final class Id extends AbstractExtensionId<Guards> {
    static final Id INSTANCE = new Id();

    private Id() {}

    @Override
    public Guards createExtension(ExtendedActorSystem system) {
      return new Guards();
    }
  }

  private final Map<String, ProgressLoop> counting = new ConcurrentHashMap<>();
  private final Map<String, ProgressLoop> waking = new ConcurrentHashMap<>();
  private final AtomicLong dropped = new AtomicLong();
  private final WarningRate warnings = new WarningRate(LOG::warn, TimeSource.SYSTEM);

  private Guards() {}

  void count(String actor, ProgressLoop loop) {
    counting.put(actor, loop);
  }

  void wake(String actor, ProgressLoop loop) {
    waking.put(actor, loop);
  }

  void forget(String actor) {
    counting.remove(actor);
    waking.remove(actor);
  }

  /** The loop whose mail an actor's messages are; null if they are of none. */
  ProgressLoop counting(ActorPath path) {
    return find(counting, path);
  }

  /** The loop whose resident driver an actor is; null if it is of none. */
  ProgressLoop waking(ActorPath path) {
    return find(waking, path);
  }

  private static ProgressLoop find(Map<String, ProgressLoop> loops, ActorPath path) {
    for (String element : path.getElements()) {
      ProgressLoop loop = loops.get(element);
      if (loop != null) {
        return loop;
      }
    }
    return null;
  }

  void drop(ActorRef receiver, Object message) {
    dropped.incrementAndGet();
    warnings.warn(
        () ->
            "["
                + receiver.path()
                + "] was told ["
                + message.getClass().getName()
                + "], which it takes from nobody: dropped");
  }

  long dropped() {
    return dropped.get();
  }
}
