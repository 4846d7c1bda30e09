/* A stream within a window, acknowledged by halves, as io.tagfabric.bench.measure.Exchange has it. */
#ifndef TAGFABRIC_MPI_STREAM_H
#define TAGFABRIC_MPI_STREAM_H

#include "mpi_common.h"

enum { TAG = 7, TAG_ACK = 8, MOST_SPANS = 1 << 22 };

static char *sent, *received;
static MPI_Request *requests;
static int most_requests;

/* Where spans are noted; nowhere, unless somebody allocates them. */
static uint64_t *spans;
static int span_count;

static void need_requests(int count) {
  if (count > most_requests) {
    free(requests);
    requests = allocate(sizeof(MPI_Request) * (size_t)count, 1);
    most_requests = count;
  }
}

static void note_span(uint64_t ns) {
  if (spans != NULL && span_count < MOST_SPANS) {
    spans[span_count++] = ns;
  }
}

static int half_of(int window) { return window / 2 > 1 ? window / 2 : 1; }

/* Sends of the half before last are complete when their half is acknowledged and waited for. */
static void stream(int to, int bytes, int count, int window) {
  int half = half_of(window);
  int halves = count / half;
  int64_t ack;
  int begun = 0;
  need_requests(2 * half);
  uint64_t last = now_ns();
  for (int i = 0; i < halves; i++) {
    while (begun < halves && begun < i + (window > 1 ? 2 : 1)) {
      MPI_Request *mine = requests + (begun % 2) * half;
      for (int j = 0; j < half; j++) {
        MPI_Isend(sent, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &mine[j]);
      }
      begun++;
    }
    MPI_Waitall(half, requests + (i % 2) * half, MPI_STATUSES_IGNORE);
    MPI_Recv(&ack, sizeof ack, MPI_BYTE, to, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    uint64_t now = now_ns();
    note_span(now - last);
    last = now;
  }
}

static void drain(int from, int bytes, int count, int window) {
  int half = half_of(window);
  int halves = count / half;
  int64_t ack = 0;
  int begun = 0;
  need_requests(2 * half);
  for (int i = 0; i < halves; i++) {
    while (begun < halves && begun < i + (window > 1 ? 2 : 1)) {
      MPI_Request *mine = requests + (begun % 2) * half;
      for (int j = 0; j < half; j++) {
        MPI_Irecv(received, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &mine[j]);
      }
      begun++;
    }
    MPI_Waitall(half, requests + (i % 2) * half, MPI_STATUSES_IGNORE);
    MPI_Send(&ack, sizeof ack, MPI_BYTE, from, TAG_ACK, MPI_COMM_WORLD);
  }
}

#endif
