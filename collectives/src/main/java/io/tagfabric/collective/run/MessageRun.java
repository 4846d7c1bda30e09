package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Shape;

/** A collective carried by messages. */
final class MessageRun extends SchedulesRun {
  /** The name of what carried it. */
  static final String TIER = "messages";

  private final Algorithm algorithm;
  private final int segmentsInFlight;
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
    super(
        port,
        call,
        shape,
        call.collective().elementwise() && algorithm.pipelined()
            ? Segments.of(shape.count(), settings.segmentBytes(), call.output().kind().bytes())
            : Segments.whole(shape.count()),
        settings,
        epoch,
        end,
        listener);
    this.algorithm = algorithm;
    this.segmentsInFlight = settings.segmentsInFlight();
  }

  @Override
  void start() {
    compareThen(this::startSegments);
  }

  /** Segments that end as soon as they begin do not nest. */
  private void startSegments() {
    if (starting) {
      return;
    }
    starting = true;
    while (!isOver() && started < segments.number() && underWay() < segmentsInFlight) {
      int segment = started++;
      run(
          algorithm.schedule(segments.shape(shape(), segment)),
          segments.part(call().input(), segment),
          segments.part(call().output(), segment),
          segment,
          this::segmentEnded);
    }
    starting = false;
  }

  private void segmentEnded() {
    if (++ended == segments.number()) {
      end(algorithm.label(), TIER);
    } else {
      startSegments();
    }
  }
}
