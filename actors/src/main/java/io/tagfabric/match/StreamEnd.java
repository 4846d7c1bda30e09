package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;

/**
 * The last message of a stream, which says how the stream has ended. It is known by its immediate
 * data: two of the 2^64 values, which programs leave alone.
 *
 * <p>One that no receive takes is no lost message: the program at its receiver has stopped before.
 */
@InternalApi
public enum StreamEnd {
  /** The stream has completed; there are no bytes. */
  COMPLETED(0x5a1e_7f3c_94d2_0e61L),

  /** The stream has failed; the bytes are the reason, in UTF-8. */
  FAILED(0x5a1e_7f3c_94d2_0e62L);

  private final long data;

  StreamEnd(long data) {
    this.data = data;
  }

  /** The immediate data that it travels with. */
  public long data() {
    return data;
  }

  /** What a message with this immediate data says; null if it is one of a program. */
  public static StreamEnd of(boolean hasData, long data) {
    if (!hasData) {
      return null;
    }
    return data == COMPLETED.data ? COMPLETED : data == FAILED.data ? FAILED : null;
  }
}
