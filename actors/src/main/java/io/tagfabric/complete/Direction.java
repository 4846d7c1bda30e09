package io.tagfabric.complete;

/**
 * Which way the bytes of an operation went, seen from the program that started it.
 *
 * @source libfabric fi_cq(3), completion flags
 */
public enum Direction {
  /** A message to a peer. */
  SEND,
  /** A message from a peer. */
  RECEIVE,
  /** Bytes fetched from a peer's memory. */
  READ,
  /** Bytes put into a peer's memory. */
  WRITE
}
