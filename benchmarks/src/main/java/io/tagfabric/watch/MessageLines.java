package io.tagfabric.watch;

import io.tagfabric.report.JsonLine;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.TraceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** The messages of one frame: when there are many, one in two, four and so on. Single threaded. */
final class MessageLines {
  /** Messages that a page can show in one look. */
  private static final int MOST = 120;

  private List<JsonLine> lines = new ArrayList<>();
  private long seen;
  private int oneOf = 1;

  /**
   * Shows an event if it is one of a message that travels.
   *
   * @param lane where it happened
   * @param incarnation of the ActorSystem there
   * @param peers tells the lane of its other end, -1 if that is unknown
   */
  void add(TraceEvent event, int lane, long incarnation, ToIntFunction<TraceEvent> peers) {
    String what =
        switch (event.kind()) {
          case SENT, ARRIVED, KEPT, MATCHED -> event.kind().name().toLowerCase(Locale.ROOT);
          default -> null;
        };
    if (what != null) {
      seen++;
      if (event.number() % oneOf == 0) {
        lines.add(line(event, what, lane, incarnation, peers));
      }
    }
  }

  private static JsonLine line(
      TraceEvent event, String what, int lane, long incarnation, ToIntFunction<TraceEvent> peers) {
    boolean isSent = event.kind() == TraceKind.SENT;
    long other = event.extra();
    long receiver = isSent ? other : incarnation;
    JsonLine message =
        new JsonLine()
            .put("what", what)
            .put(
                "id",
                Long.toHexString(event.flow())
                    + "."
                    + Long.toHexString(receiver)
                    + "."
                    + event.number())
            .put("lane", lane)
            .put("peer", peers.applyAsInt(event))
            .put("tag", Long.toHexString(event.tag()));
    return isSent
        ? message
            .put("bytes", event.length())
            .put("way", TraceKind.Way.of(event.how()).map(Enum::name).orElse(""))
        : message;
  }

  /** Ends the frame: puts its messages into it, and begins the next one. */
  void put(JsonLine frame) {
    frame.put("messages", lines).put("oneOf", oneOf).put("seen", seen);
    oneOf = (int) Math.max(1, Long.highestOneBit(seen / MOST));
    lines = new ArrayList<>();
    seen = 0;
  }
}
