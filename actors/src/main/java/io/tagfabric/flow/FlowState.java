package io.tagfabric.flow;

/** Where a flow is in its life. */
public enum FlowState {
  CONNECTING,
  OPEN,
  LOST
}
