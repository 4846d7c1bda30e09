/*
 * Two processes with a TCP connection that wake each other: rank 0 is silent for a gap, sends a
 * message, and sleeps in epoll until the answer is there; rank 1 sleeps in epoll until a message
 * comes. Neither blocks in a socket. Each keeps to a core of its own, where there are two.
 *
 * usage: epoll_peer 0 ADDRESS PORT WARM_MIN_MS WARM_MAX_MS RUN_MS LIMIT_MS wake:BYTES:GAP_US ...
 *        epoll_peer 1 ADDRESS PORT
 *
 * ADDRESS is that of rank 0, which listens. It prints, for each cell, half of the round trip in
 * microseconds: the median, the 99th percentile and the mean.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define WARM_UP_GAP_NS 150000
#define LEAST_COUNT 50
#define TRIES 300
#define TRY_NS 100000000

static void fail(const char *what) {
  fprintf(stderr, "epoll_peer: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void pause_ns(int64_t ns) {
  struct timespec gap = {ns / 1000000000LL, ns % 1000000000LL};
  nanosleep(&gap, NULL);
}

/* The allowed core at the place of the rank. */
static void bind_rank(int rank) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2) {
    return;
  }
  for (int core = 0; core < CPU_SETSIZE; core++) {
    if (CPU_ISSET(core, &allowed) && rank-- == 0) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(core, &one);
      sched_setaffinity(0, sizeof one, &one);
      return;
    }
  }
}

static struct addrinfo *resolve(const char *address, const char *port) {
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
  struct addrinfo *found = NULL;
  int error = getaddrinfo(address, port, &hints, &found);
  if (error != 0) {
    fprintf(stderr, "epoll_peer: %s port %s: %s\n", address, port, gai_strerror(error));
    exit(1);
  }
  return found;
}

static int accept_other(const struct addrinfo *here) {
  int one = 1;
  int listener = socket(here->ai_family, SOCK_STREAM, 0);
  if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
      bind(listener, here->ai_addr, here->ai_addrlen) != 0 || listen(listener, 1) != 0) {
    fail("listen");
  }
  int other = accept(listener, NULL, NULL);
  if (other < 0) {
    fail("accept");
  }
  close(listener);
  return other;
}

static int connect_other(const struct addrinfo *there) {
  for (int i = 0; i < TRIES; i++) {
    int other = socket(there->ai_family, SOCK_STREAM, 0);
    if (other >= 0 && connect(other, there->ai_addr, there->ai_addrlen) == 0) {
      return other;
    }
    close(other);
    pause_ns(TRY_NS);
  }
  fail("connect");
  return -1;
}

static int watch(int other) {
  int one = 1;
  struct epoll_event readable = {.events = EPOLLIN};
  int poll = epoll_create1(0);
  if (poll < 0 || fcntl(other, F_SETFL, O_NONBLOCK) != 0 ||
      setsockopt(other, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0 ||
      epoll_ctl(poll, EPOLL_CTL_ADD, other, &readable) != 0) {
    fail("epoll");
  }
  return poll;
}

/* Sleeps until there is something to read; as much of it as there is, 0 at the end. */
static size_t receive_some(int poll, int other, char *bytes, size_t most) {
  while (1) {
    struct epoll_event event;
    if (epoll_wait(poll, &event, 1, -1) < 0 && errno != EINTR) {
      fail("epoll_wait");
    }
    ssize_t got = recv(other, bytes, most, 0);
    if (got >= 0) {
      return got;
    }
    if (errno == ECONNRESET) {
      return 0;
    }
    if (errno != EAGAIN && errno != EINTR) {
      fail("recv");
    }
  }
}

/* Messages are short: they fit into the buffers of the socket. */
static void send_all(int other, const char *bytes, size_t length) {
  if (send(other, bytes, length, MSG_NOSIGNAL) != (ssize_t)length) {
    fail("send");
  }
}

static int compare(const void *a, const void *b) {
  int64_t left = *(const int64_t *)a;
  int64_t right = *(const int64_t *)b;
  return left < right ? -1 : left > right;
}

static void wake(int poll, int other, char *bytes, size_t length, int64_t gap_ns, int count,
                 int64_t *half) {
  for (int i = 0; i < count; i++) {
    pause_ns(gap_ns);
    int64_t begin = now_ns();
    send_all(other, bytes, length);
    for (size_t got = 0; got < length;) {
      size_t some = receive_some(poll, other, bytes + got, length - got);
      if (some == 0) {
        fprintf(stderr, "epoll_peer: the other process has ended\n");
        exit(1);
      }
      got += some;
    }
    half[i] = (now_ns() - begin) / 2;
  }
}

static void measure(int poll, int other, const char *cell, int warm_ms, int run_ms) {
  int length;
  int gap_us;
  if (sscanf(cell, "wake:%d:%d", &length, &gap_us) != 2 || length < 1 || length > 4096 ||
      gap_us < 1) {
    fprintf(stderr, "epoll_peer: %s is no cell\n", cell);
    exit(2);
  }
  char bytes[4096] = {0};
  int warm_count = 1 + (int)(warm_ms * 1000000LL / WARM_UP_GAP_NS);
  int count = (int)(run_ms * 1000LL / gap_us);
  count = count < LEAST_COUNT ? LEAST_COUNT : count;
  int64_t *half = malloc((count > warm_count ? count : warm_count) * sizeof *half);
  if (half == NULL) {
    fail("malloc");
  }
  wake(poll, other, bytes, length, WARM_UP_GAP_NS, warm_count, half);
  wake(poll, other, bytes, length, gap_us * 1000LL, count, half);
  double sum = 0;
  for (int i = 0; i < count; i++) {
    sum += half[i];
  }
  qsort(half, count, sizeof *half, compare);
  printf("sample wake %d %.3f %.3f %.3f\n", length, half[count / 2] / 1e3,
         half[(int)(count * 99LL / 100)] / 1e3, sum / count / 1e3);
  fflush(stdout);
  free(half);
}

static void answer(int poll, int other) {
  char bytes[4096];
  size_t got;
  while ((got = receive_some(poll, other, bytes, sizeof bytes)) > 0) {
    send_all(other, bytes, got);
  }
}

int main(int argc, char **argv) {
  int rank = argc > 1 ? atoi(argv[1]) : -1;
  if ((rank != 0 || argc < 8) && (rank != 1 || argc != 4)) {
    fprintf(stderr, "usage: epoll_peer 0 ADDRESS PORT TIMES CELLS or epoll_peer 1 ADDRESS PORT\n");
    return 2;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  bind_rank(rank);
  struct addrinfo *address = resolve(argv[2], argv[3]);
  int other = rank == 0 ? accept_other(address) : connect_other(address);
  freeaddrinfo(address);
  int poll = watch(other);
  if (rank == 1) {
    answer(poll, other);
    return 0;
  }
  for (int i = 8; i < argc; i++) {
    measure(poll, other, argv[i], atoi(argv[4]), atoi(argv[6]));
  }
  return 0;
}
