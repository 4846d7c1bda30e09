package io.tagfabric.docs;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Collects letters, one receive at a time. */
final class LetterBox extends AbstractBehavior<LetterBox.Command> {
  /** What a letter box can be told. */
  sealed interface Command {}

  record GetLetters(ActorRef<List<String>> replyTo) implements Command {}

  private record LetterCame(TagMatcher.ReceiveOutcome outcome) implements Command {}

  static final long TAG = 9;
  private static final int MAX_LETTER_BYTES = 4096;

  private final Endpoint endpoint;
  private final ActorRef<TagMatcher.ReceiveOutcome> outcomes;
  private final List<String> letters = new ArrayList<>();

  private LetterBox(ActorContext<Command> context, Endpoint endpoint) {
    super(context);
    this.endpoint = endpoint;
    outcomes = context.messageAdapter(TagMatcher.ReceiveOutcome.class, LetterCame::new);
    post();
  }

  static Behavior<Command> create(Endpoint endpoint) {
    return Behaviors.setup(context -> new LetterBox(context, endpoint));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(LetterCame.class, this::onLetterCame)
        .onMessage(GetLetters.class, this::onGetLetters)
        .build();
  }

  // #actor
  private void post() {
    TagSelector selector = TagSelector.exact(TAG);
    endpoint
        .matcher()
        .tell(
            new TagMatcher.PostReceive(
                TaggedReceive.of(selector).atMost(MAX_LETTER_BYTES), "letter", outcomes));
  }

  private Behavior<Command> onLetterCame(LetterCame came) {
    if (came.outcome() instanceof TagMatcher.Received received) {
      byte[] bytes = received.message().payload().array();
      letters.add(new String(bytes, StandardCharsets.UTF_8));
      post();
      return this;
    }
    return Behaviors.stopped(); // cancelled: the endpoint is closing
  }

  // #actor

  private Behavior<Command> onGetLetters(GetLetters get) {
    get.replyTo().tell(List.copyOf(letters));
    return this;
  }
}
