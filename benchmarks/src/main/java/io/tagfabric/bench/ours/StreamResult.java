package io.tagfabric.bench.ours;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a rank has received while a run counted.
 *
 * @param elapsedNs how long that was here
 * @param messages of each source
 */
record StreamResult(long elapsedNs, List<Long> messages) {
  byte[] encode() {
    ByteBuffer buffer = ByteBuffer.allocate((1 + messages.size()) * Long.BYTES).putLong(elapsedNs);
    for (long each : messages) {
      buffer.putLong(each);
    }
    return buffer.array();
  }

  static StreamResult of(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long elapsedNs = buffer.getLong();
    List<Long> messages = new ArrayList<>();
    while (buffer.hasRemaining()) {
      messages.add(buffer.getLong());
    }
    return new StreamResult(elapsedNs, messages);
  }

  /** Messages a second of each source. */
  double[] rates() {
    return messages.stream().mapToDouble(each -> each * 1e9 / elapsedNs).toArray();
  }
}
