package io.tagfabric.bench.peer;

import io.tagfabric.bench.measure.End;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An end whose transport hands every message to a callback, without receives being posted. It keeps
 * the last message and counts all; a run counts from where the one before ended, since a message of
 * the next may come before {@link #begin}.
 */
abstract class CountingEnd implements End {
  private final UnsafeBuffer incoming = new UnsafeBuffer(new byte[0]);
  private UnsafeBuffer outgoing = new UnsafeBuffer(new byte[0]);
  private byte[] last = new byte[0];
  private int countedBefore;
  private int awaited;

  /** Messages that have arrived in all. */
  abstract int arrived();

  @Override
  public void begin(int sentBytes, int receivedBytes) {
    countedBefore += awaited;
    awaited = 0;
    if (outgoing.capacity() != sentBytes) {
      outgoing = new UnsafeBuffer(new byte[sentBytes]);
    }
  }

  @Override
  public int received() {
    return arrived() - countedBefore;
  }

  @Override
  public void postReceive() {
    // whatever comes is taken
  }

  @Override
  public void await(int messages) {
    awaitArrival(countedBefore + messages);
    awaited = Math.max(awaited, messages);
  }

  /** Waits until so many messages have arrived in all. */
  abstract void awaitArrival(int messages);

  /** Takes a message's bytes, as an application that keeps them must. */
  void keep(DirectBuffer buffer, int offset, int length) {
    if (last.length != length) {
      last = new byte[length];
      incoming.wrap(last);
    }
    buffer.getBytes(offset, last);
  }

  @Override
  public MutableDirectBuffer outgoing() {
    return outgoing;
  }

  @Override
  public DirectBuffer incoming() {
    return incoming;
  }
}
