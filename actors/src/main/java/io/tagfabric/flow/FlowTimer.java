package io.tagfabric.flow;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.OwedToPeer;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.flow.window.PeerWatch;
import io.tagfabric.wire.PacketLayout;

/**
 * What an unreliable flow does by the clock: sends owed acknowledgements, asks a silent peer, gives
 * a lost one up. Single threaded: the domain's loop; time is passed in.
 */
@InternalApi
public final class FlowTimer {
  private final Flow flow;
  private final FlowSettings settings;
  private final OwedToPeer owed;
  private final PeerWatch watch;
  private final PacketOutbox outbox;
  private final FlowCounters counters;

  FlowTimer(
      Flow flow,
      FlowSettings settings,
      OwedToPeer owed,
      PeerWatch watch,
      PacketOutbox outbox,
      FlowCounters counters) {
    this.flow = flow;
    this.settings = settings;
    this.owed = owed;
    this.watch = watch;
    this.outbox = outbox;
    this.counters = counters;
  }

  /** Whether something of the flow may be lost, so that {@link #tick} must be called. */
  public boolean isNeeded() {
    return flow.isTimed() && (flow.awaitsPeer() || owed.owesPackets());
  }

  /** Nanoseconds until {@link #tick} has something to do. */
  public long delayNs(long nowNs) {
    long delayNs = Long.MAX_VALUE;
    if (owed.owesPackets()) {
      delayNs = owed.acknowledgeAtNs() - nowNs;
    }
    if (flow.awaitsPeer()) {
      delayNs = Math.min(delayNs, watch.pingAtNs() - nowNs);
    }
    return Math.max(settings.pingNs(), delayNs);
  }

  /** Whether packets wait because the channel has no room for them. */
  public boolean isHeldUp() {
    return outbox.hasRefused();
  }

  /**
   * Does what is due.
   *
   * @param isMember whether the peer's node is a member of the cluster, which then decides alone
   *     whether it is lost
   * @param mayAsk whether the peer may be asked now; if not, it is when this is called again, and
   *     what passes until then does not count as its silence
   * @return whether the peer was asked
   */
  public boolean tick(long nowNs, boolean isMember, boolean mayAsk) {
    if (!flow.isTimed()) {
      return false;
    }
    if (owed.tick(nowNs, watch.firstPingNs())) {
      flow.queueFlush();
    }
    if (!flow.awaitsPeer()) {
      return false;
    }
    boolean asks = nowNs - watch.pingAtNs() >= 0;
    if (asks && !mayAsk) {
      watch.heldBack(nowNs);
      return false;
    }
    if (asks) {
      watch.asked(nowNs);
      counters.pingsSent++;
      outbox.offerUncounted(outbox.uncounted(0), PacketLayout.ACKNOWLEDGE);
    }
    long silenceNs = watch.silenceNs(nowNs);
    boolean isLong = silenceNs >= settings.peerTimeoutNs();
    if (isLong && isMember) {
      if (asks) {
        flow.link().channel().inquire();
      }
    } else if (isLong) {
      flow.end()
          .giveUp(
              FabricError.TIMED_OUT,
              "no sign of life for "
                  + silenceNs / 1_000_000
                  + " ms, flow.peer-timeout="
                  + settings.peerTimeoutNs() / 1_000_000
                  + " ms");
    }
    return asks;
  }
}
