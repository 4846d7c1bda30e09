package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.match.ReceiveContext;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.WireListener;

/** What an {@link EndpointActor} is made of; the opener of endpoints fills it in. */
interface EndpointPlan {
  ProgressLoop loop();

  EndpointSettings settings();

  CompletionQueue transmitQueue();

  Behavior<TagMatcher.Command> matcher(ActorRef<Object> endpoint);

  /** The inside of the matcher; where packets go that come without a message. */
  ReceiveContext receives();

  /** Where the matcher's receives complete. */
  CompletionOutbox receiveCompletions();

  EndpointCore core(ActorRef<Object> inbox, WireListener listener, EndpointOutput output);

  void opened(ActorRef<Object> endpoint, ActorRef<TagMatcher.Command> matcher, SendEntry sends);

  void failed(RuntimeException failure);

  /** The endpoint accepts nothing more. */
  void closing();

  /** All that it had accepted has ended. */
  void ended(Endpoint.Closed report);

  /** Its actor has stopped and answers nobody any more. */
  void stopped();
}
