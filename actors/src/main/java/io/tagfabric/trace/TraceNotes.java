package io.tagfabric.trace;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Words in records of fixed size: each takes some bytes in the six numbers that a note has no use
 * for. {@code how} says how many, and whether more follow in the next one.
 */
final class TraceNotes {
  private static final int BYTES = 6 * Long.BYTES;
  private static final int MORE = 1 << 16;

  private TraceNotes() {}

  static void write(Recorder recorder, String text) {
    byte[] all = text.getBytes(StandardCharsets.UTF_8);
    int at = 0;
    do {
      int length = Math.min(BYTES, all.length - at);
      ByteBuffer part = ByteBuffer.allocate(BYTES).put(all, at, length).rewind();
      at += length;
      recorder.record(
          TraceKind.NOTE,
          at < all.length ? length | MORE : length,
          part.getLong(),
          part.getLong(),
          part.getLong(),
          part.getLong(),
          part.getLong(),
          part.getLong(),
          -1,
          0);
    } while (at < all.length);
  }

  /** Makes one event of the records of each note. A note whose begin is lost goes on as it is. */
  static void join(List<TraceEvent> events) {
    if (events.stream().noneMatch(event -> event.kind() == TraceKind.NOTE)) {
      return;
    }
    List<TraceEvent> joined = new ArrayList<>(events.size());
    ByteBuffer text = ByteBuffer.allocate(BYTES);
    for (TraceEvent event : events) {
      if (event.kind() != TraceKind.NOTE) {
        joined.add(event);
        continue;
      }
      text = append(text, event);
      if ((event.how() & MORE) == 0) {
        joined.add(
            note(event, new String(text.array(), 0, text.position(), StandardCharsets.UTF_8)));
        text.clear();
      }
    }
    events.clear();
    events.addAll(joined);
  }

  private static ByteBuffer append(ByteBuffer text, TraceEvent event) {
    ByteBuffer part = ByteBuffer.allocate(BYTES);
    part.putLong(event.flow()).putLong(event.number()).putLong(event.operation());
    part.putLong(event.tag()).putLong(event.length()).putLong(event.extra());
    int length = Math.max(0, Math.min(BYTES, event.how() & (MORE - 1)));
    ByteBuffer longer = text;
    if (text.remaining() < length) {
      longer = ByteBuffer.allocate(2 * text.capacity() + length).put(text.flip());
    }
    return longer.put(part.array(), 0, length);
  }

  private static TraceEvent note(TraceEvent last, String text) {
    return new TraceEvent(
        last.timeNs(), TraceKind.NOTE, 0, last.thread(), 0, 0, 0, 0, 0, 0, -1, 0, text);
  }
}
