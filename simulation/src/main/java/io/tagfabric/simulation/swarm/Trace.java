package io.tagfabric.simulation.swarm;

import io.tagfabric.simulation.world.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What a run does: always as a part of its hash, and as lines of text if somebody reads them. */
final class Trace {
  private final Scheduler scheduler;
  private final List<String> lines;

  Trace(Scheduler scheduler, boolean isRead) {
    this.scheduler = scheduler;
    lines = isRead ? new ArrayList<>() : null;
  }

  /** Something has happened; the numbers identify it. */
  void note(int what, long one, long two, long three, Supplier<String> text) {
    scheduler.hash().add(what);
    scheduler.hash().add(one);
    scheduler.hash().add(two);
    scheduler.hash().add(three);
    if (lines != null) {
      say(text.get());
    }
  }

  /** A line that says nothing about what happens. */
  void say(String text) {
    if (lines != null) {
      lines.add(
          String.format(
              Locale.ROOT, "%12.3f us  %s", scheduler.clock().elapsedNs() / 1_000.0, text));
    }
  }

  List<String> lines() {
    return lines == null ? List.of() : List.copyOf(lines);
  }
}
