package io.tagfabric.kryo;

import com.esotericsoftware.kryo.io.Output;

/** Grows its array up to the limit given for each object. */
final class BoundedOutput extends Output {
  private static final int FIRST_BYTES = 512;

  BoundedOutput() {
    super(FIRST_BYTES, FIRST_BYTES);
  }

  /** Starts an object that may take up to this many bytes. */
  void begin(int mostBytes) {
    position = 0;
    total = 0;
    maxCapacity = mostBytes;
    capacity = Math.min(buffer.length, mostBytes);
  }

  /** Lets go of an array above this many bytes. */
  void end(int keptBytes) {
    if (buffer.length > FIRST_BYTES && buffer.length > keptBytes) {
      buffer = new byte[FIRST_BYTES];
    }
  }
}
