package io.tagfabric.match.table;

/** A message without a payload, for tests. */
public final class Message extends WaitingMessage {
  Message sent(long tag, int source) {
    describe(tag, source);
    return this;
  }

  static Message of(long tag, int source) {
    return new Message().sent(tag, source);
  }

  @Override
  public String toString() {
    return "message#" + arrivalStamp() + " 0x" + Long.toHexString(tag()) + " from " + source();
  }
}
