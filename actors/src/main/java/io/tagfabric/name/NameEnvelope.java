package io.tagfabric.name;

import akka.actor.typed.ActorRef;
import akka.util.ByteString;
import io.tagfabric.address.Protocols;
import java.util.Optional;

/**
 * What a {@link NameMessage} travels in. All builds write and read it alike, so one that has no
 * protocol in common with the sender leaves the body alone and can still say so. A message whose
 * layout changes gets a new number; this layout and that of {@link NameService.Refusal} never
 * change.
 *
 * @param protocols of the sender
 * @param number of a question, which a refusal repeats; else 0
 * @param replyTo who hears of a refusal; empty for what is no question
 * @param body the message
 */
record NameEnvelope(
    Protocols protocols,
    long number,
    Optional<ActorRef<NameService.Command>> replyTo,
    ByteString body) {
  static NameEnvelope of(Protocols protocols, Object message, ByteString body) {
    return message instanceof NameQuestion question
        ? new NameEnvelope(protocols, question.number(), Optional.of(question.replyTo()), body)
        : new NameEnvelope(protocols, 0, Optional.empty(), body);
  }
}
