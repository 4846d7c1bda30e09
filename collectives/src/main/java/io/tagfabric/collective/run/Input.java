package io.tagfabric.collective.run;

/**
 * A call whose input shares no memory with its output. If they do share some, the input is copied
 * when a call begins, into memory that is kept for the next.
 */
final class Input {
  private final CollectiveCall call;
  private final CollectiveCall apart;
  private final boolean copies;

  Input(CollectiveCall call) {
    this.call = call;
    this.apart = call.apart();
    this.copies = call.input().overlaps(call.output());
  }

  /** The call to do. */
  CollectiveCall apart() {
    return apart;
  }

  /** The program has written the input anew. */
  void again() {
    if (copies) {
      apart
          .input()
          .buffer()
          .putBytes(
              apart.input().offset(),
              call.input().buffer(),
              call.input().offset(),
              call.input().lengthBytes());
    }
  }
}
