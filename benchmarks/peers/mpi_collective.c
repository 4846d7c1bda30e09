/*
 * A library of MPI as a peer of the collectives' benchmark: all ranks call a collective again and
 * again with a barrier that is not timed before each call, and rank 0 prints its times, as
 * io.tagfabric.bench.collective.CollectiveRank does.
 *
 * Arguments: operation, warm-up (milliseconds), budget (milliseconds), most calls, then bytes: of the
 * vector, or of a block for each rank.
 */
#include "mpi_common.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PROBES = 20 };

static const char *operation;
static int rank, ranks, count;
static MPI_Datatype kind;
static char *one, *other, *of_all, *to_all;

static int is(const char *name) { return strcmp(operation, name) == 0; }

static void call(void) {
  MPI_Comm all = MPI_COMM_WORLD;
  if (is("barrier")) {
    MPI_Barrier(all);
  } else if (is("broadcast")) {
    MPI_Bcast(one, count, kind, 0, all);
  } else if (is("reduce")) {
    MPI_Reduce(one, other, count, kind, MPI_SUM, 0, all);
  } else if (is("allreduce")) {
    MPI_Allreduce(one, other, count, kind, MPI_SUM, all);
  } else if (is("gather")) {
    MPI_Gather(one, count, kind, of_all, count, kind, 0, all);
  } else if (is("scatter")) {
    MPI_Scatter(of_all, count, kind, one, count, kind, 0, all);
  } else if (is("allgather")) {
    MPI_Allgather(one, count, kind, of_all, count, kind, all);
  } else if (is("alltoall")) {
    MPI_Alltoall(of_all, count, kind, to_all, count, kind, all);
  } else if (is("reduce-scatter")) {
    MPI_Reduce_scatter_block(of_all, one, count, kind, MPI_SUM, all);
  } else if (is("scan")) {
    MPI_Scan(one, other, count, kind, MPI_SUM, all);
  } else if (is("exscan")) {
    MPI_Exscan(one, other, count, kind, MPI_SUM, all);
  } else {
    fprintf(stderr, "mpi: '%s' is no operation here\n", operation);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
}

static uint64_t calls(int times, uint64_t *spans) {
  uint64_t sum = 0;
  for (int i = 0; i < times; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    uint64_t begin = now_ns();
    call();
    uint64_t span = now_ns() - begin;
    spans[i] = span;
    sum += span;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return sum;
}

/* How many calls rank 0 thinks fit into the time there is, its barriers included. */
static int fitting(uint64_t budget_ns, int times, uint64_t elapsed_ns, int most) {
  double wanted = (double)budget_ns * times / (double)(elapsed_ns > 0 ? elapsed_ns : 1);
  int number = wanted < PROBES ? PROBES : wanted > most ? most : (int)wanted;
  MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return number;
}

static int compare_spans(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 6) {
    fprintf(stderr, "mpi: five arguments or more are needed\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  operation = argv[1];
  uint64_t warm_up_ns = strtoull(argv[2], NULL, 10) * 1000000u;
  uint64_t budget_ns = strtoull(argv[3], NULL, 10) * 1000000u;
  int most = atoi(argv[4]);
  uint64_t *spans = allocate(sizeof(uint64_t) * (size_t)(most > PROBES ? most : PROBES), 0);
  for (int i = 5; i < argc; i++) {
    int bytes = atoi(argv[i]);
    kind = bytes % 8 == 0 ? MPI_DOUBLE : MPI_INT8_T;
    count = bytes % 8 == 0 ? bytes / 8 : bytes;
    one = allocate((size_t)bytes, 0);
    other = allocate((size_t)bytes, 0);
    of_all = allocate((size_t)bytes * (size_t)ranks, 0);
    to_all = allocate((size_t)bytes * (size_t)ranks, 0);
    int times = PROBES;
    uint64_t begin = now_ns();
    calls(times, spans);
    times = fitting(warm_up_ns, times, now_ns() - begin, most);
    begin = now_ns();
    calls(times, spans);
    times = fitting(budget_ns, times, now_ns() - begin, most);
    uint64_t sum = calls(times, spans);
    if (rank == 0) {
      qsort(spans, (size_t)times, sizeof spans[0], compare_spans);
      printf("times %d %.6g %.6g %.6g\n", bytes, (double)spans[times / 2] / 1e3,
             (double)spans[(int)(times * 0.99)] / 1e3, (double)sum / times / 1e3);
      fflush(stdout);
    }
    free(one);
    free(other);
    free(of_all);
    free(to_all);
  }
  MPI_Finalize();
  return 0;
}
