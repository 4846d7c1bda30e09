package io.tagfabric.trace;

import io.tagfabric.trace.TraceKind.Access;

/**
 * What accesses to memory tell the recorder of their loop, on both sides. Its callers ask {@link
 * #isOn} before. Single threaded: the domain's loop.
 */
public final class AccessTrace {
  /** Tells nobody. */
  public static final AccessTrace OFF = new AccessTrace(Recorder.OFF, 0);

  private final Recorder recorder;
  private final int endpoint;

  /**
   * That of an endpoint.
   *
   * @param endpoint its number
   */
  public AccessTrace(Recorder recorder, int endpoint) {
    this.recorder = recorder;
    this.endpoint = endpoint;
  }

  /** Whether there is somebody to tell. */
  public boolean isOn() {
    return recorder.isOn();
  }

  /**
   * An access begins.
   *
   * @param incarnation of the peer, 0 if it is not known
   * @return the number of the operation, for its end
   */
  public long posted(
      Access what, int peer, long incarnation, long key, long offset, long lengthBytes) {
    long operation = recorder.nextOperation();
    event(
        TraceKind.ACCESS_POSTED,
        what.code(),
        key,
        operation,
        offset,
        lengthBytes,
        incarnation,
        peer);
    return operation;
  }

  /** It has reached its level. */
  public void completed(long operation, int peer, long lengthBytes) {
    event(TraceKind.ACCESS_COMPLETED, 0, 0, operation, 0, lengthBytes, 0, peer);
  }

  /** It has failed. */
  public void failed(long operation, int peer, int errorCode) {
    event(TraceKind.ACCESS_FAILED, errorCode, 0, operation, 0, 0, 0, peer);
  }

  /** The thread that has called has done it itself, in memory that it reaches. */
  public void reached(
      Access what, int peer, long incarnation, long key, long offset, long lengthBytes) {
    event(TraceKind.ACCESS_REACHED, what.code(), key, 0, offset, lengthBytes, incarnation, peer);
  }

  /** An access of a peer is done here. */
  public void served(
      Access what, InboundTrace from, int peer, long key, long offset, long lengthBytes) {
    event(TraceKind.ACCESS_SERVED, what.code(), key, 0, offset, lengthBytes, from.sender(), peer);
  }

  /** An access of a peer is refused here. */
  public void refused(
      int errorCode, InboundTrace from, int peer, long key, long offset, long lengthBytes) {
    event(TraceKind.ACCESS_REFUSED, errorCode, key, 0, offset, lengthBytes, from.sender(), peer);
  }

  private void event(
      TraceKind kind,
      int how,
      long key,
      long operation,
      long offset,
      long lengthBytes,
      long incarnation,
      int peer) {
    recorder.record(kind, how, 0, key, operation, offset, lengthBytes, incarnation, peer, endpoint);
  }
}
