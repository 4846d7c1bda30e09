package io.tagfabric.match.core;

import io.tagfabric.complete.Completion;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.table.WaitingReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * A standing receive: every match is delivered, in the order of matching, also when a long message
 * finishes after a short one that came later. Single threaded.
 */
final class Subscription extends WaitingReceive {
  private final TagSelector selector;
  private final Object subscriber;
  private final int maxLength;
  private final Consumer<TaggedMessage> delivery;
  private final ArrayDeque<Turn> turns = new ArrayDeque<>();

  Subscription(
      TagSelector selector, Object subscriber, int maxLength, Consumer<TaggedMessage> delivery) {
    super(selector.tag(), selector.ignore(), selector.source());
    this.selector = selector;
    this.subscriber = subscriber;
    this.maxLength = maxLength;
    this.delivery = delivery;
  }

  TagSelector selector() {
    return selector;
  }

  Object subscriber() {
    return subscriber;
  }

  /** The receive for the next match. */
  PostedReceive next() {
    Turn turn = new Turn();
    turns.addLast(turn);
    PostedReceive receive = new PostedReceive(selector, maxLength, this, turn);
    receive.internal();
    return receive;
  }

  private void deliverDone() {
    while (!turns.isEmpty() && turns.peekFirst().done) {
      TaggedMessage message = turns.pollFirst().message;
      if (message != null) {
        delivery.accept(message);
      }
    }
  }

  private final class Turn implements ReceiveListener {
    private boolean done;
    private TaggedMessage message;

    @Override
    public void onReceived(TaggedMessage received) {
      done = true;
      message = received;
      deliverDone();
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      done = true;
      deliverDone();
    }
  }
}
