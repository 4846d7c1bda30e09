package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.tag.TagSelector;
import org.agrona.DirectBuffer;

/**
 * An endpoint for code that runs on its domain's loop and tells nobody: operations begin when the
 * handler that is at work has returned, in the order given, and after all that the code has told
 * the endpoint's actors before. Each ends by its listener, which is also the context by which it is
 * cancelled.
 *
 * <p>Thread: the domain's loop.
 */
public final class EndpointPort {
  private final Endpoint endpoint;
  private final DirectPosts direct;
  private final ActorRef<TagMatcher.CancelOutcome> ignored;

  EndpointPort(Endpoint endpoint, DirectPosts direct, ActorRef<TagMatcher.CancelOutcome> ignored) {
    this.endpoint = endpoint;
    this.direct = direct;
    this.ignored = ignored;
  }

  /** Sends a message; as {@link Endpoint.SendTagged} with level INJECT. */
  public void send(
      int peer, long tag, DirectBuffer buffer, int offset, int length, SendListener listener) {
    endpoint.start(
        new Endpoint.SendTagged(
            peer, tag, buffer, offset, length, CompletionLevel.INJECT, listener, listener));
  }

  /** Receives a whole message of at most {@code maxLength} bytes. */
  public void receive(TagSelector selector, int maxLength, ReceiveListener listener) {
    endpoint.start(new TagMatcher.PostReceive(selector, maxLength, listener, listener));
  }

  /** Takes back the send with this listener, if bytes of it are left. */
  public void cancelSend(SendListener listener) {
    if (!direct.cancelSend(listener)) {
      endpoint.ref().tell(new Endpoint.CancelSend(listener, ignored));
    }
  }

  /** Cancels the receive with this listener, if it has not matched. */
  public void cancelReceive(Object listener) {
    if (!direct.cancelReceive(listener)) {
      endpoint.matcher().tell(new TagMatcher.CancelReceive(listener, ignored));
    }
  }
}
