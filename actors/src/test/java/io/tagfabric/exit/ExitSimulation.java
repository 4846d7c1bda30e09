package io.tagfabric.exit;

import io.tagfabric.cluster.job.CodePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/** Ranks of one job on one thread and one clock, with a network that delays and loses messages. */
final class ExitSimulation {
  static final long MS = 1_000_000;
  static final long TIMEOUT = 2_000 * MS;
  static final long HOOKS = 1_000 * MS;

  private record Event(long atNs, long order, Runnable action) {}

  /** One rank: its protocol, and what it has said. */
  final class Rank implements ExitOutput {
    final int number;
    final ExitProtocol protocol;
    ExitNotice notice;
    ExitResult result;
    long begunNs = -1;
    long endedNs;
    int hookRuns;
    boolean dead;
    boolean stopped;
    private int ledBefore;
    private final List<Runnable> held = new ArrayList<>();
    private long timerNs = Long.MAX_VALUE;

    Rank(int number, int size, CodePolicy policy, boolean abortOnLoss) {
      this.number = number;
      protocol =
          new ExitProtocol(
              new ExitPlan(number, size, policy, TIMEOUT, HOOKS, 200 * MS, abortOnLoss), this);
    }

    @Override
    public void send(int to, ExitMessage message) {
      if (to == number) {
        throw new AssertionError("rank " + number + " writes to itself: " + message);
      }
      hitIfDue(this);
      if (dead) {
        return;
      }
      int led = protocol.counters().exitRequest();
      if (message instanceof ExitMessage.ExitRequest request && led > ledBefore) {
        ledBefore = led;
        noteLeader(request.epoch(), number);
      }
      boolean cut = nowNs < cutUntilNs && cutOff.get(number) != cutOff.get(to);
      for (int copies = copies(cut); copies > 0; copies--) {
        after(
            delay(),
            () ->
                ranks
                    .get(to)
                    .receive(() -> ranks.get(to).protocol.onMessage(number, message, nowNs)));
      }
    }

    private int copies(boolean cut) {
      if (cut || random.nextDouble() < loss) {
        return 0;
      }
      return duplicates > 0 && random.nextDouble() < duplicates ? 2 : 1;
    }

    @Override
    public void runHooks(ExitNotice first) {
      notice = first;
      hookRuns++;
      if (!hooksHang) {
        after(random.nextLong(20 * MS), () -> receive(() -> protocol.onHooksDone(nowNs)));
      }
    }

    @Override
    public void end(ExitResult how) {
      if (result != null) {
        throw new AssertionError("rank " + number + " ends twice");
      }
      result = how;
      endedNs = nowNs;
      after(
          teardownNs + delay(),
          () -> {
            if (!dead) {
              dead = true;
              announceGone(number, true);
            }
          });
    }

    void receive(Runnable input) {
      if (stopped) {
        held.add(input);
      } else if (!dead) {
        input.run();
        hitIfDue(this);
        if (begunNs < 0 && protocol.hasBegun()) {
          begunNs = nowNs;
        }
        schedule();
      }
    }

    private void schedule() {
      long nextNs = protocol.nextNs();
      if (nextNs != Long.MAX_VALUE && nextNs != timerNs) {
        timerNs = nextNs;
        at(
            Math.max(nextNs, nowNs),
            () -> {
              if (timerNs == nextNs) {
                timerNs = Long.MAX_VALUE;
                receive(() -> protocol.onTime(nowNs));
              }
            });
      }
    }
  }

  final List<Rank> ranks = new ArrayList<>();
  Rank victim;
  private ExitPhase hitIn;
  private long hitForNs;
  final Map<Long, Integer> leaders = new TreeMap<>();
  final long seed;
  final Random random;
  double loss;
  double duplicates;
  private final BitSet cutOff = new BitSet();
  private long cutUntilNs;
  long maxDelayNs = 20 * MS;
  long maxNoticeNs = 500 * MS;
  long teardownNs = 300 * MS;
  boolean hooksHang;
  long nowNs;

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) ->
              a.atNs != b.atNs ? Long.compare(a.atNs, b.atNs) : Long.compare(a.order, b.order));
  private long order;

  ExitSimulation(int size, long seed) {
    this(size, seed, CodePolicy.MAX, true);
  }

  ExitSimulation(int size, long seed, CodePolicy policy, boolean abortOnLoss) {
    this.seed = seed;
    random = new Random(seed);
    for (int number = 0; number < size; number++) {
      ranks.add(new Rank(number, size, policy, abortOnLoss));
    }
  }

  ExitSimulation formed() {
    ranks.forEach(rank -> rank.protocol.onFormed());
    return this;
  }

  void exit(long atNs, int rank, ExitKind kind, int code) {
    at(
        atNs,
        () ->
            ranks
                .get(rank)
                .receive(
                    () ->
                        ranks
                            .get(rank)
                            .protocol
                            .exit(kind, new Verdict(code, nowNs / MS, rank), nowNs)));
  }

  void kill(long atNs, int rank) {
    at(
        atNs,
        () -> {
          if (!ranks.get(rank).dead) {
            ranks.get(rank).dead = true;
            announceGone(rank, false);
          }
        });
  }

  /**
   * Hits the first rank that comes to a phase, before it sends anything there.
   *
   * @param forNs holds it up for so long, 0 kills it
   */
  void hit(ExitPhase phase, long forNs) {
    hitIn = phase;
    hitForNs = forNs;
  }

  private void hitIfDue(Rank rank) {
    if (victim != null || rank.protocol.phase() != hitIn) {
      return;
    }
    victim = rank;
    if (hitForNs > 0) {
      stop(nowNs, nowNs + hitForNs, rank.number);
    } else {
      rank.dead = true;
      announceGone(rank.number, false);
    }
  }

  /** Holds a rank up, as kill -STOP does, and lets it go on. */
  void stop(long fromNs, long toNs, int number) {
    Rank rank = ranks.get(number);
    at(fromNs, () -> rank.stopped = true);
    at(
        toNs,
        () -> {
          rank.stopped = false;
          List<Runnable> late = List.copyOf(rank.held);
          rank.held.clear();
          late.forEach(rank::receive);
        });
  }

  /** Cuts ranks off from all others; nobody is noticed as lost. */
  void cut(long fromNs, long toNs, BitSet some) {
    at(
        fromNs,
        () -> {
          cutOff.or(some);
          cutUntilNs = toNs;
        });
  }

  /** Runs until nothing happens any more. */
  void run() {
    int steps = 0;
    while (!events.isEmpty()) {
      if (++steps > 2_000_000) {
        throw new AssertionError("does not end");
      }
      Event event = events.poll();
      nowNs = event.atNs;
      event.action.run();
    }
  }

  List<Rank> survivors() {
    return ranks.stream().filter(rank -> rank.result != null || !rank.dead).toList();
  }

  /** Codes of those that some leader, or a reduction, has told in time. */
  List<Integer> codesInTime() {
    return ranks.stream()
        .filter(rank -> rank.result != null && rank.result.graceful())
        .map(rank -> rank.result.code())
        .distinct()
        .toList();
  }

  List<Integer> codes() {
    return survivors().stream().map(rank -> rank.result.code()).distinct().toList();
  }

  int[] sums() {
    int[] sums = new int[3];
    for (Rank rank : ranks) {
      ExitCounters counters = rank.protocol.counters();
      sums[0] += counters.reduce();
      sums[1] += counters.ofElection();
      sums[2] += counters.again();
    }
    return sums;
  }

  private void announceGone(int rank, boolean orderly) {
    for (Rank other : ranks) {
      if (other.number != rank) {
        after(
            random.nextLong(maxNoticeNs),
            () -> other.receive(() -> other.protocol.onGone(rank, orderly, nowNs)));
      }
    }
  }

  private void noteLeader(long epoch, int rank) {
    Integer other = leaders.putIfAbsent(epoch, rank);
    if (other != null && other != rank) {
      throw new AssertionError("epoch " + epoch + " has leaders " + Arrays.asList(other, rank));
    }
  }

  private long delay() {
    return 10_000 + random.nextLong(maxDelayNs);
  }

  private void after(long delayNs, Runnable action) {
    at(nowNs + delayNs, action);
  }

  void at(long atNs, Runnable action) {
    events.add(new Event(atNs, order++, action));
  }
}
