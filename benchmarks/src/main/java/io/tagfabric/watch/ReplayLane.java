package io.tagfabric.watch;

import io.tagfabric.report.JsonLine;
import io.tagfabric.trace.Recording;
import io.tagfabric.trace.TraceEvent;
import io.tagfabric.trace.TraceKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * One domain of a run that is played: what its queues hold, by the events that have been played.
 * Single threaded.
 */
final class ReplayLane {
  private final int number;
  private final Recording recording;
  private final Tally tally = new Tally();

  /** Operations by their numbers. */
  private final Set<Long> posted = new HashSet<>();

  private final Set<Long> waiting = new HashSet<>();

  /** Messages that no receive has taken, by endpoint. */
  private final Map<Integer, Long> unexpected = new HashMap<>();

  private long loopNs;
  private boolean ended;
  private boolean killed;

  ReplayLane(int number, Recording recording) {
    this.number = number;
    this.recording = recording;
  }

  int number() {
    return number;
  }

  int rank() {
    return recording.owner().rank();
  }

  long incarnation() {
    return recording.owner().incarnation();
  }

  /** One of its events has been played. */
  void play(TraceEvent event) {
    loopNs = event.timeNs();
    tally.note(event);
    switch (event.kind()) {
      case RECEIVE_POSTED -> posted.add(event.operation());
      case RECEIVE_COMPLETED, RECEIVE_FAILED -> posted.remove(event.operation());
      case KEPT -> unexpected.put(event.endpoint(), event.length());
      case MATCHED -> matched(event);
      case SEND_WAITS -> waiting.add(event.operation());
      case SENT, SEND_COMPLETED, SEND_FAILED -> waiting.remove(event.operation());
      default -> {
        // Queues stay as they are.
      }
    }
  }

  private void matched(TraceEvent event) {
    posted.remove(event.operation());
    if (event.how() == 1) {
      unexpected.computeIfPresent(event.endpoint(), (endpoint, many) -> Math.max(0, many - 1));
    }
  }

  /** Its rank has ended, or was killed. */
  void end(TraceKind how) {
    ended = true;
    killed = how == TraceKind.RANK_KILLED;
  }

  /** Who has driven until now, and how many messages, is not asked for any more. */
  void nextFrame() {
    tally.nextFrame();
  }

  /**
   * What the page shows of it.
   *
   * @param over whether all events have been played
   * @param peers names of ActorSystems by incarnation
   */
  JsonLine line(boolean over, LongFunction<String> peers) {
    JsonLine line =
        new JsonLine()
            .put("lane", number)
            .put("rank", rank())
            .put("domain", recording.owner().domain())
            .put("closed", ended || (over && recording.closed()))
            .put("killed", killed)
            .put("obeys", false)
            .put("frozen", false)
            .put("mode", "replayed")
            .put("switches", true)
            .put("posted", posted.size())
            .put("unexpected", unexpected.values().stream().mapToLong(Long::longValue).sum())
            .put("waitingSends", waiting.size());
    return tally.put(line, loopNs, peers);
  }
}
