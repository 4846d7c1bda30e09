package io.tagfabric.provider.shm.ring;

import org.agrona.MutableDirectBuffer;

/** One sender's way to the reader of another domain. Thread: the sender's loop. */
public sealed interface RecordWriter permits LaneWriter, RingWriter {
  /** Room for a record, which {@link #commit} must follow; negative if there is none now. */
  int claim(int type, int length);

  /** Whether a record is claimed that is neither committed nor given up. */
  boolean hasClaim();

  /** Where a claimed record is written. */
  MutableDirectBuffer buffer();

  /** Gives a claimed record up; the reader passes over it. */
  void abort(int index);

  /** Hands a claimed record to the reader. */
  void commit(int index);

  /** Makes ready what the next records will touch; for when there is nothing else to do. */
  void prepare();
}
