package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.TaggedArrivals;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One call of {@link TaggedArrivals} as a value, with copies of its bytes, so that it can wait in a
 * mailbox.
 */
@InternalApi
public sealed interface Arrival {
  /** Makes the call. */
  void tell(TaggedArrivals arrivals);

  /** As {@link TaggedArrivals#whole}. */
  record Whole(FrameOrigin origin, MessageView message) implements Arrival {
    @Override
    public void tell(TaggedArrivals arrivals) {
      arrivals.whole(origin, message);
    }
  }

  /** As {@link TaggedArrivals#datagram}. */
  record Datagram(FrameOrigin origin, MessageView message) implements Arrival {
    @Override
    public void tell(TaggedArrivals arrivals) {
      arrivals.datagram(origin, message);
    }
  }

  /** As {@link TaggedArrivals#first}. */
  record First(FrameOrigin origin, MessageView part, long message, long total) implements Arrival {
    @Override
    public void tell(TaggedArrivals arrivals) {
      arrivals.first(origin, part, message, total);
    }
  }

  /** As {@link TaggedArrivals#next}. */
  record Next(FrameOrigin origin, long message, long position, DirectBuffer bytes)
      implements Arrival {
    @Override
    public void tell(TaggedArrivals arrivals) {
      arrivals.next(origin, message, position, bytes, 0, bytes.capacity());
    }
  }

  /** As {@link TaggedArrivals#announced}. */
  record Announcement(
      FrameOrigin origin,
      MessageView envelope,
      long message,
      long length,
      boolean wantsFinish,
      MemoryKey memory)
      implements Arrival {
    @Override
    public void tell(TaggedArrivals arrivals) {
      arrivals.announced(origin, envelope, message, length, wantsFinish, memory);
    }
  }

  /** As {@link TaggedArrivals#aborted}. */
  record Abort(FrameOrigin origin, long message, int errorCode) implements Arrival {
    @Override
    public void tell(TaggedArrivals arrivals) {
      arrivals.aborted(origin, message, errorCode);
    }
  }

  /** As {@link TaggedArrivals#data}. */
  record Data(FrameOrigin origin, long receive, long position, DirectBuffer bytes)
      implements Arrival {
    @Override
    public void tell(TaggedArrivals arrivals) {
      arrivals.data(origin, receive, position, bytes, 0, bytes.capacity());
    }
  }

  /** As {@link TaggedArrivals#placed}. */
  record Placed(FrameOrigin origin, long receive, long position, int length) implements Arrival {
    @Override
    public void tell(TaggedArrivals arrivals) {
      arrivals.placed(origin, receive, position, length);
    }
  }

  /** Makes values of calls, and hands them to somebody. */
  static TaggedArrivals copying(Consumer<? super Arrival> to) {
    return new TaggedArrivals() {
      @Override
      public void whole(FrameOrigin origin, MessageView message) {
        to.accept(new Whole(origin, message.copy()));
      }

      @Override
      public void datagram(FrameOrigin origin, MessageView message) {
        to.accept(new Datagram(origin, message.copy()));
      }

      @Override
      public void first(FrameOrigin origin, MessageView part, long message, long total) {
        to.accept(new First(origin, part.copy(), message, total));
      }

      @Override
      public void next(
          FrameOrigin origin,
          long message,
          long position,
          DirectBuffer bytes,
          int offset,
          int length) {
        to.accept(new Next(origin, message, position, copy(bytes, offset, length)));
      }

      @Override
      public void announced(
          FrameOrigin origin,
          MessageView envelope,
          long message,
          long length,
          boolean wantsFinish,
          MemoryKey memory) {
        to.accept(new Announcement(origin, envelope.copy(), message, length, wantsFinish, memory));
      }

      @Override
      public void aborted(FrameOrigin origin, long message, int errorCode) {
        to.accept(new Abort(origin, message, errorCode));
      }

      @Override
      public void data(
          FrameOrigin origin,
          long receive,
          long position,
          DirectBuffer bytes,
          int offset,
          int length) {
        to.accept(new Data(origin, receive, position, copy(bytes, offset, length)));
      }

      @Override
      public void placed(FrameOrigin origin, long receive, long position, int length) {
        to.accept(new Placed(origin, receive, position, length));
      }
    };
  }

  private static DirectBuffer copy(DirectBuffer bytes, int offset, int length) {
    byte[] copy = new byte[length];
    bytes.getBytes(offset, copy);
    return new UnsafeBuffer(copy);
  }
}
