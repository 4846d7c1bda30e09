package io.tagfabric.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.agrona.DirectBuffer;

/** Writes down what it is told, each call as the list of its name and its arguments. */
public final class RecordedArrivals implements TaggedArrivals {
  /** The calls so far; bytes are hexadecimal digits. */
  public final List<List<Object>> calls = new ArrayList<>();

  private void add(Object... call) {
    calls.add(Arrays.asList(call));
  }

  /** Bytes as they stand in a call. */
  static String hex(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static String hex(MessageView message) {
    return hex(message.buffer(), message.offset(), message.length());
  }

  @Override
  public void whole(FrameOrigin origin, MessageView message) {
    add("whole", origin, message.tag(), message.hasData(), message.data(), hex(message));
  }

  @Override
  public void datagram(FrameOrigin origin, MessageView message) {
    add("datagram", origin, message.tag(), message.hasData(), message.data(), hex(message));
  }

  @Override
  public void first(FrameOrigin origin, MessageView part, long message, long total) {
    add("first", origin, part.tag(), part.hasData(), part.data(), hex(part), message, total);
  }

  @Override
  public void next(
      FrameOrigin origin, long message, long position, DirectBuffer bytes, int offset, int length) {
    add("next", origin, message, position, hex(bytes, offset, length));
  }

  @Override
  public void announced(
      FrameOrigin origin,
      MessageView envelope,
      long message,
      long length,
      boolean wantsFinish,
      MemoryKey memory) {
    add(
        "announced",
        origin,
        envelope.tag(),
        envelope.hasData(),
        envelope.data(),
        hex(envelope),
        message,
        length,
        wantsFinish,
        memory);
  }

  @Override
  public void aborted(FrameOrigin origin, long message, int errorCode) {
    add("aborted", origin, message, errorCode);
  }

  @Override
  public void data(
      FrameOrigin origin, long receive, long position, DirectBuffer bytes, int offset, int length) {
    add("data", origin, receive, position, hex(bytes, offset, length));
  }

  @Override
  public void placed(FrameOrigin origin, long receive, long position, int length) {
    add("placed", origin, receive, position, length);
  }
}
