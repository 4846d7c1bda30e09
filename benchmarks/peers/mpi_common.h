/* What the programs for Open MPI and MPICH share. */
#ifndef TAGFABRIC_MPI_COMMON_H
#define TAGFABRIC_MPI_COMMON_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Memory of whole pages, touched, each byte of this value. */
static void *allocate(size_t bytes, int value) {
  void *memory = NULL;
  if (posix_memalign(&memory, 4096, bytes > 0 ? bytes : 1) != 0) {
    fprintf(stderr, "mpi: no memory for %zu bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  memset(memory, value, bytes);
  return memory;
}

#endif
