package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Algorithm;
import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.schedule.Schedule;
import io.tagfabric.progress.ProgressFuture;
import java.util.HashSet;
import java.util.Set;

/**
 * A collective carried by messages: after the comparison of calls, if there is one, the schedules
 * of its segments, some at the same time. Each segment is a collective of its own on a range of
 * elements, so cutting changes no result.
 */
final class MessageRun extends CallRun {
  /** Lane of the comparison; segments use those below. */
  static final int CHECK_LANE = CollectiveTags.ROUNDS - 1;

  /** Is told once how it ended. */
  interface Listener {
    void onDone(MessageRun run, CollectiveCompletion completion);

    void onFailed(TeamFailure failure);
  }

  private final TeamPort port;
  private final CollectiveCall call;
  private final Shape shape;
  private final Algorithm algorithm;
  private final CollectiveSettings settings;
  private final Listener listener;
  private final int segmentLength;
  private final int segments;
  private final Set<ScheduleRun> underWay = new HashSet<>();
  private final long startedNs;
  private SignatureCheck check;
  private int started;
  private int ended;
  private int messages;
  private long bytes;
  private boolean over;

  MessageRun(
      TeamPort port,
      CollectiveCall call,
      Shape shape,
      Algorithm algorithm,
      CollectiveSettings settings,
      long epoch,
      ProgressFuture<CollectiveCompletion> future,
      Listener listener) {
    super(epoch, future);
    this.port = port;
    this.call = call;
    this.shape = shape;
    this.algorithm = algorithm;
    this.settings = settings;
    this.listener = listener;
    int wanted = Math.max(1, settings.segmentBytes() / call.output().kind().bytes());
    boolean cut = call.collective().elementwise() && algorithm.pipelined();
    this.segmentLength = cut && shape.count() > wanted ? wanted : Math.max(1, shape.count());
    this.segments = cut ? Math.max(1, ceilingOf(shape.count(), segmentLength)) : 1;
    this.startedNs = System.nanoTime();
  }

  private static int ceilingOf(int count, int length) {
    return (int) ((count + (long) length - 1) / length);
  }

  @Override
  void start() {
    if (settings.checked() && shape.size() > 1) {
      check =
          new SignatureCheck(
              port,
              CollectiveTags.step(port.members().context(), epoch(), CHECK_LANE),
              call.signature(shape),
              this::startSegments,
              this::failed);
      check.start();
    } else {
      startSegments();
    }
  }

  private void startSegments() {
    while (!over && started < segments && underWay.size() < settings.segmentsInFlight()) {
      startSegment(started++);
    }
  }

  private void startSegment(int number) {
    int from = number * segmentLength;
    int length = Math.min(segmentLength, shape.count() - from);
    Schedule schedule;
    Elements input = call.input();
    Elements output = call.output();
    if (segments == 1) {
      schedule = algorithm.schedule(shape);
    } else {
      schedule = algorithm.schedule(Shape.vector(shape.rank(), shape.size(), shape.root(), length));
      input = part(input, from, length);
      output = part(output, from, length);
    }
    messages += schedule.messagesSent();
    bytes += schedule.elementsSent() * call.output().kind().bytes();
    Workspace workspace =
        new Workspace(
            call.output().kind(), call.operator(), input, output, schedule.scratchLength());
    long tag = CollectiveTags.step(port.members().context(), epoch(), number % CHECK_LANE);
    Segment segment = new Segment();
    segment.run = new ScheduleRun(port, schedule, workspace, tag, segment);
    underWay.add(segment.run);
    segment.run.start();
  }

  /** Memory that the call does not use at this member has no parts. */
  private static Elements part(Elements elements, int from, int length) {
    return elements.count() < from + length ? elements : elements.part(from, length);
  }

  @Override
  boolean abandon() {
    over = true;
    if (check != null) {
      check.abandon();
    }
    underWay.forEach(ScheduleRun::abandon);
    return true;
  }

  private void failed(TeamFailure failure) {
    if (!over) {
      listener.onFailed(failure);
    }
  }

  private final class Segment implements ScheduleRun.Listener {
    private ScheduleRun run;

    @Override
    public void onDone() {
      underWay.remove(run);
      if (++ended == segments) {
        over = true;
        listener.onDone(
            MessageRun.this,
            new CollectiveCompletion(
                call.collective(),
                algorithm.key(),
                "messages",
                segments,
                messages,
                bytes,
                System.nanoTime() - startedNs));
      } else {
        startSegments();
      }
    }

    @Override
    public void onFailed(TeamFailure failure) {
      failed(failure);
    }
  }
}
