package io.tagfabric.collective.schedule;

import io.tagfabric.annotation.InternalApi;
import java.util.List;

/**
 * Transfers that are under way at the same time, and what is done when all of them have ended.
 *
 * @param sends of elements that nothing in this round's receives writes
 * @param receives into slices that do not overlap
 * @param locals done one after the other
 */
@InternalApi
public record Round(List<Step.Send> sends, List<Step.Receive> receives, List<Step.Local> locals) {
  public Round {
    sends = List.copyOf(sends);
    receives = List.copyOf(receives);
    locals = List.copyOf(locals);
  }

  /** Whether there is nothing to do. */
  boolean isEmpty() {
    return sends.isEmpty() && receives.isEmpty() && locals.isEmpty();
  }
}
