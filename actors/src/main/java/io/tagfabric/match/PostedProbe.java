package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.CompletionRing;
import java.util.Objects;

/**
 * A probe that an endpoint has accepted, and what hears of its end. Without a listener it completes
 * in the endpoint's receive queue.
 */
@InternalApi
public final class PostedProbe {
  public final Probe probe;
  public final Object context;
  public final ProbeListener listener;
  private CompletionRing slotIn;
  private boolean begun;

  /**
   * A probe.
   *
   * @param listener hears of its end; null for a queue
   */
  public PostedProbe(Probe probe, Object context, ProbeListener listener) {
    this.probe = Objects.requireNonNull(probe, "probe");
    this.context = context;
    this.listener = listener;
  }

  /** A probe that completes in a queue where its slot is reserved. */
  public static PostedProbe reserved(CompletionQueue queue, Probe probe, Object context) {
    PostedProbe posted = new PostedProbe(probe, context, null);
    posted.slotIn = queue.ring();
    return posted;
  }

  /** Where the slot of its completion is reserved; null if nowhere. */
  public CompletionRing slotIn() {
    return slotIn;
  }

  /** Whether nobody has begun with it; then the caller does. On the loop. */
  public boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }
}
