package io.tagfabric.collective.run;

import io.tagfabric.collective.schedule.Schedule;

/**
 * What a collective was cut into, and what this member sent for it. A value.
 *
 * @param segments pieces of the vector
 * @param messages how many
 * @param bytes of their payloads
 */
record Traffic(int segments, int messages, long bytes) {
  /** Nothing was sent. */
  static final Traffic NONE = new Traffic(1, 0, 0);

  /** No message yet. */
  static Traffic of(int segments) {
    return new Traffic(segments, 0, 0);
  }

  /** The same with the messages of a schedule. */
  Traffic with(Schedule schedule, int elementBytes) {
    return new Traffic(
        segments,
        messages + schedule.messagesSent(),
        bytes + schedule.elementsSent() * elementBytes);
  }
}
