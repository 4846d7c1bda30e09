package io.tagfabric.match.core;

import io.tagfabric.wire.Announced;
import io.tagfabric.wire.MemoryKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The bytes that a peer under test has announced: records what is asked for and told. */
final class ScriptedAnnounced implements Announced {
  /** A call of {@link Announced#clear}. */
  record Clear(
      long message, long receive, long wanted, long clearedTo, long moreBytes, MemoryKey target) {}

  /** A call of {@link Announced#finish}. */
  record Finish(long message, int errorCode) {}

  final List<Clear> clears = new ArrayList<>();
  final List<Finish> finishes = new ArrayList<>();
  final List<MemoryKey> revoked = new ArrayList<>();
  final List<MemoryKey> released = new ArrayList<>();
  boolean unwritable;
  long askedBytes;
  long settledBytes;
  int windowBytes = 64;
  int windows = 2;

  /** The peer's memory at which every key points; null if none can be read. */
  byte[] readable;

  /** Names the bytes that are asked for; null if the peer cannot write them. */
  MemoryKey writable;

  /** Is told of each call as well. */
  Consumer<Clear> onClear = clear -> {};

  Consumer<Finish> onFinish = finish -> {};

  @Override
  public int windowBytes() {
    return windowBytes;
  }

  @Override
  public long bytesUnderWay() {
    return (long) windowBytes * windows;
  }

  @Override
  public void clear(
      long message, long receive, long wanted, long clearedTo, long moreBytes, MemoryKey target) {
    Clear clear = new Clear(message, receive, wanted, clearedTo, moreBytes, target);
    clears.add(clear);
    askedBytes += moreBytes;
    onClear.accept(clear);
  }

  @Override
  public void finish(long message, int errorCode) {
    Finish finish = new Finish(message, errorCode);
    finishes.add(finish);
    onFinish.accept(finish);
  }

  @Override
  public MemoryKey targetOf(DirectBuffer buffer, int offset, int length) {
    return writable;
  }

  @Override
  public boolean release(MemoryKey own) {
    released.add(own);
    return !unwritable;
  }

  @Override
  public void revoke(MemoryKey own) {
    revoked.add(own);
  }

  @Override
  public boolean read(
      MemoryKey source, long position, MutableDirectBuffer target, int offset, int length) {
    if (readable == null) {
      return false;
    }
    target.putBytes(offset, readable, (int) (source.at() + position), length);
    return true;
  }

  @Override
  public void settled(long bytes) {
    settledBytes += bytes;
  }
}
