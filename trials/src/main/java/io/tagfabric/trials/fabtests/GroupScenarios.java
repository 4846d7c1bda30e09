package io.tagfabric.trials.fabtests;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.EndpointFutures;
import io.tagfabric.tag.TagSelector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Many endpoints, many threads, and collectives. */
final class GroupScenarios {
  private static final int ENDPOINTS = 3;
  private static final int THREADS = 8;
  private static final int REQUESTS = 100;

  private GroupScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "mesh",
            "multinode",
            "fi_multinode -z mesh",
            "each endpoint to each of the other side",
            side -> pattern(side, (from, to) -> true)),
        new Scenario(
            "ring",
            "multinode",
            "fi_multinode -z ring",
            "each to its next",
            side -> pattern(side, (from, to) -> to == (from + 1) % ENDPOINTS)),
        new Scenario(
            "gather",
            "multinode",
            "fi_multinode -z gather",
            "all to the first",
            side -> pattern(side, (from, to) -> to == 0)),
        new Scenario(
            "broadcast",
            "multinode",
            "fi_multinode -z broadcast",
            "the first to all",
            side -> pattern(side, (from, to) -> from == 0)),
        new Scenario(
            "threads",
            "stress",
            "rdm_bw_mt",
            "8 threads of each side on one endpoint",
            GroupScenarios::threads),
        new Scenario(
            "collectives",
            "collective",
            "fi_multinode_coll",
            "barrier, sums, a strided team, gather, scatter",
            true,
            GroupScenarios::collectives));
  }

  /** Which endpoint sends to which of the other side. */
  private interface Pattern {
    boolean has(int from, int to);
  }

  private static void pattern(Side side, Pattern pattern) {
    List<Link> links = new ArrayList<>();
    for (int i = 0; i < ENDPOINTS; i++) {
      links.add(side.open(32));
    }
    List<Slot> slots = new ArrayList<>();
    for (int to = 0; to < ENDPOINTS; to++) {
      for (int from = 0; from < ENDPOINTS; from++) {
        if (pattern.has(from, to)) {
          slots.add(links.get(to).postReceive(400, from, 0, links.get(from).peer()));
        }
      }
    }
    List<Slot> sends = new ArrayList<>();
    for (int from = 0; from < ENDPOINTS; from++) {
      for (int to = 0; to < ENDPOINTS; to++) {
        if (pattern.has(from, to)) {
          byte[] message = Side.bytes(side.index() * 100L + from * 10L + to, 400);
          int peer = links.get(to).peer();
          Slot send = links.get(from).postSendTo(peer, message, from, CompletionLevel.DELIVERY);
          links.get(from).await(send).sent();
          sends.add(send);
        }
      }
    }
    int next = 0;
    for (int to = 0; to < ENDPOINTS; to++) {
      for (int from = 0; from < ENDPOINTS; from++) {
        if (pattern.has(from, to)) {
          links
              .get(to)
              .await(slots.get(next++))
              .require(Side.bytes((1L - side.index()) * 100 + from * 10L + to, 400));
        }
      }
    }
    Wrong.unless(next > 0 && sends.size() == next, "the pattern is empty");
  }

  private static void threads(Side side) throws InterruptedException {
    Link link = side.open();
    EndpointFutures futures = link.endpoint().futures();
    ExecutorService pool =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "fabtests-many");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int tag = i;
        all.add(pool.submit(() -> requests(side, link, futures, tag)));
      }
      for (Future<?> each : all) {
        while (!each.isDone()) {
          side.requireTime("a thread");
          try {
            each.get(50, TimeUnit.MILLISECONDS);
          } catch (TimeoutException | ExecutionException later) {
            // asked again below
          }
        }
        try {
          each.get();
        } catch (ExecutionException e) {
          throw e.getCause() instanceof Wrong wrong ? wrong : new Wrong("thread: " + e.getCause());
        }
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private static void requests(Side side, Link link, EndpointFutures futures, int tag) {
    for (int i = 0; i < REQUESTS; i++) {
      int length = i * 97 % 3_000;
      byte[] own = Side.bytes(side.index() * 1_000L + tag, length);
      CompletionStage<?> sent = futures.sendTagged(link.peer(), own, tag);
      byte[] theirs = side.join(futures.receiveTagged(TagSelector.exact(tag))).payload().array();
      side.join(sent);
      Wrong.unless(
          Arrays.equals(theirs, Side.bytes((1L - side.index()) * 1_000 + tag, length)),
          "a thread has got the message of another");
    }
  }

  private static void collectives(Side side) {
    Team world = Team.world(side.job());
    int size = world.size();
    int rank = world.rank();
    side.join(world.barrier());
    Elements sum = Elements.of(new long[] {rank + 5L});
    side.join(world.allreduce(sum, Reduction.SUM));
    require("sum", sum, 11);
    // start 1, stride 2: with two ranks, rank 1 alone; the other takes no part and goes on
    Team strided = side.join(world.split(rank % 2, rank));
    if (rank % 2 == 1) {
      Elements own = Elements.of(new long[] {rank + 7L});
      side.join(strided.allreduce(own, Reduction.SUM));
      require("sum of the strided team", own, 8);
    }
    Elements whole = Elements.of(new long[size]);
    side.join(world.allgather(Elements.of(new long[] {rank + 1L}), whole));
    require("allgather", whole, 1, 2);
    Elements part = Elements.of(new long[1]);
    Elements all = Elements.of(rank == 0 ? new long[] {30, 31} : new long[0]);
    side.join(world.scatter(all, part, 0));
    require("scatter", part, 30 + rank);
    Elements told = Elements.of(new long[] {rank == 0 ? 77 : 0});
    side.join(world.broadcast(told, 0));
    require("broadcast", told, 77);
    strided.close();
    world.close();
  }

  private static void require(String what, Elements got, long... wanted) {
    Wrong.unless(
        Arrays.equals(got.longs(), wanted), () -> what + "=" + Arrays.toString(got.longs()));
  }
}
