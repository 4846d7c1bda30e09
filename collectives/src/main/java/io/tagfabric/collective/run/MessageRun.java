package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * A collective carried by messages. A prepared one that is of few segments keeps what it has made
 * for them, and makes nothing when it is started again.
 */
final class MessageRun extends SchedulesRun {
  /** The name of what carried it. */
  static final String TIER = "messages";

  private final Algorithm algorithm;
  private final int segmentsInFlight;
  private final Input input;
  private final Runnable begin = this::startSegments;
  private final Runnable segmentEnd = this::segmentEnded;

  /** Its segments, from the first start on. */
  private final List<Part> parts = new ArrayList<>();

  private String label;
  private int started;
  private int ended;
  private boolean starting;

  MessageRun(
      TeamPort port,
      CollectiveCall call,
      Shape shape,
      Algorithm algorithm,
      CollectiveSettings settings,
      long epoch,
      CallEnd end,
      Listener listener) {
    this(port, new Input(call), shape, algorithm, settings, epoch, end, listener);
  }

  private MessageRun(
      TeamPort port,
      Input input,
      Shape shape,
      Algorithm algorithm,
      CollectiveSettings settings,
      long epoch,
      CallEnd end,
      Listener listener) {
    super(
        port,
        input.apart(),
        shape,
        segments(input.apart(), shape, algorithm, settings),
        settings,
        epoch,
        end,
        listener);
    this.input = input;
    this.algorithm = algorithm;
    this.segmentsInFlight = settings.segmentsInFlight();
  }

  private static Segments segments(
      CollectiveCall call, Shape shape, Algorithm algorithm, CollectiveSettings settings) {
    return call.collective().elementwise() && algorithm.pipelined()
        ? Segments.of(shape.count(), settings.segmentBytes(), call.output().kind().bytes())
        : Segments.whole(shape.count());
  }

  /** Memory for all segments of a long vector would be as much as the vector again. */
  private boolean isKept() {
    return segments.number() <= segmentsInFlight;
  }

  @Override
  boolean again(long itsEpoch) {
    if (!isKept()) {
      return false;
    }
    restartedParts(itsEpoch);
    input.again();
    started = 0;
    ended = 0;
    return true;
  }

  @Override
  void start() {
    compareThen(begin);
  }

  /** Segments that end as soon as they begin do not nest. */
  private void startSegments() {
    if (starting) {
      return;
    }
    starting = true;
    while (!isOver()
        && started < segments.number()
        && underWay() < segmentsInFlight
        && started - oldest(started) < TeamPort.CHECK_LANE) { // another lane for each
      startSegment(started++);
    }
    starting = false;
  }

  private void startSegment(int segment) {
    if (segment < parts.size()) {
      start(parts.get(segment));
      return;
    }
    Part part =
        run(
            algorithm.schedule(segments.shape(shape(), segment)),
            segments.part(call().input(), segment),
            segments.part(call().output(), segment),
            segment,
            segmentEnd);
    if (isKept()) {
      parts.add(part);
    }
  }

  private void segmentEnded() {
    if (++ended == segments.number()) {
      if (label == null) {
        label = algorithm.label();
      }
      end(label, TIER);
    } else {
      startSegments();
    }
  }
}
