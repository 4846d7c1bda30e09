package io.tagfabric.complete;

/** What the operations that a counter is bound to add to it. */
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
