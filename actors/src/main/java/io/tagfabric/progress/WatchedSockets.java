package io.tagfabric.progress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** How a {@link Doorbell} that sleeps in a selector watches the sockets of other transports too. */
public final class WatchedSockets {
  private enum Mark {
    WATCHED
  }

  private WatchedSockets() {}

  /** Ends sleeps in the selector when the channel can be read. Thread: any. */
  public static void add(Selector selector, SelectableChannel channel) {
    try {
      channel.register(selector, SelectionKey.OP_READ, Mark.WATCHED);
      selector.wakeup();
    } catch (ClosedChannelException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Ends that. The socket of a closed channel is freed only when no selector knows it any more, so
   * the selector forgets it at once. Thread: any.
   */
  public static void remove(Selector selector, SelectableChannel channel) {
    SelectionKey key = channel.keyFor(selector);
    if (key != null) {
      key.cancel();
    }
    selector.wakeup();
    try {
      selector.selectNow(notUsed -> {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a key belongs to a watched socket, which its transport reads and closes itself. */
  public static boolean isWatched(SelectionKey key) {
    return key.attachment() == Mark.WATCHED;
  }
}
