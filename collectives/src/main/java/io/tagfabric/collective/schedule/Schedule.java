package io.tagfabric.collective.schedule;

import io.tagfabric.annotation.InternalApi;
import java.util.List;

/**
 * All that one rank does in one collective. A value; the schedules of all ranks of a team belong
 * together, and are made by the same algorithm from the same arguments.
 *
 * <p>A rank does its rounds one after the other. Rounds of different ranks need not be in step:
 * between two ranks the n-th send meets the n-th receive. A schedule is right even if no send ends
 * before its receive has begun.
 *
 * @param rank whose it is
 * @param size ranks of the team
 * @param rounds what is done
 * @param scratchLength elements of scratch memory needed
 * @source libfabric fi_collective(3); Hoefler, Lumsdaine, Rehm, "Implementation and performance
 *     analysis of non-blocking collective operations for MPI", SC 2007
 */
@InternalApi
public record Schedule(int rank, int size, List<Round> rounds, int scratchLength) {
  public Schedule {
    rounds = List.copyOf(rounds);
  }

  /** Elements this rank sends in all. */
  public long elementsSent() {
    long sum = 0;
    for (Round round : rounds) {
      for (Step.Send send : round.sends()) {
        sum += send.from().length();
      }
    }
    return sum;
  }

  /** Messages this rank sends in all. */
  public int messagesSent() {
    return rounds.stream().mapToInt(round -> round.sends().size()).sum();
  }
}
