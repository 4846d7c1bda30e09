package io.tagfabric.trace;

/**
 * Counts the messages that come by one flow, so that traces name them as their sender does. Single
 * threaded: the domain's loop.
 */
public final class InboundTrace {
  private long flow;
  private final long sender;
  private final int endpoint;
  private long messages;

  /**
   * Nothing has come yet.
   *
   * @param flow names this direction of the flow
   * @param sender its incarnation
   * @param endpoint number of the one that receives
   */
  public InboundTrace(long flow, long sender, int endpoint) {
    this.flow = flow;
    this.sender = sender;
    this.endpoint = endpoint;
  }

  /** Counts one message more, and returns its number. */
  public long next() {
    return ++messages;
  }

  /** Names this direction of the flow. */
  public long flow() {
    return flow;
  }

  /** The sender names this direction of the flow otherwise. */
  public void flow(long name) {
    flow = name;
  }

  /** The sender's incarnation. */
  public long sender() {
    return sender;
  }

  /** Number of the endpoint that receives. */
  public int endpoint() {
    return endpoint;
  }
}
