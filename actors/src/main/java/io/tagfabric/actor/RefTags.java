package io.tagfabric.actor;

/** Tags of messages between nodes: a kind, and the number of the recipient. */
final class RefTags {
  static final int TELL_KIND = 1;
  static final int NAMED_KIND = 2;
  static final int CONTROL_KIND = 3;
  static final long CONTROL = (long) CONTROL_KIND << 56;

  private static final int KIND_SHIFT = 56;

  private RefTags() {}

  /** Of a message to an actor: by its number, or by a name in the message if it has none. */
  static long tell(int number) {
    return number > 0 ? ((long) TELL_KIND << KIND_SHIFT) | number : (long) NAMED_KIND << KIND_SHIFT;
  }

  static int kind(long tag) {
    return (int) (tag >>> KIND_SHIFT);
  }

  static int number(long tag) {
    return (int) tag;
  }
}
