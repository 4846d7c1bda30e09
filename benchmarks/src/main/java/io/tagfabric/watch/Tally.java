package io.tagfabric.watch;

import io.tagfabric.report.JsonLine;
import io.tagfabric.trace.TraceEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Who has driven a domain lately, how many messages were taken meanwhile, and what it may still
 * send to its peers. Single threaded.
 */
final class Tally {
  private static final double NS_PER_US = 1_000;

  /** What a thread has driven since the last frame. */
  private static final class Driven {
    long passes;
    long ns;
  }

  /** What might still go to a peer at a time on the clock of the domain. */
  private record Credit(long messages, long bytes, long atNs) {}

  private final Map<String, Driven> drivers = new TreeMap<>();
  private final Map<Long, Credit> credits = new LinkedHashMap<>();
  private long taken;

  void note(TraceEvent event) {
    switch (event.kind()) {
      case PASS -> {
        Driven driven = drivers.computeIfAbsent(event.thread(), name -> new Driven());
        driven.passes++;
        driven.ns += event.extra();
      }
      case CREDIT ->
          credits.put(event.extra(), new Credit(event.number(), event.length(), event.timeNs()));
      case FLOW_LOST -> credits.remove(event.extra());
      case MATCHED -> taken++;
      default -> {
        // Nothing that is counted.
      }
    }
  }

  /** Who has driven until now, and how many messages, is not asked for any more. */
  void nextFrame() {
    drivers.clear();
    taken = 0;
  }

  /**
   * Puts what it knows into the line of a domain.
   *
   * @param nowNs on the clock of the domain
   * @param peers names of ActorSystems by incarnation
   */
  JsonLine put(JsonLine line, long nowNs, LongFunction<String> peers) {
    List<JsonLine> driven =
        drivers.entrySet().stream()
            .map(
                each ->
                    new JsonLine()
                        .put("thread", each.getKey())
                        .put("passes", each.getValue().passes)
                        .put("us", each.getValue().ns / NS_PER_US))
            .toList();
    List<JsonLine> left =
        credits.entrySet().stream()
            .map(
                each ->
                    new JsonLine()
                        .put("peer", peers.apply(each.getKey()))
                        .put("messages", each.getValue().messages())
                        .put("bytes", each.getValue().bytes())
                        .put("ageMs", ageMs(each.getValue(), nowNs)))
            .toList();
    return line.put("drivers", driven).put("credits", left).put("taken", taken);
  }

  /** Credit that comes back is seen when the flow sends the next time, so it may be old. */
  private static long ageMs(Credit credit, long nowNs) {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNs - credit.atNs()));
  }
}
