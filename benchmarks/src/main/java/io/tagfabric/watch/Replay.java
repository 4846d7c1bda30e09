package io.tagfabric.watch;

import io.tagfabric.report.JsonLine;
import io.tagfabric.timeline.Timeline;
import io.tagfabric.timeline.Timeline.Moment;
import io.tagfabric.timeline.TimelineText;
import io.tagfabric.trace.Recording;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.TraceKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A run that is over, played from its recorded events. All pages that show it have one clock.
 * Thread: any.
 */
final class Replay implements Watched {
  private static final int LINES_SAID = 12;
  private static final double NS_PER_US = 1_000;

  private final Timeline run;
  private final TimelineText words;
  private final ReplayClock clock;
  private final MessageLines messages = new MessageLines();
  private final Deque<String> said = new ArrayDeque<>();

  /** Who sends and who receives by a direction of a flow: incarnations do not tell domains. */
  private final Map<Long, Recording> senders = new HashMap<>();

  private final Map<Long, Recording> receivers = new HashMap<>();
  private IdentityHashMap<Recording, ReplayLane> lanes;
  private int round;

  /**
   * Stands before the first event.
   *
   * @param time of those who look, in ns
   */
  Replay(Timeline run, LongSupplier time) {
    this.run = run;
    words = new TimelineText(run);
    clock = new ReplayClock(run.moments(), time);
    for (Moment each : run.moments()) {
      switch (each.event().kind()) {
        case SENT -> senders.put(each.event().flow(), each.recording());
        case ARRIVED -> receivers.put(each.event().flow(), each.recording());
        default -> {
          // It tells nothing of a flow's ends.
        }
      }
    }
    begin();
  }

  private void begin() {
    lanes = new IdentityHashMap<>();
    for (Recording each : run.recordings()) {
      if (each.owner().rank() >= 0) {
        lanes.put(each, new ReplayLane(lanes.size(), each));
      }
    }
    said.clear();
    clock.again();
    round++;
  }

  @Override
  public void look() {
    // Nothing comes by itself.
  }

  @Override
  public synchronized void skip() {
    clock.rest();
  }

  @Override
  public synchronized String read() {
    clock.advance();
    for (Moment each = clock.due(); each != null; each = clock.due()) {
      play(each);
    }
    List<JsonLine> lines = new ArrayList<>();
    for (Recording each : run.recordings()) {
      if (lanes.containsKey(each)) {
        lines.add(lanes.get(each).line(clock.isOver(), this::peer));
        lanes.get(each).nextFrame();
      }
    }
    JsonLine frame = new JsonLine().put("lanes", lines).put("replay", state());
    messages.put(frame);
    return frame.toString();
  }

  private JsonLine state() {
    return new JsonLine()
        .put("atUs", whole(clock.atNs()))
        .put("endUs", whole(clock.endNs()))
        .put("played", clock.played())
        .put("plays", clock.plays())
        .put("over", clock.isOver())
        .put("usPerSecond", TimeUnit.NANOSECONDS.toMicros(clock.speedNs()))
        .put("round", round)
        .put("said", List.copyOf(said));
  }

  /** With all digits, unlike a decimal of JSON here. */
  private static long whole(long ns) {
    return TimeUnit.NANOSECONDS.toMicros(ns);
  }

  private void play(Moment moment) {
    TraceEvent event = moment.event();
    ReplayLane lane = lanes.get(moment.recording());
    if (lane != null) {
      lane.play(event);
      messages.add(event, lane.number(), lane.incarnation(), this::lane);
    } else if (event.kind() == TraceKind.RANK_KILLED || event.kind() == TraceKind.RANK_ENDED) {
      lanes.values().stream()
          .filter(each -> each.rank() == event.number())
          .forEach(each -> each.end(event.kind()));
    }
    if (isSaid(moment)) {
      if (said.size() == LINES_SAID) {
        said.removeFirst();
      }
      said.addLast(
          String.format(
              Locale.ROOT,
              "%12.1f us  %s  %s",
              moment.atNs() / NS_PER_US,
              moment.rank() < 0 ? "network" : "rank " + moment.rank(),
              words.text(moment)));
    }
  }

  /** What a step is: what people follow. */
  private static boolean isSaid(Moment moment) {
    return TimelineText.isShown(moment) && moment.event().kind() != TraceKind.PACKET;
  }

  @Override
  public synchronized JsonLine command(Map<String, String> words) {
    switch (words.getOrDefault("do", "")) {
      case "play" -> {
        if (clock.isOver()) {
          begin();
        }
        clock.plays(true);
      }
      case "pause" -> clock.plays(false);
      case "step" -> step();
      case "again" -> begin();
      case "speed" ->
          clock.speedNs(
              TimeUnit.MICROSECONDS.toNanos(Long.parseLong(words.getOrDefault("us", ""))));
      default -> throw new IllegalArgumentException("a run can be played, not told");
    }
    return state();
  }

  private void step() {
    clock.plays(false);
    Moment moment = clock.take();
    while (moment != null) {
      play(moment);
      moment = isSaid(moment) ? null : clock.take();
    }
  }

  /** Where the other end of a message is. */
  private int lane(TraceEvent event) {
    Map<Long, Recording> others = event.kind() == TraceKind.SENT ? receivers : senders;
    ReplayLane lane = lanes.get(others.get(event.flow()));
    return lane == null ? -1 : lane.number();
  }

  private String peer(long incarnation) {
    return lanes.values().stream()
        .filter(each -> each.incarnation() == incarnation)
        .findFirst()
        .map(each -> "rank " + each.rank())
        .orElse("?");
  }

  @Override
  public Timeline timeline() {
    return run;
  }

  @Override
  public boolean hasEnded() {
    return false;
  }

  @Override
  public void release() {
    // Nobody waits for it.
  }
}
