package io.tagfabric.fabric;

/**
 * Kinds of endpoints.
 *
 * @source libfabric fi_endpoint(3), endpoint types
 */
public enum EndpointKind {
  /** Reliable, without connections; the one there is. */
  RDM,
  /** Connected; there is none. */
  MSG,
  /** Unreliable, without connections; there is none. */
  DGRAM
}
