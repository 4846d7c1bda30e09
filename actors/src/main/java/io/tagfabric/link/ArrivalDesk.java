package io.tagfabric.link;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowState;
import io.tagfabric.progress.StepQueue;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.EagerDecoder;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import java.util.function.Consumer;

/**
 * Where all that comes for an endpoint enters, whichever provider brings it: looks at the header of
 * a packet, hands it to its flow, or to the set-up of flows, or drops and counts it. What one
 * packet does wrong costs its flow; a defect met here ends the endpoint, and no caller hears of it.
 *
 * <p>Thread: the domain's loop.
 */
@InternalApi
public final class ArrivalDesk implements WireListener {
  private final StepQueue steps;
  private final FrameServices services;
  private final Consumer<RuntimeException> defects;
  private final FrameCursor cursor = new FrameCursor();
  private FlowTable flows;
  private FlowSchedule schedule;
  private Handshake handshake;
  private int[] isolations;
  private boolean failed;
  private long strangers;

  /**
   * A desk that takes nothing before it is {@link #open}.
   *
   * @param services the handlers of frames, by kind
   */
  public ArrivalDesk(StepQueue steps, FrameServices services, Consumer<RuntimeException> defects) {
    this.steps = steps;
    this.services = services;
    this.defects = defects;
  }

  FrameServices services() {
    return services;
  }

  /** From now on packets reach these flows. */
  void open(
      EndpointIdentity identity, FlowTable newFlows, FlowSchedule newSchedule, Handshake set) {
    isolations = identity.isolations();
    flows = newFlows;
    schedule = newSchedule;
    handshake = set;
  }

  /** A defect was met: no message is taken any more, so that nobody hears that it was. */
  void fail() {
    failed = true;
    services.close();
  }

  @Override
  public void onPacket(Packet packet) {
    try {
      take(packet);
    } catch (RuntimeException e) {
      defects.accept(e);
    } finally {
      packet.release();
    }
    steps.run();
  }

  private void take(Packet packet) {
    if (flows == null) {
      strangers++;
      return;
    }
    flows.followAddresses();
    if (cursor.wrap(packet) && isOfOurJob(cursor.packet().isolation())) {
      ownPacket(packet, cursor.packet());
    } else {
      strangers += handshake.onStranger(cursor.wrapSetUp(packet), cursor);
    }
  }

  private boolean isOfOurJob(int itsIsolation) {
    for (int each : isolations) {
      if (itsIsolation == each) {
        return true;
      }
    }
    return false;
  }

  private void ownPacket(Packet packet, PacketHeaderDecoder header) {
    boolean counted = cursor.isCounted();
    int id = header.flow();
    long incarnation = header.incarnation();
    Flow flow = flows.byId(id, incarnation);
    if (flow == null) {
      strangers += id != PacketLayout.NO_FLOW ? 1 : 0;
    } else if (flow.state() == FlowState.LOST) {
      late(flow, counted, (header.flags() & PacketLayout.ACKNOWLEDGE) != 0);
    } else {
      flow.onPacket(packet, cursor);
      schedule.watch(flow);
    }
    if (!counted) {
      uncounted(flow, incarnation);
    }
  }

  private void uncounted(Flow flow, long incarnation) {
    int kind = cursor.nextFrame();
    if (kind != EagerDecoder.TEMPLATE_ID) {
      strangers += handshake.onUncounted(kind, cursor, incarnation);
    } else if (flow != null && !failed) {
      flow.onDatagram(cursor);
    }
  }

  /** A packet of a flow that has ended here: the peer has not heard of it if it wants an answer. */
  private void late(Flow flow, boolean counted, boolean asks) {
    if (counted || asks) {
      handshake.onLate(flow, asks);
    }
  }

  @Override
  public void onInjected(long key, MessageView message) {
    try {
      if (failed || flows == null) {
        strangers++;
      } else {
        flows.followAddresses();
        Flow flow = flows.byKey(key);
        if (flow != null) {
          flow.onInjected(message);
        } else {
          strangers++;
        }
      }
    } catch (RuntimeException e) {
      defects.accept(e);
    }
    if (!steps.isEmpty()) {
      steps.run();
    }
  }

  @Override
  public void onFrames(long key, Packet frames) {
    try {
      if (failed || flows == null) {
        strangers++;
      } else {
        takeFrames(key, frames);
      }
    } catch (RuntimeException e) {
      defects.accept(e);
    } finally {
      frames.release();
    }
    steps.run();
  }

  private void takeFrames(long key, Packet frames) {
    flows.followAddresses();
    Flow flow = flows.byKey(key);
    if (flow == null) {
      strangers++;
      return;
    }
    if (flow.state() == FlowState.LOST) {
      late(flow, true, false);
      return;
    }
    cursor.wrapFrames(frames);
    flow.onFrames(cursor, frames.length());
    schedule.watch(flow);
  }

  /** Each flow looks at its own channel at the end of the pass. */
  @Override
  public void onChannelClosed() {
    if (schedule != null) {
      schedule.flushAllLater();
    }
  }

  /** Packets dropped because they belong to another job, incarnation or protocol. */
  long strangers() {
    return strangers;
  }
}
