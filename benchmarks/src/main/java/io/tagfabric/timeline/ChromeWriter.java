package io.tagfabric.timeline;

import io.tagfabric.timeline.TraceItems.Item;
import io.tagfabric.timeline.TraceItems.Lane;
import io.tagfabric.timeline.TraceItems.Track;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Writes the JSON of Chrome's trace events. */
public final class ChromeWriter {
  private static final double NS_PER_US = 1_000;

  private ChromeWriter() {}

  /** The whole file. */
  public static String write(Timeline timeline) {
    TraceItems items = new TraceItems(timeline);
    List<String> events = new ArrayList<>();
    for (Track track : items.tracks()) {
      if (track.lane() != Lane.CREDIT) {
        String what = track.lane() == Lane.RANK ? "process_name" : "thread_name";
        events.add(
            event("M", 0, track, what) + ",\"args\":{\"name\":" + quoted(track.name()) + "}}");
      }
    }
    Set<Integer> begun = new HashSet<>();
    for (Item item : items.items()) {
      String phase =
          switch (item.shape()) {
            case BEGIN -> "B";
            case END -> "E";
            case INSTANT -> "i";
            case COUNTER -> "C";
          };
      String event = event(phase, item.atNs(), item.track(), item.name());
      events.add(
          switch (item.shape()) {
            case INSTANT -> event + ",\"s\":\"t\"}";
            case COUNTER -> event + ",\"args\":{\"messages\":" + item.value() + "}}";
            default -> event + "}";
          });
      if (item.flow() > 0) {
        String point = begun.add(item.flow()) ? "s" : item.lastOfFlow() ? "f" : "t";
        events.add(
            event(point, item.atNs(), item.track(), "message")
                + ",\"cat\":\"message\",\"id\":"
                + item.flow()
                + (point.equals("f") ? ",\"bp\":\"e\"}" : "}"));
      }
    }
    return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
        + String.join(",\n", events)
        + "\n]}\n";
  }

  private static String event(String phase, long atNs, Track track, String name) {
    return String.format(
        Locale.ROOT,
        "{\"ph\":\"%s\",\"ts\":%.3f,\"pid\":%d,\"tid\":%d,\"name\":%s",
        phase,
        atNs / NS_PER_US,
        track.rank(),
        track.id(),
        quoted(name));
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
