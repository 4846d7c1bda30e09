/*
 * Two processes that wake each other: one sleeps for a gap, adds to an eventfd that the other waits
 * in, and waits for the answer in a second one. Prints half of the round trip in nanoseconds: the
 * median, the 99th percentile and the mean.
 *
 * usage: wake_peer COUNT GAP_NS
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void ring(int bell) {
  uint64_t one = 1;
  if (write(bell, &one, sizeof one) != sizeof one) {
    perror("write");
    exit(1);
  }
}

static void wait_for(int bell) {
  uint64_t count;
  if (read(bell, &count, sizeof count) != sizeof count) {
    perror("read");
    exit(1);
  }
}

static int compare(const void *a, const void *b) {
  int64_t left = *(const int64_t *)a;
  int64_t right = *(const int64_t *)b;
  return left < right ? -1 : left > right;
}

int main(int argc, char **argv) {
  if (argc != 3 || atoi(argv[1]) < 1) {
    fprintf(stderr, "usage: wake_peer COUNT GAP_NS\n");
    return 2;
  }
  int count = atoi(argv[1]);
  int64_t gap_ns = atoll(argv[2]);
  int there = eventfd(0, 0);
  int back = eventfd(0, 0);
  int64_t *half = malloc(count * sizeof *half);
  if (there < 0 || back < 0 || half == NULL) {
    perror("wake_peer");
    return 1;
  }
  pid_t child = fork();
  if (child < 0) {
    perror("fork");
    return 1;
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < count; i++) {
      wait_for(there);
      ring(back);
    }
    return 0;
  }
  struct timespec gap = {gap_ns / 1000000000LL, gap_ns % 1000000000LL};
  double sum = 0;
  for (int i = 0; i < count; i++) {
    nanosleep(&gap, NULL);
    int64_t begin = now_ns();
    ring(there);
    wait_for(back);
    half[i] = (now_ns() - begin) / 2;
    sum += half[i];
  }
  waitpid(child, NULL, 0);
  qsort(half, count, sizeof *half, compare);
  printf("%lld %lld %.0f\n", (long long)half[count / 2], (long long)half[count * 99 / 100],
         sum / count);
  return 0;
}
