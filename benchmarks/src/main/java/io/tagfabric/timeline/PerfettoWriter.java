package io.tagfabric.timeline;

import io.tagfabric.timeline.TraceItems.Item;
import io.tagfabric.timeline.TraceItems.Lane;
import io.tagfabric.timeline.TraceItems.Track;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes Perfetto's binary format, in ns.
 *
 * @source perfetto, protos/perfetto/trace: Trace, TracePacket, TrackDescriptor, TrackEvent
 */
public final class PerfettoWriter {
  /** A message of protocol buffers that grows. */
  private static final class Message {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Message varint(int field, long value) {
      raw((long) field << 3);
      raw(value);
      return this;
    }

    Message fixed64(int field, long value) {
      raw((long) field << 3 | 1);
      for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
        bytes.write((int) (value >>> shift));
      }
      return this;
    }

    Message bytes(int field, byte[] value) {
      raw((long) field << 3 | 2);
      raw(value.length);
      bytes.writeBytes(value);
      return this;
    }

    Message text(int field, String value) {
      return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    Message message(int field, Message value) {
      return bytes(field, value.bytes.toByteArray());
    }

    private void raw(long value) {
      long left = value;
      while ((left & ~0x7FL) != 0) {
        bytes.write((int) (left & 0x7F | 0x80));
        left >>>= 7;
      }
      bytes.write((int) left);
    }
  }

  private static final int SEQUENCE = 1;

  private PerfettoWriter() {}

  /** The whole file. */
  public static byte[] write(Timeline timeline) {
    TraceItems items = new TraceItems(timeline);
    Message trace = new Message();
    items.tracks().forEach(track -> trace.message(1, packet().message(60, descriptor(track))));
    items
        .items()
        .forEach(
            item -> trace.message(1, packet().varint(8, item.atNs()).message(11, event(item))));
    return trace.bytes.toByteArray();
  }

  private static Message packet() {
    return new Message().varint(10, SEQUENCE);
  }

  private static Message descriptor(Track track) {
    Message descriptor = new Message().varint(1, track.id());
    if (track.lane() == Lane.RANK) {
      // Numbers of processes that are no more say less than ranks.
      return descriptor.message(
          3, new Message().varint(1, track.rank() + 1L).text(6, track.name()));
    }
    descriptor.text(2, track.name()).varint(5, track.parent());
    if (track.lane() == Lane.CREDIT) {
      return descriptor.bytes(8, new byte[0]);
    }
    return descriptor.message(
        4, new Message().varint(1, track.rank() + 1L).varint(2, track.id()).text(5, track.name()));
  }

  private static Message event(Item item) {
    Message event = new Message().varint(11, item.track().id());
    switch (item.shape()) {
      case BEGIN -> event.varint(9, 1).text(23, item.name());
      case END -> event.varint(9, 2);
      case INSTANT -> event.varint(9, 3).text(23, item.name());
      case COUNTER -> event.varint(9, 4).varint(30, item.value());
    }
    if (item.flow() > 0) {
      event.fixed64(item.lastOfFlow() ? 48 : 47, item.flow());
    }
    return event;
  }
}
