package io.tagfabric.link.send;

import akka.actor.typed.ActorRef;
import io.tagfabric.complete.Completion;
import java.util.Objects;

/**
 * Is told the outcome of one send, once. Called on the domain's loop; must not block. What it
 * throws is logged and lost, and disturbs nothing else.
 */
public interface SendListener {
  void onSent(Completion.Sent sent);

  void onFailed(Completion.Failed failure);

  /** One that tells an actor. */
  static SendListener telling(ActorRef<? super Completion> replyTo) {
    Objects.requireNonNull(replyTo, "replyTo");
    return new SendListener() {
      @Override
      public void onSent(Completion.Sent sent) {
        replyTo.tell(sent);
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        replyTo.tell(failure);
      }
    };
  }
}
