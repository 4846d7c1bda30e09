package io.tagfabric.provider.tcp.record;

import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import org.agrona.DirectBuffer;

/**
 * How far the payload of a {@link Records#PLACE} record has come, on one connection. It outlives
 * the sockets, as the stream does. Thread: the domain's loop.
 */
public final class Placing {
  private Place place;
  private int at;
  private int left;
  private int padding;

  /** Places that the peer may write without a copy. */
  private int awaited;

  /** A place that the peer has been told, or may write no longer. */
  void count(Place named, int more) {
    awaited += named.isDirect() ? more : 0;
  }

  /** Whether bytes may come soon that a socket can read where they shall lie. */
  boolean isAwaited() {
    return awaited > 0;
  }

  /**
   * A payload follows.
   *
   * @param place where it goes; null for nowhere
   * @param at where it begins there
   */
  public void begin(Place place, int at, int bytes, int padding) {
    this.place = place;
    this.at = at;
    left = bytes;
    this.padding = padding;
  }

  /** Whether bytes of a payload, or behind it, are what comes next. */
  boolean isUnderWay() {
    return left + padding > 0;
  }

  /** Whether a socket can read what comes next where it shall lie. */
  boolean isRead() {
    return left > 0 && place != null && place.isRead();
  }

  /** Reads once what comes next. */
  int read(ReadableByteChannel socket, int most) throws IOException {
    int read = place.read(socket, at, Math.min(most, left));
    if (read > 0) {
      at += read;
      left -= read;
    }
    return read;
  }

  /** Takes bytes that were read otherwise. Returns how many of them are part of it. */
  int take(DirectBuffer from, int offset, int length) {
    int payload = Math.min(left, length);
    if (payload > 0 && place != null) {
      place.put(at, from, offset, payload);
    }
    at += payload;
    left -= payload;
    int behind = Math.min(padding, length - payload);
    padding -= behind;
    return payload + behind;
  }

  /** A place is no place any more: what was to go there goes nowhere. */
  public void forget(Place gone) {
    if (place == gone) {
      place = null;
    }
  }
}
