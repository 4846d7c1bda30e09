package io.tagfabric.match;

import io.tagfabric.complete.CompletionRing;
import io.tagfabric.tag.TagSelector;

/**
 * A probe that an endpoint has accepted: what it looks for, or the claim whose message it drops,
 * and what hears of its end. Without a listener it completes in the endpoint's receive queue.
 */
public class PostedProbe {
  final ProbeKind kind;

  /** Whether it looks among the messages without a tag. */
  final boolean untagged;

  final long tag;
  final long ignore;
  final int source;

  /** What takes the message, or holds the one to drop; null if neither. */
  final Claim claim;

  final Object context;
  final ProbeListener listener;
  private CompletionRing slotIn;
  private boolean begun;

  /**
   * A probe.
   *
   * @throws IllegalArgumentException if {@code source} is below {@link TagSelector#ANY_SOURCE}
   */
  PostedProbe(
      ProbeKind kind,
      boolean untagged,
      long tag,
      long ignore,
      int source,
      Claim claim,
      Object context,
      ProbeListener listener) {
    TagSelector.requireSource(source);
    this.kind = kind;
    this.untagged = untagged;
    this.tag = tag;
    this.ignore = ignore;
    this.source = source;
    this.claim = claim;
    this.context = context;
    this.listener = listener;
  }

  /** Says where the slot of its completion is reserved. */
  final void slotIn(CompletionRing ring) {
    slotIn = ring;
  }

  /** Where the slot of its completion is reserved; null if nowhere. */
  final CompletionRing slotIn() {
    return slotIn;
  }

  /** Whether nobody has begun with it; then the caller does. On the loop. */
  final boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }
}
