package io.tagfabric.collective.algorithm;

import io.tagfabric.collective.schedule.ScheduleBuilder;
import io.tagfabric.collective.schedule.Slice;

/** Combines slices one after the other, the first on the left. */
final class InOrder {
  private InOrder() {}

  static void fold(Slice[] parts, Slice into, ScheduleBuilder builder) {
    if (parts.length == 1) {
      builder.copy(parts[0], into);
      return;
    }
    builder.reduce(parts[0], parts[1], into);
    for (int i = 2; i < parts.length; i++) {
      builder.reduce(into, parts[i], into);
    }
  }
}
