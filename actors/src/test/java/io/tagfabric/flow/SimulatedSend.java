package io.tagfabric.flow;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.PendingSend;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** A send whose bytes follow from its number, and how it ended. */
final class SimulatedSend extends PendingSend {
  final int number;
  private final byte[] bytes;
  int completions;
  int failures;
  boolean cancelled;
  FabricError error;
  String detail;

  private SimulatedSend(int number, byte[] bytes, CompletionLevel level) {
    super(0, level, null);
    show(number, new UnsafeBuffer(bytes), 1, bytes.length - 2);
    if (number % 3 == 0) {
      showData(~number);
    }
    this.number = number;
    this.bytes = bytes;
  }

  static SimulatedSend of(int number, int length, CompletionLevel level) {
    byte[] bytes = new byte[length + 2];
    for (int i = 0; i < length; i++) {
      bytes[i + 1] = byteAt(number, i);
    }
    return new SimulatedSend(number, bytes, level);
  }

  static byte byteAt(int number, int position) {
    return (byte) (number * 31 + position * 7 + 1);
  }

  /** The program uses its buffer for something else. */
  void overwrite() {
    Arrays.fill(bytes, (byte) 0x55);
  }

  /** Whether it was cancelled before the peer could know of it. */
  boolean wasNeverSent() {
    return cancelled && message == 0 && sent == 0;
  }

  int ends() {
    return completions + failures;
  }
}
