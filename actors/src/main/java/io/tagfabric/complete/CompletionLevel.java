package io.tagfabric.complete;

/**
 * What has happened when a send completes, from the least to the most.
 *
 * @source libfabric fi_cq(3), completion semantics
 */
public enum CompletionLevel {
  /** The source buffer may be used again. The default; says nothing about the peer. */
  INJECT,
  /**
   * The peer's endpoint has acknowledged all packets of the message. It does so when their messages
   * are placed or buffered, so a message that did not ask first has reached {@link #DELIVERY} then
   * too.
   */
  TRANSMIT,
  /**
   * The peer has placed the bytes it wants in a receive's buffer, or has buffered them for a
   * receive to come. A message that asks first is never buffered: it has to be matched.
   */
  DELIVERY,
  /**
   * A receive of the peer has taken the message and has the bytes it wants. The message asks first,
   * however short it is.
   */
  MATCH
}
