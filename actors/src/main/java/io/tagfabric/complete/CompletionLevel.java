package io.tagfabric.complete;

/**
 * What has happened when a send completes, from the least to the most.
 *
 * @source libfabric fi_cq(3), completion semantics
 */
public enum CompletionLevel {
  /** The source buffer may be used again. The default; says nothing about the peer. */
  INJECT,
  /** The peer's endpoint has acknowledged all of the message's packets. */
  TRANSMIT,
  /** The peer has placed the message in a receive's buffer or has buffered it. */
  DELIVERY,
  /** A receive of the peer has matched the message and the bytes it wants have left. */
  MATCH
}
