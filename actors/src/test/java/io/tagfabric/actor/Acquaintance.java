package io.tagfabric.actor;

import akka.actor.typed.ActorSystem;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.node.Announcement;
import io.tagfabric.support.Await;

/** Systems that know of each other's fabric before they speak, as members of a cluster do. */
final class Acquaintance {
  private Acquaintance() {}

  /** Makes two know each other. */
  static void make(ActorSystem<?> one, ActorSystem<?> other) {
    Fabric.get(one).nodes().ask(other.address().toString());
    Await.until("both know each other", () -> knows(one, other) && knows(other, one));
  }

  private static boolean knows(ActorSystem<?> one, ActorSystem<?> other) {
    return Fabric.get(one)
        .nodes()
        .announced(other.address().toString())
        .map(Announcement::actors)
        .filter(actors -> !actors.isEmpty())
        .isPresent();
  }
}
