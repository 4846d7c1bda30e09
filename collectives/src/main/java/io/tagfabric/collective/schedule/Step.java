package io.tagfabric.collective.schedule;

import io.tagfabric.annotation.InternalApi;

/** One thing a rank does in a round. */
@InternalApi
public sealed interface Step {
  /** Send elements to a rank of the team. */
  record Send(int to, Slice from) implements Step {}

  /** Receive as many elements as the slice has from a rank of the team. */
  record Receive(int from, Slice into) implements Step {}

  /** Something that needs no other rank. */
  sealed interface Local extends Step {}

  /** Copy elements; the slices have equal lengths. */
  record Copy(Slice from, Slice into) implements Local {}

  /**
   * {@code into[i] = left[i] op right[i]}; left holds what lower ranks contributed. The slices have
   * equal lengths, and {@code into} may be the same as either operand.
   */
  record Reduce(Slice left, Slice right, Slice into) implements Local {}
}
