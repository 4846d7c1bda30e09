package io.tagfabric.link.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.PlacedListener;
import io.tagfabric.match.ProbeListener;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.tag.TaggedMessage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The futures of one endpoint's operations that are under way, and how many there are. Accepted by
 * any thread, completed on the domain's loop.
 */
@InternalApi
public final class PendingFutures {
  private final ProgressFutures futures;
  private final int limit;
  private final AtomicInteger pending = new AtomicInteger();

  /**
   * None.
   *
   * @param limit how many there may be
   */
  public PendingFutures(ProgressFutures futures, int limit) {
    this.futures = futures;
    this.limit = limit;
  }

  /** Whether its operation may begin; else the future has failed with AGAIN. */
  public boolean accept(ProgressFuture<?> future) {
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
  public <T> void complete(ProgressFuture<T> future, T value) {
    pending.decrementAndGet();
    futures.complete(future, value);
  }

  /** An accepted operation has failed. */
  public void fail(ProgressFuture<?> future, FabricException reason) {
    pending.decrementAndGet();
    futures.fail(future, reason);
  }

  /** The same, with what its completion says. */
  public void fail(ProgressFuture<?> future, Completion.Failed failure) {
    fail(future, new FabricException(failure.error(), failure.detail(), failure.mayHaveArrived()));
  }

  /** An accepted operation has not begun. Thread: the one that has made the future. */
  void refuse(ProgressFuture<?> future, FabricException reason) {
    pending.decrementAndGet();
    future.completeExceptionally(reason);
  }

  /** An accepted operation cannot leave now, and nothing of it is kept. */
  public void refuseNow(ProgressFuture<?> future, int peer) {
    refuse(
        future,
        new FabricException(
            FabricError.AGAIN,
            "peer=" + peer + " takes nothing now, make progress before the next try"));
  }

  /** Completes the future of an accepted send. */
  public SendListener send(ProgressFuture<Completion.Sent> future) {
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

  /** Completes the future of an accepted receive. */
  public ReceiveListener receive(ProgressFuture<TaggedMessage> future) {
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

  /** Completes the future of an accepted receive into a buffer. */
  public PlacedListener placed(ProgressFuture<Completion.Received> future) {
    return new PlacedListener() {
      @Override
      public void onMessage(Completion message) {
        if (message instanceof Completion.Failed failure) {
          fail(future, failure);
        } else {
          complete(future, (Completion.Received) message);
        }
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        fail(future, failure);
      }

      @Override
      public void onReleased(Completion.Released released) {
        throw new IllegalStateException("a receive of one message has released its buffer");
      }
    };
  }

  /** Completes the future of an accepted receive of many messages. */
  public PlacedListener many(
      ProgressFuture<Completion.Released> future, Consumer<? super Completion> listener) {
    return new PlacedListener() {
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
  public ProbeListener probe(ProgressFuture<MessageInfo> future) {
    return new ProbeListener() {
      @Override
      public void onFound(MessageInfo message) {
        complete(future, message);
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        fail(future, failure);
      }
    };
  }
}
