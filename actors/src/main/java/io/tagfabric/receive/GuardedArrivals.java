package io.tagfabric.receive;

import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.TaggedArrivals;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * What comes for receives that several endpoints share: tells whether it was these receives that
 * failed, or the endpoint that brought it.
 */
final class GuardedArrivals implements TaggedArrivals {
  private final TaggedArrivals receives;
  private final Consumer<RuntimeException> defects;

  GuardedArrivals(TaggedArrivals receives, Consumer<RuntimeException> defects) {
    this.receives = receives;
    this.defects = defects;
  }

  @Override
  public void whole(FrameOrigin origin, MessageView message) {
    try {
      receives.whole(origin, message);
    } catch (RuntimeException e) {
      defects.accept(e);
    }
  }

  @Override
  public void datagram(FrameOrigin origin, MessageView message) {
    try {
      receives.datagram(origin, message);
    } catch (RuntimeException e) {
      defects.accept(e);
    }
  }

  @Override
  public void first(FrameOrigin origin, MessageView part, long message, long total) {
    try {
      receives.first(origin, part, message, total);
    } catch (RuntimeException e) {
      defects.accept(e);
    }
  }

  @Override
  public void next(
      FrameOrigin origin, long message, long position, DirectBuffer bytes, int offset, int length) {
    try {
      receives.next(origin, message, position, bytes, offset, length);
    } catch (RuntimeException e) {
      defects.accept(e);
    }
  }

  @Override
  public void announced(
      FrameOrigin origin,
      MessageView envelope,
      long message,
      long length,
      boolean wantsFinish,
      MemoryKey memory) {
    try {
      receives.announced(origin, envelope, message, length, wantsFinish, memory);
    } catch (RuntimeException e) {
      defects.accept(e);
    }
  }

  @Override
  public void aborted(FrameOrigin origin, long message, int errorCode) {
    try {
      receives.aborted(origin, message, errorCode);
    } catch (RuntimeException e) {
      defects.accept(e);
    }
  }

  @Override
  public void data(
      FrameOrigin origin, long receive, long position, DirectBuffer bytes, int offset, int length) {
    try {
      receives.data(origin, receive, position, bytes, offset, length);
    } catch (RuntimeException e) {
      defects.accept(e);
    }
  }

  @Override
  public void placed(FrameOrigin origin, long receive, long position, int length) {
    try {
      receives.placed(origin, receive, position, length);
    } catch (RuntimeException e) {
      defects.accept(e);
    }
  }
}
