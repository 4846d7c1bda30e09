package io.tagfabric.match.core;

import io.tagfabric.error.FabricError;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.trace.InboundTrace;
import io.tagfabric.trace.Recorder;
import io.tagfabric.trace.TraceKind;
import io.tagfabric.trace.TraceKind.Way;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MessageView;

/** What receives tell the recorder of their loop. Its callers ask {@link #isOn} before. */
final class ReceiveTrace {
  private Recorder recorder = Recorder.OFF;
  private boolean on = recorder.isOn();

  /** From now on a recorder is told. */
  void record(Recorder newRecorder) {
    recorder = newRecorder;
    on = recorder.isOn();
  }

  boolean isOn() {
    return on;
  }

  void posted(PostedReceive receive) {
    recorder.record(
        TraceKind.RECEIVE_POSTED,
        0,
        0,
        0,
        operation(receive),
        receive.tag(),
        receive.capacity(),
        receive.ignore(),
        receive.source(),
        0);
  }

  private long operation(PostedReceive receive) {
    if (receive.traced == 0) {
      receive.traced = recorder.nextOperation();
    }
    return receive.traced;
  }

  /** A message has come. Returns its number in its flow. */
  long arrived(FrameOrigin origin, MessageView message, long length, Way way) {
    InboundTrace inbound = origin.inbound();
    long number = inbound.next();
    recorder.record(
        TraceKind.ARRIVED,
        way.code(),
        inbound.flow(),
        number,
        0,
        message.tag(),
        length,
        inbound.sender(),
        origin.peer(),
        inbound.endpoint());
    return number;
  }

  /**
   * No receive takes it yet.
   *
   * @param waiting messages that wait, with it
   */
  void kept(UnexpectedMessage message, long number, int waiting) {
    message.traced = number;
    InboundTrace inbound = message.origin.inbound();
    recorder.record(
        TraceKind.KEPT,
        0,
        inbound.flow(),
        number,
        0,
        message.tag(),
        waiting,
        inbound.sender(),
        message.source(),
        inbound.endpoint());
  }

  void matched(PostedReceive receive, FrameOrigin origin, long number, long tag, boolean waited) {
    InboundTrace inbound = origin.inbound();
    recorder.record(
        TraceKind.MATCHED,
        waited ? 1 : 0,
        inbound.flow(),
        number,
        operation(receive),
        tag,
        0,
        inbound.sender(),
        origin.peer(),
        inbound.endpoint());
  }

  /** A receive has got what it has room for of a message. */
  void completed(PostedReceive receive, int source, long tag, long messageBytes) {
    boolean fits = messageBytes <= receive.capacity();
    recorder.record(
        fits ? TraceKind.RECEIVE_COMPLETED : TraceKind.RECEIVE_FAILED,
        fits ? 0 : FabricError.TRUNCATED.code(),
        0,
        0,
        operation(receive),
        tag,
        fits ? messageBytes : receive.capacity(),
        0,
        source,
        0);
  }

  void failed(PostedReceive receive, FabricError error, int source, long tag) {
    recorder.record(
        TraceKind.RECEIVE_FAILED, error.code(), 0, 0, operation(receive), tag, 0, 0, source, 0);
  }
}
