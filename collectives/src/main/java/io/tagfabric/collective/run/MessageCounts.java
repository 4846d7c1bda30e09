package io.tagfabric.collective.run;

import io.tagfabric.collective.schedule.Schedule;

/**
 * What a collective was cut into, and what this member sent for it. A value.
 *
 * @param segments pieces of the vector
 * @param messages how many
 * @param bytes of their payloads
 */
record MessageCounts(int segments, int messages, long bytes) {
  /** Nothing was sent. */
  static final MessageCounts NONE = new MessageCounts(1, 0, 0);

  /** No message yet. */
  static MessageCounts of(int segments) {
    return new MessageCounts(segments, 0, 0);
  }

  /** The same with the messages of a schedule. */
  MessageCounts with(Schedule schedule, int elementBytes) {
    return new MessageCounts(
        segments,
        messages + schedule.messagesSent(),
        bytes + schedule.elementsSent() * elementBytes);
  }
}
