package io.tagfabric.active;

import io.tagfabric.access.RemoteRegion;
import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import java.util.concurrent.CompletionStage;
import org.agrona.DirectBuffer;

/** Writes the bytes of long replies into regions of those who have asked. Thread: any. */
final class LongReplies {
  /** Writes a whole buffer into memory of a peer, as {@code MemoryFutures.write}. */
  @FunctionalInterface
  interface Writer {
    CompletionStage<Completion.Accessed> write(RemoteRegion to, long offset, DirectBuffer bytes);
  }

  private final Writer writer;
  private final ProgressFutures futures;
  private final ActiveTarget target;

  LongReplies(Writer writer, ProgressFutures futures, ActiveTarget target) {
    this.writer = writer;
    this.futures = futures;
    this.target = target;
  }

  /**
   * Writes, then replies.
   *
   * @param inTime whether the request may still be answered
   */
  CompletionStage<Boolean> start(
      ReceivedRequest request,
      boolean inTime,
      RegionDescriptor to,
      long offset,
      ActiveBody body,
      DirectBuffer from) {
    ProgressFuture<Boolean> future = futures.create();
    if (!inTime || !request.wantsReply()) {
      futures.complete(future, inTime);
      return future;
    }
    CompletionStage<Completion.Accessed> written;
    try {
      RemoteRegion region = new RemoteRegion(request.peer(), to);
      written = writer.write(region, offset, from);
    } catch (RuntimeException e) {
      fail(request, future, e);
      return future;
    }
    written.whenComplete(
        (accessed, failure) -> {
          if (failure == null) {
            target.reply(request, body);
            futures.complete(future, true);
          } else {
            fail(request, future, failure);
          }
        });
    return future;
  }

  private void fail(ReceivedRequest request, ProgressFuture<Boolean> future, Throwable failure) {
    FabricException reason =
        failure instanceof FabricException known
            ? known
            : new FabricException(FabricError.OTHER, failure.toString());
    target.refuse(request, reason.error(), "the bytes of a long reply: " + reason.getMessage());
    futures.fail(future, reason);
  }
}
