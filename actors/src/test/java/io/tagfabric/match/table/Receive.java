package io.tagfabric.match.table;

import io.tagfabric.tag.TagSelector;

/** A receive without a buffer, for tests. */
final class Receive extends WaitingReceive {
  Receive wants(long tag, long ignore, int source) {
    select(tag, ignore, source);
    return this;
  }

  static Receive of(TagSelector selector) {
    return new Receive().wants(selector.tag(), selector.ignore(), selector.source());
  }

  @Override
  public String toString() {
    return "receive#" + postStamp() + " " + new TagSelector(tag(), ignore(), source());
  }
}
