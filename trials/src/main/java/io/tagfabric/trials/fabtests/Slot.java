package io.tagfabric.trials.fabtests;

import io.tagfabric.complete.Completion;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** An operation that was posted, its bytes, and how it ended. Thread: one. */
final class Slot {
  final byte[] bytes;
  final UnsafeBuffer buffer;
  final boolean isReceive;

  /** Null while it is under way. */
  Completion done;

  Slot(byte[] bytes, boolean isReceive) {
    this.bytes = bytes;
    this.buffer = new UnsafeBuffer(bytes);
    this.isReceive = isReceive;
  }

  /** The message that came. */
  Completion.Received received() {
    if (done instanceof Completion.Received received) {
      return received;
    }
    throw new Wrong("a receive ended with " + done);
  }

  /** That a send has succeeded. */
  Completion.Sent sent() {
    if (done instanceof Completion.Sent sent) {
      return sent;
    }
    throw new Wrong("a send ended with " + done);
  }

  /** How it failed. */
  Completion.Failed failed() {
    if (done instanceof Completion.Failed failed) {
      return failed;
    }
    throw new Wrong("an operation that has to fail ended with " + done);
  }

  /** Checks the message that came, byte by byte, and that no other byte was written. */
  void require(byte[] wanted) {
    Wrong.unless(
        received().length() == wanted.length,
        () -> "length=" + received().length() + " is not " + wanted.length);
    int at = Arrays.mismatch(bytes, 0, wanted.length, wanted, 0, wanted.length);
    Wrong.unless(
        at < 0, () -> "byte " + at + " of " + wanted.length + " is " + bytes[at] + ", not sent");
    requireUntouched(wanted.length);
  }

  /** Checks that no byte from here on was written. */
  void requireUntouched(int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] != Link.FILL) {
        throw new Wrong("byte " + i + " behind a message of " + from + " was written");
      }
    }
  }
}
