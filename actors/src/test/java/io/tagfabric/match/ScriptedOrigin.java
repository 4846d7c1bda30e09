package io.tagfabric.match;

import io.tagfabric.wire.FrameOrigin;

/** A peer of a receive context under test: counts what it gets back. */
final class ScriptedOrigin implements FrameOrigin {
  private final int peer;
  boolean lost;
  int consumedMessages;
  long consumedBytes;
  long processed;

  ScriptedOrigin(int peer) {
    this.peer = peer;
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public void consumedEager(int payloadBytes) {
    consumedMessages++;
    consumedBytes += payloadBytes;
  }

  @Override
  public void consumedRequest() {
    consumedMessages++;
  }

  @Override
  public void processed(long sequence) {
    processed = sequence;
  }

  @Override
  public boolean isLost() {
    return lost;
  }
}
