/*
 * A library of MPI as a peer of the benchmark of pairs: the first half of the ranks sends, each to
 * one of the second half, all at the same time, as io.tagfabric.bench.ours.PairsRank does. Rank 0
 * decides how many messages and has the clock.
 *
 * Arguments: warm-up, run (milliseconds), bytes of a message, window.
 */
#include "mpi_common.h"
#include "mpi_stream.h"

static int rank, pairs, bytes, window;

static int decided(int own) {
  MPI_Bcast(&own, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return own;
}

/* All pairs at once; the nanoseconds from the moment all begin until all have ended. */
static uint64_t play(int messages) {
  MPI_Barrier(MPI_COMM_WORLD);
  uint64_t begin = now_ns();
  if (rank < pairs) {
    stream(rank + pairs, bytes, messages, window);
  } else {
    drain(rank - pairs, bytes, messages, window);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return now_ns() - begin;
}

static double measure(uint64_t warm_up_ns, uint64_t run_ns) {
  int half = half_of(window);
  int round = half;
  uint64_t done_ns = 0;
  while (done_ns < warm_up_ns) {
    uint64_t round_ns = play(decided(round));
    done_ns += round_ns;
    if (round_ns < 20000000u && round < 1 << 26) {
      round *= 2;
    }
  }
  double wanted = (double)run_ns * round / (double)play(decided(round));
  int halves = (int)((wanted < 1e8 ? wanted : 1e8) / half);
  int messages = (halves > 1 ? halves : 1) * half;
  uint64_t elapsed = play(decided(messages));
  decided(0);
  return (double)pairs * messages * 1e9 / (double)elapsed;
}

int main(int argc, char **argv) {
  int ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks % 2 != 0 || argc != 5) {
    fprintf(stderr, "mpi: ranks=%d must be even, and four arguments must be given\n", ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  pairs = ranks / 2;
  bytes = atoi(argv[3]);
  window = atoi(argv[4]);
  sent = allocate((size_t)bytes, 1);
  received = allocate((size_t)bytes, 1);
  if (rank == 0) {
    uint64_t warm_up_ns = strtoull(argv[1], NULL, 10) * 1000000u;
    uint64_t run_ns = strtoull(argv[2], NULL, 10) * 1000000u;
    printf("pairs %d %.6g\n", pairs, measure(warm_up_ns, run_ns));
    fflush(stdout);
  } else {
    for (int messages = decided(0); messages != 0; messages = decided(0)) {
      play(messages);
    }
  }
  MPI_Finalize();
  return 0;
}
