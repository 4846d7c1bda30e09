package io.tagfabric.actor;

import java.util.concurrent.atomic.LongAdder;

/** What references have done. Thread: any. */
final class ActorCounters {
  final LongAdder sent = new LongAdder();
  final LongAdder received = new LongAdder();
  final LongAdder byArtery = new LongAdder();
  final LongAdder overflowed = new LongAdder();
  final LongAdder unwritable = new LongAdder();
  final LongAdder unreadable = new LongAdder();
  final LongAdder harmful = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder dead = new LongAdder();
  final LongAdder known = new LongAdder();
}
