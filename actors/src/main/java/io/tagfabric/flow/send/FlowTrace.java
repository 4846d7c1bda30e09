package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceKind;
import io.tagfabric.trace.TraceKind.Wait;
import io.tagfabric.trace.TraceKind.Way;
import io.tagfabric.wire.MessageView;

/** What one flow tells the recorder of its loop. Its callers ask {@link #isOn} before. */
@InternalApi
public final class FlowTrace {
  private final Recorder recorder;
  private final boolean on;
  private final int endpoint;
  private final long peersIncarnation;
  private final FlowCounters counters;
  private int peer;
  private long flow;
  private long toldMessages;
  private long toldBytes;
  private long leavesNs;

  public FlowTrace(
      Recorder recorder, int endpoint, int peer, long peersIncarnation, FlowCounters counters) {
    this.recorder = recorder;
    on = recorder.isOn();
    this.endpoint = endpoint;
    this.peer = peer;
    this.peersIncarnation = peersIncarnation;
    this.counters = counters;
  }

  public boolean isOn() {
    return on;
  }

  public void peer(int newPeer) {
    peer = newPeer;
  }

  /** What the peer calls this direction is known. */
  public void opened(long key) {
    flow = key;
    event(TraceKind.FLOW_OPENED, 0, 0, 0, 0, 0);
  }

  public void lost(FabricError error) {
    event(TraceKind.FLOW_LOST, error.code(), 0, 0, 0, 0);
  }

  /** An access to memory has told it before, if it is one of a program's. */
  void posted(PendingSend send) {
    if (send instanceof PendingAccess) {
      return;
    }
    if (send.traced == 0) {
      send.traced = recorder.nextOperation();
    }
    event(TraceKind.SEND_POSTED, 0, 0, send.traced, send.tag(), send.length());
  }

  void waits(PendingSend send, Wait reason) {
    TraceKind kind = TraceKind.SEND_WAITS;
    if (send instanceof PendingAccess) {
      kind = TraceKind.ACCESS_WAITS;
    }
    if (send.traced > 0) {
      event(kind, reason.code(), 0, send.traced, send.tag(), send.length());
    }
  }

  /** A message may leave now; should it, {@link #sent} follows, and the peer may be quicker. */
  void leaves() {
    leavesNs = recorder.nanoTime();
  }

  /** A message is on its way; its counter is up already. */
  void sent(MessageView message, Way way) {
    long number =
        counters.eagerMessagesSent + counters.multiPacketMessagesSent + counters.requestsSent;
    long operation = message instanceof PendingSend send ? send.traced : 0;
    recorder.recordAt(
        way == Way.ALONE ? leavesNs : recorder.nanoTime(),
        TraceKind.SENT,
        way.code(),
        flow,
        number,
        operation,
        message.tag(),
        message.length(),
        peersIncarnation,
        peer,
        endpoint);
  }

  void asked(PendingSend send) {
    event(TraceKind.ASKED, 0, 0, send.traced, send.tag(), send.cleared);
  }

  public void replayed(long packets) {
    event(TraceKind.REPLAYED, 0, 0, 0, 0, packets);
  }

  /** Tells the credit that is left, if it has changed. */
  public void credit(SendCredit credit) {
    long messages = credit.messagesLeft();
    long bytes = credit.bytesLeft();
    if (messages != toldMessages || bytes != toldBytes) {
      toldMessages = messages;
      toldBytes = bytes;
      event(TraceKind.CREDIT, 0, messages, 0, 0, bytes);
    }
  }

  /** A datagram leaves, or has come; see the kinds. */
  public void datagram(TraceKind kind, MessageView message) {
    event(kind, 0, 0, 0, message.tag(), message.length());
  }

  /** A datagram that has come is dropped. */
  public void datagramDropped() {
    event(TraceKind.DATAGRAM_DROPPED, 0, 0, 0, 0, 0);
  }

  private void event(TraceKind kind, int how, long number, long operation, long tag, long length) {
    recorder.record(
        kind, how, flow, number, operation, tag, length, peersIncarnation, peer, endpoint);
  }
}
