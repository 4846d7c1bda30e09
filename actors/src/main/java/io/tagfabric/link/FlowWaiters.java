package io.tagfabric.link;

import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowState;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** The callers that wait for flows to be set up. Single threaded: the domain's loop. */
final class FlowWaiters {
  /** Is told once how it went. */
  @FunctionalInterface
  public interface Waiter {
    /** The flow is open; or it will never be, if there is a failure, which may be null. */
    void onSetUp(FabricException failure);
  }

  private final IdentityHashMap<Flow, List<Waiter>> waiting = new IdentityHashMap<>();

  void add(Flow flow, Waiter waiter) {
    if (flow.state() == FlowState.CONNECTING) {
      waiting.computeIfAbsent(flow, key -> new ArrayList<>()).add(waiter);
    } else {
      waiter.onSetUp(null);
    }
  }

  /** A flow is open, or lost for a reason. */
  void tell(Flow flow, FabricException failure) {
    List<Waiter> told = waiting.remove(flow);
    if (told != null) {
      told.forEach(waiter -> waiter.onSetUp(failure));
    }
  }
}
