package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Questions to the actors of an endpoint that nobody answers once these have stopped; they fail
 * then, instead of lasting until their timeout. Thread: any.
 */
final class EndpointAsks {
  private final ProgressFutures futures;
  private final Set<ProgressFuture<?>> open = Collections.synchronizedSet(new LinkedHashSet<>());
  private volatile boolean stopped;

  EndpointAsks(ProgressFutures futures) {
    this.futures = futures;
  }

  /** As {@link ProgressFutures#ask}; fails with SHUTDOWN when the actor has stopped. */
  <C, R> ProgressFuture<R> ask(
      ActorRef<C> actor, Function<ActorRef<R>, C> message, Duration timeout) {
    if (stopped) {
      ProgressFuture<R> refused = futures.create();
      fail(refused);
      return refused;
    }
    ProgressFuture<R> future = futures.ask(actor, message, timeout);
    open.add(future);
    CompletionStage<R> answered = future;
    answered.whenComplete((answer, failure) -> open.remove(future));
    if (stopped) {
      fail(future);
    }
    return future;
  }

  /** The actors have stopped: asks that are open fail, and so do all that follow. */
  void stop() {
    stopped = true;
    List<ProgressFuture<?>> unanswered;
    synchronized (open) {
      unanswered = List.copyOf(open);
    }
    unanswered.forEach(EndpointAsks::fail);
  }

  private static void fail(ProgressFuture<?> future) {
    future.completeExceptionally(
        new FabricException(
            FabricError.SHUTDOWN, "the endpoint's actors have stopped, open another endpoint"));
  }
}
