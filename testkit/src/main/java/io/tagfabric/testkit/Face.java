package io.tagfabric.testkit;

/** By which face of an endpoint a {@link TagProbe} receives. */
public enum Face {
  /** {@link io.tagfabric.endpoint.EndpointFutures}. */
  FUTURES,

  /**
   * Buffers of its own, completions from the endpoint's receive queue. The endpoint's receive queue
   * is the probe's then: a completion of another receive fails the probe.
   */
  DIRECT,

  /** An actor that tells the endpoint's matcher. */
  ACTOR
}
