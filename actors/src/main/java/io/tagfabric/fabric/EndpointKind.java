package io.tagfabric.fabric;

/**
 * Kinds of endpoints.
 *
 * @source libfabric fi_endpoint(3), endpoint types
 */
public enum EndpointKind {
  /** Reliable, without connections: what endpoints are unless told otherwise. */
  RDM,
  /** Connected; there is none. */
  MSG,
  /** Unreliable, without connections: {@code EndpointBindings.sendingDatagrams}. */
  DGRAM
}
