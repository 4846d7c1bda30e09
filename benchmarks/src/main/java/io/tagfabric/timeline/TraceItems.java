package io.tagfabric.timeline;

import io.tagfabric.timeline.Timeline.MessageId;
import io.tagfabric.timeline.Timeline.Moment;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.TraceKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The time line as what trace viewers draw: tracks, and what lies on them in order of time. */
final class TraceItems {
  /** What a track is. */
  enum Lane {
    RANK,
    THREAD,
    CREDIT
  }

  /** What an item is. */
  enum Shape {
    END,
    BEGIN,
    INSTANT,
    COUNTER
  }

  /**
   * A track.
   *
   * @param id from 1 on
   * @param parent the track of its rank, 0 for those
   */
  record Track(int id, int parent, int rank, Lane lane, String name) {}

  /**
   * Something on a track.
   *
   * @param flow number of the message whose arrow it is a point of, 0 for none
   * @param lastOfFlow whether the arrow ends here
   * @param value of a counter
   */
  record Item(
      long atNs, Track track, Shape shape, String name, int flow, boolean lastOfFlow, long value) {}

  private final Timeline timeline;
  private final TimelineText words;
  private final Set<MessageId> pairs;
  private final Map<String, Track> tracks = new LinkedHashMap<>();
  private final List<Item> items = new ArrayList<>();

  TraceItems(Timeline timeline) {
    this.timeline = timeline;
    words = new TimelineText(timeline);
    pairs = timeline.pairs();
    timeline.moments().forEach(this::add);
    items.sort(
        Comparator.comparingLong(Item::atNs)); // stable: a slice's end stays behind its begin
  }

  List<Track> tracks() {
    return List.copyOf(tracks.values());
  }

  List<Item> items() {
    return items;
  }

  private Track rank(int rank) {
    return track("rank-" + rank, 0, rank, Lane.RANK, rank < 0 ? "simulation" : "rank " + rank);
  }

  private Track track(String key, int parent, int rank, Lane lane, String name) {
    Track known = tracks.get(key);
    if (known != null) {
      return known;
    }
    Track made = new Track(tracks.size() + 1, parent, rank, lane, name);
    tracks.put(key, made);
    return made;
  }

  private void add(Moment moment) {
    TraceEvent event = moment.event();
    Track rank = rank(moment.rank());
    if (event.kind() == TraceKind.CREDIT) {
      String name = "credit to " + timeline.peer(event.extra()) + ", messages";
      String key = "credit-" + moment.rank() + "-" + event.extra() + "-" + event.flow();
      Track track = track(key, rank.id(), moment.rank(), Lane.CREDIT, name);
      items.add(new Item(moment.atNs(), track, Shape.COUNTER, name, 0, false, event.number()));
      return;
    }
    String key = "thread-" + moment.rank() + "-" + event.thread();
    Track track = track(key, rank.id(), moment.rank(), Lane.THREAD, event.thread());
    String text = words.text(moment);
    if (event.kind() == TraceKind.PASS || event.kind() == TraceKind.SLEPT) {
      long beganNs = moment.atNs() - event.extra();
      items.add(new Item(beganNs, track, Shape.BEGIN, text, 0, false, 0));
      items.add(new Item(moment.atNs(), track, Shape.END, text, 0, false, 0));
      return;
    }
    MessageId message = moment.message();
    boolean isPoint = message != null && event.kind() != TraceKind.KEPT && pairs.contains(message);
    int flow = isPoint ? timeline.numbers().get(message) : 0;
    boolean last = event.kind() == TraceKind.MATCHED;
    items.add(new Item(moment.atNs(), track, Shape.INSTANT, text, flow, last, 0));
  }
}
