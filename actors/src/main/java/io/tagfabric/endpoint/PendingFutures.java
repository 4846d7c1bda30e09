package io.tagfabric.endpoint;

import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.match.ManyListener;
import io.tagfabric.match.ProbeListener;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.tag.TaggedMessage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The futures of one endpoint's operations that are under way, and how many there are. Accepted by
 * any thread, completed on the domain's loop.
 */
final class PendingFutures {
  private final ProgressFutures futures;
  private final int limit;
  private final AtomicInteger pending = new AtomicInteger();

  /**
   * None.
   *
   * @param limit how many there may be
   */
  PendingFutures(ProgressFutures futures, int limit) {
    this.futures = futures;
    this.limit = limit;
  }

  /** Whether its operation may begin; else the future has failed with AGAIN. */
  boolean accept(ProgressFuture<?> future) {
    if (pending.incrementAndGet() <= limit) {
      return true;
    }
    pending.decrementAndGet();
    future.completeExceptionally(
        new FabricException(
            FabricError.AGAIN,
            "pendingFutures="
                + limit
                + " is the limit, wait for some or raise tagfabric.endpoint.max-pending-futures"));
    return false;
  }

  /** An accepted operation has ended well. */
  <T> void complete(ProgressFuture<T> future, T value) {
    pending.decrementAndGet();
    futures.complete(future, value);
  }

  private void fail(ProgressFuture<?> future, Completion.Failed failure) {
    fail(future, new FabricException(failure.error(), failure.detail(), failure.mayHaveArrived()));
  }

  /** An accepted operation has failed. */
  void fail(ProgressFuture<?> future, FabricException reason) {
    pending.decrementAndGet();
    futures.fail(future, reason);
  }

  /** An accepted operation has not begun. Thread: the one that has made the future. */
  void refuse(ProgressFuture<?> future, FabricException reason) {
    pending.decrementAndGet();
    future.completeExceptionally(reason);
  }

  /** An accepted operation cannot leave now, and nothing of it is kept. */
  void refuseNow(ProgressFuture<?> future, int peer) {
    refuse(
        future,
        new FabricException(
            FabricError.AGAIN,
            "peer=" + peer + " takes nothing now, make progress before the next try"));
  }

  /** Completes the future of an accepted send. */
  SendListener send(ProgressFuture<Completion.Sent> future) {
    return new SendListener() {
      @Override
      public void onSent(Completion.Sent sent) {
        complete(future, sent);
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        fail(future, failure);
      }
    };
  }

  /** Completes the future of an accepted active request. */
  ActiveListener active(ProgressFuture<ActiveReply> future) {
    return new ActiveListener() {
      @Override
      public void onReply(ActiveReply reply) {
        complete(future, reply);
      }

      @Override
      public void onFailed(FabricException reason) {
        fail(future, reason);
      }
    };
  }

  /** Completes the future of an accepted access, with what is made of its completion. */
  <T> AccessListener access(
      ProgressFuture<T> future, Function<? super Completion.Accessed, T> outcome) {
    return new AccessListener() {
      @Override
      public void onAccessed(Completion.Accessed accessed) {
        complete(future, outcome.apply(accessed));
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        fail(future, failure);
      }
    };
  }

  /** Completes the future of an accepted receive. */
  ReceiveListener receive(ProgressFuture<TaggedMessage> future) {
    return new ReceiveListener() {
      @Override
      public void onReceived(TaggedMessage message) {
        complete(future, message);
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        fail(future, failure);
      }
    };
  }

  /** Completes the future of an accepted receive of many messages. */
  ManyListener many(
      ProgressFuture<Completion.Released> future, Consumer<? super Completion> listener) {
    return new ManyListener() {
      private Completion.Failed failedWith;

      @Override
      public void onMessage(Completion message) {
        listener.accept(message);
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        failedWith = failure; // until the buffer is the program's again
      }

      @Override
      public void onReleased(Completion.Released released) {
        if (failedWith == null) {
          complete(future, released);
        } else {
          fail(future, failedWith);
        }
      }
    };
  }

  /** Completes the future of an accepted probe. */
  ProbeListener probe(ProgressFuture<TagMatcher.MessageInfo> future) {
    return new ProbeListener() {
      @Override
      public void onFound(TagMatcher.MessageInfo message) {
        complete(future, message);
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        fail(future, failure);
      }
    };
  }
}
