package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.schedule.Schedule;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A collective that goes by messages, as a whole or in part: after the comparison of calls, if
 * there is one, schedules of its segments, some at the same time.
 */
abstract class SchedulesRun extends CallRun {
  final Segments segments;
  private final TeamPort port;
  private final CollectiveSettings settings;
  private final Listener listener;
  private final Set<Running> underWay = new LinkedHashSet<>();
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

  /** Starts a schedule of a segment. */
  final void run(Schedule schedule, Elements input, Elements output, int segment, Runnable onDone) {
    counts = counts.with(schedule, output.kind().bytes());
    Workspace workspace = Workspace.of(schedule, call(), input, output);
    Running running = new Running(onDone);
    running.run =
        new ScheduleRun(
            port, schedule, workspace, TeamPort.Lane.ofSegment(epoch(), segment), running);
    underWay.add(running);
    running.run.start();
  }

  /** Schedules that have not ended. */
  final int underWay() {
    return underWay.size();
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
    underWay.forEach(running -> running.run.abandon());
    return true;
  }

  private void failed(TeamFailure failure) {
    if (!over) {
      listener.onFailed(failure);
    }
  }

  private final class Running implements ScheduleRun.Listener {
    private final Runnable onDone;
    private ScheduleRun run;

    Running(Runnable onDone) {
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
