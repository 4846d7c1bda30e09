package io.tagfabric.testkit;

import io.tagfabric.endpoint.EndpointFutures;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Receives by a future. */
final class FutureFace extends ProbeFace {
  private final EndpointFutures futures;

  FutureFace(TestFabric fabric, EndpointFutures futures) {
    super(fabric);
    this.futures = futures;
  }

  @Override
  TaggedMessage receive(TagSelector selector, Duration timeout) {
    Object context = new Object();
    CompletableFuture<TaggedMessage> received =
        futures.receive(TaggedReceive.of(selector), context).toCompletableFuture();
    if (!isMet(received::isDone, timeout)
        && fabric().await(futures.cancel(context)) instanceof TagMatcher.Cancelled) {
      return null;
    }
    return fabric().await(received);
  }
}
