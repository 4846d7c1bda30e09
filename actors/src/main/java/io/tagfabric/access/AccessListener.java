package io.tagfabric.access;

import akka.actor.typed.ActorRef;
import io.tagfabric.complete.Completion;
import java.util.Objects;

/**
 * Is told the outcome of one access to a peer's memory, once. Called on the domain's loop; must not
 * block. What it throws is logged and lost, and disturbs nothing else.
 */
public interface AccessListener {
  void onAccessed(Completion.Accessed accessed);

  void onFailed(Completion.Failed failure);

  /** One that tells an actor. */
  static AccessListener telling(ActorRef<? super Completion> replyTo) {
    Objects.requireNonNull(replyTo, "replyTo");
    return new AccessListener() {
      @Override
      public void onAccessed(Completion.Accessed accessed) {
        replyTo.tell(accessed);
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        replyTo.tell(failure);
      }
    };
  }
}
