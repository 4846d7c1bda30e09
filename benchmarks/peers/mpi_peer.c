/*
 * A library of MPI (Open MPI, MPICH) as a peer of the comparison: two ranks play a workload and
 * rank 0 prints its samples. Patterns, warm-up and figures are those of
 * io.tagfabric.bench.measure: a ping-pong timed by each round trip, a stream within a window
 * acknowledged by halves, streams both ways at once, matching in reverse order. Memory is accessed
 * in a window that is locked once, and each access is flushed.
 *
 * Arguments: shortest warm-up, longest warm-up, run, longest pass of matching (milliseconds), then
 * cells test:size:window.
 */
#include "mpi_common.h"
#include "mpi_stream.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_ORDER = 9, TAG_LABEL = 1000, ORDER_LONGS = 4 };
enum work {
  WORK_PING,
  WORK_STREAM,
  WORK_BOTH,
  WORK_POSTED,
  WORK_UNEXPECTED,
  WORK_PUT,
  WORK_GET,
  WORK_FETCH_ADD,
  WORK_END
};
enum { FIRST_WARM_UP = 4, MATCH_BYTES = 8 };

static int rank;
static MPI_Win window_of_both;

static int compare_spans(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static double percentile(double fraction) {
  if (span_count == 0) {
    return 0;
  }
  int index = (int)(fraction * span_count);
  return (double)spans[index < span_count ? index : span_count - 1];
}

static void ping(int bytes, int count) {
  uint64_t last = now_ns();
  for (int i = 0; i < count; i++) {
    MPI_Send(sent, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
    MPI_Recv(received, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    uint64_t now = now_ns();
    note_span(now - last);
    last = now;
  }
}

static void pong(int bytes, int count) {
  for (int i = 0; i < count; i++) {
    MPI_Recv(received, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(sent, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
  }
}

/*
 * Both ranks: streams both ways at once. What comes acknowledges what was sent: a half is sent when
 * the other's half before last has come. The other may be a window ahead of what came from here, so
 * two windows of receives are posted. Rank 0 learns in the end that the other has all of its own.
 */
static void both(int bytes, int count, int window) {
  int half = half_of(window);
  int halves = count / half;
  int ahead = window > 1 ? 2 : 1;
  int other = 1 - rank;
  int posted = 0, begun = 0;
  int64_t ack = 0;
  need_requests(6 * half);
  MPI_Request *sends = requests + 4 * half;
  for (int i = 0; i < 2 * half; i++) {
    sends[i] = MPI_REQUEST_NULL;
  }
  uint64_t last = now_ns();
  for (int i = 0; i < halves; i++) {
    for (; posted < halves && posted < i + 2 * ahead; posted++) {
      MPI_Request *mine = requests + (posted % 4) * half;
      for (int j = 0; j < half; j++) {
        MPI_Irecv(received, bytes, MPI_BYTE, other, TAG, MPI_COMM_WORLD, &mine[j]);
      }
    }
    for (; begun < halves && begun < i + ahead; begun++) {
      MPI_Request *mine = sends + (begun % 2) * half;
      MPI_Waitall(half, mine, MPI_STATUSES_IGNORE);
      for (int j = 0; j < half; j++) {
        MPI_Isend(sent, bytes, MPI_BYTE, other, TAG, MPI_COMM_WORLD, &mine[j]);
      }
    }
    MPI_Waitall(half, requests + (i % 4) * half, MPI_STATUSES_IGNORE);
    if (rank == 0) {
      uint64_t now = now_ns();
      note_span(now - last);
      last = now;
    }
  }
  MPI_Waitall(2 * half, sends, MPI_STATUSES_IGNORE);
  if (rank == 0) {
    MPI_Recv(&ack, sizeof ack, MPI_BYTE, 1, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&ack, sizeof ack, MPI_BYTE, 0, TAG_ACK, MPI_COMM_WORLD);
  }
}

/* Rank 0: the other has posted; send in reverse and wait until all have matched. */
static uint64_t send_to_posted(int depth) {
  int64_t ack;
  MPI_Recv(&ack, sizeof ack, MPI_BYTE, 1, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  uint64_t begin = now_ns();
  for (int label = depth - 1; label >= 0; label--) {
    MPI_Send(sent, MATCH_BYTES, MPI_BYTE, 1, TAG_LABEL + label, MPI_COMM_WORLD);
  }
  MPI_Recv(&ack, sizeof ack, MPI_BYTE, 1, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return now_ns() - begin;
}

static void receive_posted(int depth) {
  int64_t ack = 0;
  need_requests(depth);
  for (int label = 0; label < depth; label++) {
    MPI_Irecv(received, MATCH_BYTES, MPI_BYTE, 0, TAG_LABEL + label, MPI_COMM_WORLD,
              &requests[label]);
  }
  MPI_Send(&ack, sizeof ack, MPI_BYTE, 0, TAG_ACK, MPI_COMM_WORLD);
  MPI_Waitall(depth, requests, MPI_STATUSES_IGNORE);
  MPI_Send(&ack, sizeof ack, MPI_BYTE, 0, TAG_ACK, MPI_COMM_WORLD);
}

/* Rank 0: nothing is posted; the other measures and tells. */
static uint64_t send_unexpected(int depth) {
  int64_t mark = 0, elapsed;
  for (int label = 0; label < depth; label++) {
    MPI_Send(sent, MATCH_BYTES, MPI_BYTE, 1, TAG_LABEL + label, MPI_COMM_WORLD);
  }
  MPI_Send(&mark, sizeof mark, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
  MPI_Recv(&elapsed, sizeof elapsed, MPI_BYTE, 1, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return (uint64_t)elapsed;
}

static void receive_unexpected(int depth) {
  int64_t mark, elapsed;
  need_requests(depth);
  /* messages of a pair keep their order: when this one has come, all have */
  MPI_Recv(&mark, sizeof mark, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  uint64_t begin = now_ns();
  for (int label = depth - 1; label >= 0; label--) {
    MPI_Irecv(received, MATCH_BYTES, MPI_BYTE, 0, TAG_LABEL + label, MPI_COMM_WORLD,
              &requests[label]);
  }
  MPI_Waitall(depth, requests, MPI_STATUSES_IGNORE);
  elapsed = (int64_t)(now_ns() - begin);
  MPI_Send(&elapsed, sizeof elapsed, MPI_BYTE, 0, TAG_ACK, MPI_COMM_WORLD);
}

/* Rank 0: accesses the other's memory, each access when the one before has ended. */
static void put(int bytes, int count) {
  for (int i = 0; i < count; i++) {
    MPI_Put(sent, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, window_of_both);
    MPI_Win_flush(1, window_of_both);
  }
}

static void get(int bytes, int count) {
  for (int i = 0; i < count; i++) {
    MPI_Get(received, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, window_of_both);
    MPI_Win_flush(1, window_of_both);
  }
}

static void fetch_add(int count) {
  int64_t one = 1, old;
  for (int i = 0; i < count; i++) {
    MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 1, 0, MPI_SUM, window_of_both);
    MPI_Win_flush(1, window_of_both);
  }
}

/* Rank 0: tells the other what comes, plays its own part, gives the nanoseconds. */
static uint64_t play(enum work work, int size, int count, int window) {
  int64_t order[ORDER_LONGS] = {work, size, count, window};
  int64_t ready;
  MPI_Send(order, sizeof order, MPI_BYTE, 1, TAG_ORDER, MPI_COMM_WORLD);
  MPI_Recv(&ready, sizeof ready, MPI_BYTE, 1, TAG_ORDER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  span_count = 0;
  uint64_t begin = now_ns();
  switch (work) {
    case WORK_PING:
      ping(size, count);
      break;
    case WORK_STREAM:
      stream(1, size, count, window);
      break;
    case WORK_BOTH:
      both(size, count, window);
      break;
    case WORK_POSTED:
      return send_to_posted(count);
    case WORK_UNEXPECTED:
      return send_unexpected(count);
    case WORK_PUT:
      put(size, count);
      break;
    case WORK_GET:
      get(size, count);
      break;
    case WORK_FETCH_ADD:
      fetch_add(count);
      break;
    case WORK_END:
      break;
  }
  return now_ns() - begin;
}

static void serve(void) {
  int64_t order[ORDER_LONGS];
  do {
    MPI_Recv(order, sizeof order, MPI_BYTE, 0, TAG_ORDER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(order, sizeof(int64_t), MPI_BYTE, 0, TAG_ORDER, MPI_COMM_WORLD);
    int size = (int)order[1], count = (int)order[2], window = (int)order[3];
    switch ((enum work)order[0]) {
      case WORK_PING:
        pong(size, count);
        break;
      case WORK_STREAM:
        drain(0, size, count, window);
        break;
      case WORK_BOTH:
        both(size, count, window);
        break;
      case WORK_POSTED:
        receive_posted(count);
        break;
      case WORK_UNEXPECTED:
        receive_unexpected(count);
        break;
      case WORK_PUT:
      case WORK_GET:
      case WORK_FETCH_ADD: /* the other does it all */
      case WORK_END:
        break;
    }
  } while (order[0] != WORK_END);
}

static int whole_halves(double wanted, enum work work, int window) {
  double bounded = wanted < 10 ? 10 : wanted > 1e8 ? 1e8 : wanted;
  int count = (int)bounded;
  if (work != WORK_STREAM && work != WORK_BOTH) {
    return count;
  }
  int half = half_of(window);
  return (count + half - 1) / half * half;
}

static void measure_messages(const char *test, enum work work, int size, int window,
                             uint64_t warm_up_ns, uint64_t run_ns) {
  uint64_t done_ns = 0, round_ns = 0;
  int round = whole_halves(1, work, window);
  while (done_ns < warm_up_ns) {
    round_ns = play(work, size, round, window);
    done_ns += round_ns;
    if (round_ns < 20000000u && round < 1 << 20) {
      round *= 2;
    }
  }
  round_ns = play(work, size, round, window);
  int count = whole_halves((double)run_ns * round / (double)round_ns, work, window);
  uint64_t elapsed = play(work, size, count, window);
  qsort(spans, (size_t)span_count, sizeof spans[0], compare_spans);
  double value, transfers;
  if (work == WORK_PING) {
    transfers = 2;
    value = percentile(0.5) / transfers / 1e3;
  } else if (work == WORK_BOTH) {
    transfers = 2 * half_of(window);
    value = 2.0 * count * size * 1e3 / (double)elapsed;
  } else if (work != WORK_STREAM) {
    transfers = 1;
    value = (double)elapsed / count / 1e3;
  } else {
    transfers = half_of(window);
    double per_second = count * 1e9 / (double)elapsed;
    value = strcmp(test, "rate") == 0 ? per_second : per_second * size / 1e6;
  }
  printf("sample %s %d %.6g %.6g", test, size, value, percentile(0.99) / transfers / 1e3);
  if (work == WORK_PING) {
    printf(" %.6g", (double)elapsed / count / transfers / 1e3);
  }
  printf("\n");
}

static void measure_matching(const char *test, enum work work, int depth, uint64_t warm_up_ns,
                             uint64_t run_ns, uint64_t limit_ns) {
  static int last_depth[WORK_END];
  static double last_ns[WORK_END];
  double foretold = 0;
  if (last_depth[work] > 0) {
    double growth = (double)depth / last_depth[work];
    foretold = last_ns[work] * growth * growth;
    if (foretold > (double)limit_ns) {
      printf("left-out %s %d depth=%d would take about %.0f s a pass > %.0f s\n", test, depth,
             depth, foretold / 1e9, (double)limit_ns / 1e9);
      return;
    }
  }
  uint64_t done_ns = 0;
  /* a depth whose pass takes longer than the warm-up is warm from the one before */
  while (foretold < (double)warm_up_ns && done_ns < warm_up_ns) {
    done_ns += play(work, MATCH_BYTES, depth, 0);
  }
  static uint64_t passes[1 << 16];
  int count = 0;
  done_ns = 0;
  while (done_ns < run_ns && count < 1 << 16) {
    passes[count] = play(work, MATCH_BYTES, depth, 0);
    done_ns += passes[count++];
  }
  qsort(passes, (size_t)count, sizeof passes[0], compare_spans);
  last_depth[work] = depth;
  last_ns[work] = (double)passes[0];
  printf("sample %s %d %.6g 0\n", test, depth, (double)passes[count / 2] / depth);
}

static void measure(const char *cell, int place, char **times) {
  char test[64];
  int size, window;
  if (sscanf(cell, "%63[^:]:%d:%d", test, &size, &window) != 3) {
    fprintf(stderr, "mpi: '%s' is no cell\n", cell);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  uint64_t warm_up_ns = strtoull(times[0], NULL, 10) * 1000000u;
  uint64_t run_ns = strtoull(times[2], NULL, 10) * 1000000u;
  uint64_t limit_ns = strtoull(times[3], NULL, 10) * 1000000u;
  if (place == 0) {
    warm_up_ns *= FIRST_WARM_UP;
  }
  if (strcmp(test, "latency") == 0) {
    measure_messages(test, WORK_PING, size, window, warm_up_ns, run_ns);
  } else if (strcmp(test, "rate") == 0 || strcmp(test, "bandwidth") == 0) {
    measure_messages(test, WORK_STREAM, size, window, warm_up_ns, run_ns);
  } else if (strcmp(test, "bibw") == 0) {
    measure_messages(test, WORK_BOTH, size, window, warm_up_ns, run_ns);
  } else if (strcmp(test, "matching-posted") == 0) {
    measure_matching(test, WORK_POSTED, size, warm_up_ns, run_ns, limit_ns);
  } else if (strcmp(test, "matching-unexpected") == 0) {
    measure_matching(test, WORK_UNEXPECTED, size, warm_up_ns, run_ns, limit_ns);
  } else if (strcmp(test, "rma-write") == 0) {
    measure_messages(test, WORK_PUT, size, window, warm_up_ns, run_ns);
  } else if (strcmp(test, "rma-read") == 0) {
    measure_messages(test, WORK_GET, size, window, warm_up_ns, run_ns);
  } else if (strcmp(test, "rma-fetch-add") == 0) {
    measure_messages(test, WORK_FETCH_ADD, size, window, warm_up_ns, run_ns);
  } else {
    printf("left-out %s %d unknown here\n", test, size);
  }
  fflush(stdout);
}

/* Both ranks read the same arguments, so both know the longest message. */
static size_t longest(int argc, char **argv) {
  size_t bytes = 4096;
  for (int i = 5; i < argc; i++) {
    const char *colon = strchr(argv[i], ':');
    int is_matching = strncmp(argv[i], "matching", 8) == 0;
    size_t size = colon != NULL && !is_matching ? strtoull(colon + 1, NULL, 10) : 0;
    if (size > bytes) {
      bytes = size;
    }
  }
  return bytes;
}

static int wants_window(int argc, char **argv) {
  for (int i = 5; i < argc; i++) {
    if (strncmp(argv[i], "rma-", 4) == 0) {
      return 1;
    }
  }
  return 0;
}

static void open_window(size_t bytes) {
  void *memory;
  MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window_of_both);
  memset(memory, 1, bytes);
  MPI_Win_lock_all(0, window_of_both);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void close_window(void) {
  MPI_Win_unlock_all(window_of_both);
  MPI_Win_free(&window_of_both);
}

int main(int argc, char **argv) {
  int ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2 || argc < 5) {
    fprintf(stderr, "mpi: ranks=%d must be 2, and four times must be given\n", ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  size_t bytes = longest(argc, argv);
  sent = allocate(bytes, 1);
  received = allocate(bytes, 1);
  int windowed = wants_window(argc, argv);
  if (windowed) {
    open_window(bytes);
  }
  if (rank == 0) {
    spans = allocate(sizeof(uint64_t) * MOST_SPANS, 1);
    for (int i = 5; i < argc; i++) {
      measure(argv[i], i - 5, argv + 1);
    }
    play(WORK_END, 0, 0, 0);
  } else {
    serve();
  }
  if (windowed) {
    close_window();
  }
  MPI_Finalize();
  return 0;
}
