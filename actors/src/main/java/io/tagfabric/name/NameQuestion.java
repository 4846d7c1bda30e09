package io.tagfabric.name;

import akka.actor.typed.ActorRef;

/** A message that its receiver may answer; one that cannot read it refuses it there. */
interface NameQuestion extends NameMessage {
  /** Number that the answer repeats; 0 for none. */
  default long number() {
    return 0;
  }

  /** Who is answered. */
  ActorRef<NameService.Command> replyTo();
}
