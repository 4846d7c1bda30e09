package io.tagfabric.collective.algorithm;

import io.tagfabric.annotation.InternalApi;

/**
 * Which ranks exchange messages in a dissemination: in round {@code k} a rank tells the one {@code
 * 2^k} after it and hears the one {@code 2^k} before it.
 *
 * <p>Claim: after {@code ceil(log2(size))} rounds every rank has heard of every other, for any
 * size. Why: after round {@code k} a rank has heard of the {@code 2^(k+1) - 1} ranks before it,
 * each of which passed on all that it had heard. No rank is special, so none is a bottleneck; a
 * tree that gathers and spreads needs twice as many rounds for the same number of messages at most.
 *
 * @param rank this member, from 0
 * @param size members, at least 1
 * @source Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", IJPP 17(1), 1988
 */
@InternalApi
public record Dissemination(int rank, int size) {
  public Dissemination {
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException("rank=" + rank + " is outside 0.." + (size - 1));
    }
  }

  /** Number of rounds: 0 for one rank, else ceil(log2(size)). */
  public int rounds() {
    return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
  }

  /** Whom this rank tells in a round. */
  public int to(int round) {
    return (int) ((rank + (1L << round)) % size);
  }

  /** Whom this rank hears in a round. */
  public int from(int round) {
    return (int) ((rank - (1L << round) + size) % size);
  }
}
