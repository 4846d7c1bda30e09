package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.schedule.Schedule;
import java.util.ArrayList;
import java.util.List;

/**
 * A collective that goes by messages, as a whole or in part: after the comparison of calls, if
 * there is one, schedules of its segments, some at the same time.
 */
abstract class SchedulesRun extends CallRun {
  final Segments segments;
  private final TeamPort port;
  private final CollectiveSettings settings;
  private final Listener listener;
  private final List<Part> underWay = new ArrayList<>();
  private SignatureCheck check;
  private MessageCounts counts;
  private boolean over;

  SchedulesRun(
      TeamPort port,
      CollectiveCall call,
      Shape shape,
      Segments segments,
      CollectiveSettings settings,
      long epoch,
      CallEnd end,
      Listener listener) {
    super(call, shape, epoch, end, port.members().domain().loop().time());
    this.segments = segments;
    this.port = port;
    this.settings = settings;
    this.listener = listener;
    this.counts = MessageCounts.of(segments.number());
  }

  /** Begins when it is clear that all members call the same, or at once. */
  final void compareThen(Runnable begin) {
    if (settings.checked() && shape().size() > 1) {
      check = new SignatureCheck(port, this, begin, listener::onDifferent, this::failed);
      check.start();
    } else {
      begin.run();
    }
  }

  /** Starts a schedule of a segment, and gives it to be started again when it has ended well. */
  final Part run(Schedule schedule, Elements input, Elements output, int segment, Runnable onDone) {
    counts = counts.with(schedule, output.kind().bytes());
    Workspace workspace = Workspace.of(schedule, call(), input, output);
    Part part = new Part(segment, onDone);
    part.run = new ScheduleRun(port, schedule, workspace, TeamPort.laneOfSegment(segment), part);
    start(part);
    return part;
  }

  /** Starts a part again, in a call that is made again. */
  final void start(Part part) {
    underWay.add(part);
    part.run.start(epoch());
  }

  /** As {@link #restarted}: it counts what it sends as the call before did. */
  final void restartedParts(long itsEpoch) {
    restarted(itsEpoch);
    over = false;
  }

  /** Schedules that have not ended. */
  final int underWay() {
    return underWay.size();
  }

  /** The segment of the schedule that has begun first of those that have not ended. */
  final int oldest(int otherwise) {
    return underWay.isEmpty() ? otherwise : underWay.get(0).segment;
  }

  /** Whether it has ended, or been given up. */
  final boolean isOver() {
    return over;
  }

  /** All is done. */
  final void end(String algorithm, String tier) {
    over = true;
    ended(algorithm, tier, counts);
    listener.onDone(this);
  }

  @Override
  final boolean abandon() {
    over = true;
    if (check != null) {
      check.abandon();
    }
    underWay.forEach(part -> part.run.abandon());
    return true;
  }

  private void failed(TeamFailure failure) {
    if (!over) {
      listener.onFailed(failure);
    }
  }

  /** A schedule of a segment. */
  final class Part implements ScheduleRun.Listener {
    private final int segment;
    private final Runnable onDone;
    private ScheduleRun run;

    Part(int segment, Runnable onDone) {
      this.segment = segment;
      this.onDone = onDone;
    }

    @Override
    public void onDone() {
      underWay.remove(this);
      onDone.run();
    }

    @Override
    public void onFailed(TeamFailure failure) {
      failed(failure);
    }
  }
}
