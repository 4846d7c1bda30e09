package io.tagfabric.endpoint;

import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Deferral;
import io.tagfabric.complete.DeferredOperation;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.BufferRange;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Makes sends and receives of an endpoint that a counter starts, see {@link Counter#defer}. Their
 * arguments are those of {@link TaggedOperations} and are refused at once if they are wrong. A
 * deferred one has its slot in the queue from the beginning, and its failure is always told. What
 * waits when the endpoint closes ends with CANCELED, in the order deferred.
 */
public final class DeferredTagged {
  private final Endpoint endpoint;
  private final DirectSends direct;
  private final DirectReceives receives;
  private final ProgressLoop loop;

  /** Those that wait, in the order accepted. */
  private final ConcurrentSkipListMap<Long, Deferral> waiting = new ConcurrentSkipListMap<>();

  private final AtomicLong nextNumber = new AtomicLong();

  DeferredTagged(
      Endpoint endpoint, DirectSends direct, DirectReceives receives, ProgressLoop loop) {
    this.endpoint = endpoint;
    this.direct = direct;
    this.receives = receives;
    this.loop = loop;
  }

  /** A send; the buffer is the endpoint's from {@link Counter#defer} to the completion. */
  public DeferredOperation send(
      int peer,
      DirectBuffer buffer,
      int offset,
      int length,
      long tag,
      SendOptions options,
      Object context) {
    Objects.requireNonNull(options, "options");
    SendOperation.require(buffer, offset, length, options.level());
    endpoint.settings().requireSendable(length);
    Endpoint.SendTagged send = new Endpoint.SendTagged(peer, options.level(), context);
    send.show(tag, buffer, offset, length);
    endpoint.apply(options, send);
    return new Pending() {
      @Override
      boolean reserve() {
        if (!endpoint.transmitQueue().ring().tryReserve()) {
          return false;
        }
        direct.accepted(send);
        return true;
      }

      @Override
      void begin() {
        endpoint.start(send);
      }

      @Override
      void fail(FabricError error, String detail) {
        direct.fail(send, error, detail);
      }
    };
  }

  /**
   * A receive; the buffer is the endpoint's from {@link Counter#defer} to the completion.
   *
   * @param completions which of its ends leave an entry
   */
  public DeferredOperation receive(
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      long tag,
      long ignore,
      int source,
      Completions completions,
      Object context) {
    endpoint.requireReceives();
    Objects.requireNonNull(completions, "completions");
    BufferRange.require(buffer, offset, capacity);
    TagSelector.requireSource(source);
    return new Pending() {
      private TagMatcher.PostReceive receive;

      @Override
      boolean reserve() {
        receive =
            TagMatcher.PostReceive.reserve(
                endpoint.receiveQueue(), buffer, offset, capacity, tag, ignore, source, context);
        if (receive == null) {
          return false;
        }
        if (completions == Completions.ERRORS) {
          receive.silence();
        }
        receives.accepted(receive);
        return true;
      }

      @Override
      void begin() {
        endpoint.start(receive);
      }

      @Override
      void fail(FabricError error, String detail) {
        receives.fail(receive, error, detail);
      }
    };
  }

  /** The endpoint begins to close. */
  void close() {
    waiting.values().forEach(Deferral::cancel);
  }

  private abstract class Pending extends DeferredOperation {
    private long number;

    abstract boolean reserve();

    abstract void begin();

    abstract void fail(FabricError error, String detail);

    @Override
    public final ProgressLoop loop() {
      return loop;
    }

    @Override
    public final boolean accept(Deferral newDeferral) {
      endpoint.requireOpen();
      if (!reserve()) {
        return false;
      }
      number = nextNumber.getAndIncrement();
      waiting.put(number, newDeferral);
      if (!endpoint.isOpen()) {
        // It has closed meanwhile, and may not have seen this one.
        newDeferral.cancel();
      }
      return true;
    }

    @Override
    public final void start() {
      waiting.remove(number);
      begin();
    }

    @Override
    public final void cancel(FabricError error, String detail) {
      waiting.remove(number);
      fail(error, detail);
    }
  }
}
