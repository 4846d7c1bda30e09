package io.tagfabric.link;

import io.tagfabric.flow.Flow;
import io.tagfabric.progress.LoopTimers;
import java.util.ArrayList;
import java.util.List;

/**
 * Which flows of an endpoint have something to flush at the end of the pass, and when the clock
 * calls for one next. Single threaded: the domain's loop.
 */
final class FlowSchedule {
  private final EndpointContext context;
  private final FlowTable flows;
  private final EndpointTimers timers;
  private List<Flow> dirty = new ArrayList<>();
  private List<Flow> flushing = new ArrayList<>();
  private LoopTimers.Timer timer;
  private Runnable onDue = () -> {};
  private long tickAtNs;

  /** Place of the flow whose turn it is to ask first. */
  private int nextToAsk;

  FlowSchedule(EndpointContext context, FlowTable flows) {
    this.context = context;
    this.timers = context.timers();
    this.flows = flows;
  }

  /** Sets what runs when {@link #flush} has to be called; unset if each pass calls it. */
  void whenDue(Runnable marks) {
    onDue = marks;
  }

  /** A flow has something to flush. */
  void flushLater(Flow flow) {
    dirty.add(flow);
    onDue.run();
  }

  /** Every flow shall look whether it has. */
  void flushAllLater() {
    flows.forgetLater();
    dirty.addAll(flows.all());
    onDue.run();
  }

  /** Whether a flush has something to do. */
  boolean hasUnflushed() {
    return !dirty.isEmpty();
  }

  /** Sends what flows have gathered. Returns the packets sent. */
  int flush() {
    if (dirty.isEmpty()) {
      return 0;
    }
    List<Flow> now = dirty;
    dirty = flushing;
    flushing = now;
    int sent = 0;
    int begun = 0;
    try {
      while (begun < now.size()) {
        Flow flow = now.get(begun++);
        sent += flow.flush();
        watch(flow);
      }
    } finally {
      // After a failure the others still have their turn.
      while (begun < now.size()) {
        dirty.add(now.get(begun++));
      }
      now.clear();
      if (!dirty.isEmpty()) {
        onDue.run();
      }
    }
    return sent;
  }

  /** Sees to it that a flow is called when its time comes. */
  void watch(Flow flow) {
    if (!flow.timer().isNeeded()) {
      return;
    }
    long nowNs = context.time().nanoTime();
    long atNs = nowNs + flow.timer().delayNs(nowNs);
    if (timer == null || atNs - tickAtNs < 0) {
      if (timer != null) {
        timer.cancel();
      }
      tickAtNs = atNs;
      timer = timers.schedule(atNs, this::tick);
    }
  }

  private void tick() {
    timer = null;
    long nowNs = context.time().nanoTime();
    List<Flow> all = flows.all();
    int size = all.size();
    int mayAsk = context.settings().pace().pings(isCongested());
    int first = nextToAsk < size ? nextToAsk : 0;
    for (int i = 0; i < size; i++) {
      int at = first + i < size ? first + i : first + i - size;
      Flow flow = all.get(at);
      if (flow.timer().isNeeded()) {
        boolean member = context.nodes().apply(flow.address()).isMember();
        if (flow.timer().tick(nowNs, member, mayAsk > 0) && --mayAsk == 0) {
          nextToAsk = at + 1;
        }
        watch(flow);
      }
    }
    flush();
  }

  /** Whether a channel has no room: questions would only stand in the way of what waits. */
  private boolean isCongested() {
    for (int i = 0; i < flows.all().size(); i++) {
      if (flows.all().get(i).timer().isHeldUp()) {
        return true;
      }
    }
    return false;
  }
}
