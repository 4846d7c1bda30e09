package io.tagfabric.complete;

/** How much an operation adds to the counter that counts it, when it has ended well. */
public enum CounterUnit {
  /** One for each operation that has ended well. */
  OPERATIONS,
  /**
   * The payload bytes of each operation that has ended well.
   *
   * @source libfabric fi_cntr(3), FI_CNTR_EVENTS_BYTES
   */
  BYTES
}
