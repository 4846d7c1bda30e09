package io.tagfabric.link;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.send.SendCompletions;
import io.tagfabric.link.send.SendOperation;
import io.tagfabric.match.ReceivePort;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.progress.StepQueue;
import io.tagfabric.progress.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One endpoint from its opening to its end. Single threaded: the domain's loop.
 *
 * <pre>
 *  OPEN ──► DRAINING ──────────► LEAVING ─────────► ENDING ──────► CLOSED
 *       close, a   accepted sends     peers have the     all it had
 *       defect     have left, or      goodbye, or it     accepted
 *                  it is too late     is too late        has ended
 * </pre>
 *
 * <p>A defect closes it as if told to, without time for what is under way; a second one, or the
 * stop of its actor, ends it without the order of a close. Either way what was accepted ends, and
 * peers hear of it.
 */
@InternalApi
public final class EndpointLife {
  /** Where it is. */
  enum Phase {
    OPEN,
    DRAINING,
    LEAVING,
    ENDING,
    CLOSED
  }

  /** Is told, on the loop, how far it is. */
  public interface Watcher {
    /** It accepts nothing more. */
    void onClosing();

    /** All that it had accepted has ended. */
    void onEnded(int undeliveredSends, int cancelledReceives);
  }

  /** Called once, on the loop, when the endpoint has closed. */
  public interface Closer {
    void onClosed(int undeliveredSends, int cancelledReceives);
  }

  private static final Logger LOG = LoggerFactory.getLogger(EndpointLife.class);
  private static final long CLOSE_TICK_NS = 1_000_000L;

  /** What a goodbye may take beyond the drain timeout. */
  private static final long GOODBYE_NS = 100_000_000L;

  private final StepQueue steps;
  private final LoopTimers timers;
  private final TimeSource time;
  private final SendCompletions sent;
  private final StepQueue.Handler<RuntimeException> onDefect = this::onDefect;
  private final List<Closer> closers = new ArrayList<>();
  private EndpointCore core;
  private ReceivePort port;
  private Runnable unplug = () -> {};
  private Runnable dropped = () -> {};
  private Watcher watcher;
  private Phase phase = Phase.OPEN;
  private RuntimeException defect;
  private long deadlineNs;
  private int undeliveredSends;
  private int cancelledReceives;

  public EndpointLife(StepQueue steps, LoopTimers timers, TimeSource time, SendCompletions sent) {
    this.steps = steps;
    this.timers = timers;
    this.time = time;
    this.sent = sent;
  }

  /**
   * Its core is there.
   *
   * @param unplugged takes it off the loop
   * @param reportsDropped says what was received by nobody
   */
  public void begin(
      EndpointCore itsCore, ReceivePort itsPort, Runnable unplugged, Runnable reportsDropped) {
    core = itsCore;
    port = itsPort;
    unplug = unplugged;
    dropped = reportsDropped;
  }

  /** The watcher from now on. */
  public void watch(Watcher newWatcher) {
    watcher = newWatcher;
  }

  Phase phase() {
    return phase;
  }

  /**
   * Accepts nothing more, cancels posted receives, gives accepted sends time to leave, then tells
   * the peers.
   *
   * @param whenClosed runs once, when the endpoint has closed; at once if it has closed before
   */
  public void close(long drainNs, Closer whenClosed) {
    if (phase == Phase.CLOSED) {
      whenClosed.onClosed(undeliveredSends, cancelledReceives);
      return;
    }
    closers.add(whenClosed);
    if (phase == Phase.OPEN) {
      beginClose(drainNs);
    }
  }

  /**
   * Waits until accepted sends have left; accepts more meanwhile. A close ends the wait.
   *
   * @param whenDrained hears whether nothing was left
   */
  public void drain(long drainNs, Consumer<Boolean> whenDrained) {
    awaitSends(time.nanoTime() + drainNs, whenDrained);
  }

  private void awaitSends(long untilNs, Consumer<Boolean> whenDrained) {
    long nowNs = time.nanoTime();
    boolean isOver = phase == Phase.ENDING || phase == Phase.CLOSED || nowNs - untilNs >= 0;
    if (isOver || !core.hasUnfinishedSends()) {
      whenDrained.accept(!core.hasUnfinishedSends());
    } else {
      timers.schedule(nowNs + CLOSE_TICK_NS, () -> awaitSends(untilNs, whenDrained));
    }
  }

  private void beginClose(long drainNs) {
    phase = Phase.DRAINING;
    deadlineNs = time.nanoTime() + drainNs;
    if (watcher != null) {
      watcher.onClosing();
    }
    sent.beginClose();
    core.beginClose();
    if (port.isRead()) {
      tick(); // what peers send until they have the goodbye is read
    } else {
      port.close(this::onReceivesClosed);
    }
  }

  private void onReceivesClosed(int cancelled) {
    cancelledReceives += cancelled;
    if (phase == Phase.ENDING) {
      end();
    } else if (phase != Phase.CLOSED) {
      tick();
    }
  }

  /** Waits for accepted sends to leave, then for the goodbyes, each at most until its deadline. */
  private void tick() {
    long nowNs = time.nanoTime();
    boolean late = nowNs - deadlineNs >= 0;
    if (phase == Phase.DRAINING && (late || !core.hasUnfinishedSends())) {
      phase = Phase.LEAVING;
      core.sayGoodbye();
      deadlineNs = late ? nowNs + GOODBYE_NS : Math.max(deadlineNs, nowNs + GOODBYE_NS);
      late = false;
    }
    if (phase == Phase.DRAINING || (core.awaitsPeers(port.isRead()) && !late)) {
      timers.schedule(nowNs + CLOSE_TICK_NS, this::onTick);
    } else {
      finish();
      // It answers after what the ends of the flows have just handed over.
      port.close(this::onReceivesClosed);
    }
    sent.flush();
  }

  private void onTick() {
    try {
      if (phase == Phase.DRAINING || phase == Phase.LEAVING) {
        tick();
      }
    } catch (RuntimeException e) {
      defect(e);
    }
    steps.run();
  }

  private void finish() {
    phase = Phase.ENDING;
    unplug.run();
    core.finishClose();
  }

  private void end() {
    phase = Phase.CLOSED;
    undeliveredSends = sent.failedByClose(); // what is refused from now on does not count
    sent.flush();
    dropped.run();
    if (watcher != null) {
      watcher.onEnded(undeliveredSends, cancelledReceives);
    }
    closers.forEach(closer -> closer.onClosed(undeliveredSends, cancelledReceives));
    closers.clear();
  }

  // ---- defects ----

  /** A defect was met: the endpoint closes when the present handler has returned. */
  public void defect(RuntimeException failure) {
    steps.add(onDefect, failure);
  }

  /** A defect was met while a send was begun. */
  public void defect(RuntimeException failure, SendOperation send) {
    sent.fail(send, FabricError.OTHER, "the endpoint has failed: " + failure);
    defect(failure);
  }

  private void onDefect(RuntimeException failure) {
    if (phase == Phase.ENDING || phase == Phase.CLOSED || core == null) {
      return;
    }
    LOG.error("endpoint [{}] has failed and closes", core.address(), failure);
    boolean again = defect != null;
    defect = failure;
    try {
      String because = "the endpoint has failed: " + failure;
      core.fail(because);
      port.closedBecause(because);
      if (again) {
        abandon();
      } else if (phase == Phase.OPEN) {
        beginClose(0);
      } else {
        deadlineNs = time.nanoTime();
        port.close(this::onReceivesClosed);
      }
    } catch (RuntimeException e) {
      LOG.error("endpoint [{}] cannot close in order", core.address(), e);
      abandon();
    }
    sent.flush();
  }

  private void abandon() {
    port.fail(defect);
    endAtOnce();
  }

  /**
   * Its actor was stopped from outside, or by an error of the JVM: what was accepted still ends.
   */
  public void stop() {
    if (phase != Phase.CLOSED) {
      if (phase != Phase.ENDING) {
        LOG.warn("endpoint [{}] was stopped before it was closed", core.address());
      }
      endAtOnce();
      steps.run();
      port.flush();
    }
  }

  /** The receives' actor has stopped: what it was told and has not handled is lost. */
  public void matcherStopped() {
    if (phase == Phase.ENDING) {
      port.close(this::onReceivesClosed);
    } else if (phase != Phase.CLOSED) {
      defect(new IllegalStateException("the matcher of the endpoint has stopped"));
    }
  }

  private void endAtOnce() {
    if (phase == Phase.OPEN && watcher != null) {
      watcher.onClosing();
    }
    sent.beginClose();
    core.beginClose();
    if (phase == Phase.OPEN || phase == Phase.DRAINING) {
      core.sayGoodbye();
    }
    if (phase != Phase.ENDING) {
      finish();
    }
    port.close(this::onReceivesClosed);
  }
}
