package io.tagfabric.timeline;

import io.tagfabric.report.JsonLine;
import io.tagfabric.timeline.Timeline.MessageId;
import io.tagfabric.timeline.Timeline.Moment;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.TraceKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes the time line as the page of {@code watch} draws it: one object of JSON with rows, one a
 * thread of a rank, slices and points on them, and arrows between them. Times are in ns.
 *
 * <pre>
 * rows    {"rank": 0, "thread": "main"}
 * slices  [row, begin, end, "pass, work 2", 1 if it is a sleep]
 * points  [row, time, "receive 1 posted: any tag from any"]
 * arrows  [row, time, row, time, number of the message]
 * </pre>
 */
public final class PageWriter {
  private record Row(int rank, String thread) {}

  private record Start(int row, long atNs) {}

  private final Timeline timeline;
  private final TimelineText words;
  private final Set<MessageId> pairs;
  private final Map<Row, Integer> rows;
  private final Map<MessageId, Start> sent = new HashMap<>();
  private final List<List<Object>> slices = new ArrayList<>();
  private final List<List<Object>> points = new ArrayList<>();
  private final List<List<Object>> arrows = new ArrayList<>();

  private PageWriter(Timeline timeline) {
    this.timeline = timeline;
    words = new TimelineText(timeline);
    pairs = timeline.pairs();
    rows = rows(timeline);
  }

  /**
   * The whole object.
   *
   * @param most events that are shown; of more, the last ones are
   */
  public static String write(Timeline timeline, int most) {
    PageWriter writer = new PageWriter(timeline);
    List<Moment> drawn = timeline.moments().stream().filter(PageWriter::isDrawn).toList();
    int leftOut = Math.max(0, drawn.size() - most);
    drawn.subList(leftOut, drawn.size()).forEach(writer::add);
    return new JsonLine()
        .put("beginNs", drawn.isEmpty() ? 0 : drawn.get(leftOut).atNs())
        .put("endNs", drawn.isEmpty() ? 0 : drawn.get(drawn.size() - 1).atNs())
        .put("leftOut", leftOut)
        .put("remarks", timeline.remarks())
        .put("rows", writer.rowLines())
        .put("slices", writer.slices)
        .put("points", writer.points)
        .put("arrows", writer.arrows)
        .toString();
  }

  private static boolean isDrawn(Moment moment) {
    return moment.event().kind() != TraceKind.CREDIT;
  }

  /** By rank, then by name, each with its place. */
  private static Map<Row, Integer> rows(Timeline timeline) {
    Map<Row, Integer> rows =
        new TreeMap<>(Comparator.comparingInt(Row::rank).thenComparing(Row::thread));
    timeline.moments().stream().filter(PageWriter::isDrawn).forEach(e -> rows.put(row(e), 0));
    int place = 0;
    for (Map.Entry<Row, Integer> each : rows.entrySet()) {
      each.setValue(place++);
    }
    return rows;
  }

  private static Row row(Moment moment) {
    return new Row(moment.rank(), moment.event().thread());
  }

  private List<JsonLine> rowLines() {
    return rows.keySet().stream()
        .map(row -> new JsonLine().put("rank", row.rank()).put("thread", row.thread()))
        .toList();
  }

  private void add(Moment moment) {
    TraceEvent event = moment.event();
    int row = rows.get(row(moment));
    switch (event.kind()) {
      case PASS, SLEPT ->
          slices.add(
              List.of(
                  row,
                  moment.atNs() - event.extra(),
                  moment.atNs(),
                  words.text(moment),
                  event.kind() == TraceKind.SLEPT ? 1 : 0));
      default -> {
        points.add(List.of(row, moment.atNs(), words.text(moment)));
        arrow(moment, row);
      }
    }
  }

  private void arrow(Moment moment, int row) {
    MessageId message = moment.message();
    if (!pairs.contains(message)) {
      return;
    }
    if (moment.event().kind() == TraceKind.SENT) {
      sent.put(message, new Start(row, moment.atNs()));
    } else if (moment.event().kind() == TraceKind.ARRIVED && sent.containsKey(message)) {
      Start start = sent.get(message);
      int number = timeline.numbers().get(message);
      arrows.add(List.of(start.row(), start.atNs(), row, moment.atNs(), number));
    }
  }
}
