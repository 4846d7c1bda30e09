package io.tagfabric.processes;

import io.tagfabric.access.Access;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.active.ActiveListener;
import io.tagfabric.active.ActiveMessages;
import io.tagfabric.active.ActiveReply;
import io.tagfabric.active.ActiveRequestClaim;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Rank 0 stops rank 1, spends all credit by calls that must leave now, calls on, and lets it go on.
 * It says how many calls of each kind were accepted before and after the credit was spent, and what
 * rank 1 has got in the end.
 */
public final class FrozenPeer {
  private static final int PID = 1;
  private static final int COUNT = 2;
  private static final int REPORT = 3;
  private static final int SEEN = 5;
  private static final int MARK = 99;
  private static final long KEY = 0xF0F0;
  private static final int LENGTH = 64;
  private static final int SLOTS = 32;

  /** Calls that are refused one after the other: then the credit is spent. */
  private static final int REFUSALS = 2_000;

  private static final int TRIES = 200;
  private static final byte[] MEDIUM = new byte[500];
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final SendOptions NOW = SendOptions.DEFAULT.now();

  private final Job job;
  private final Endpoint endpoint;
  private final ActiveMessages active;
  private final RemoteRegion there;
  private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[LENGTH]);
  private int replies;

  private FrozenPeer(Job job) {
    this.job = job;
    endpoint = job.endpoint();
    active = endpoint.active();
    there = new RemoteRegion(job.peer(1), RegionDescriptor.agreed(KEY, LENGTH));
  }

  public static void main(String[] args) {
    Job.run(args, job -> new FrozenPeer(job).run());
  }

  private int run() {
    if (job.rank() == 1) {
      serve();
    } else {
      job.barrier();
      try {
        ask();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    job.barrier();
    return 0;
  }

  // ---- rank 1 ----

  private void serve() {
    UnsafeBuffer memory = new UnsafeBuffer(new byte[LENGTH]);
    job.domain().register(memory, RegionRight.all(), RegionOptions.DEFAULT.withKey(KEY));
    AtomicInteger tagged = new AtomicInteger();
    AtomicInteger active0 = new AtomicInteger();
    AtomicInteger marked = new AtomicInteger();
    AtomicInteger over = new AtomicInteger();
    active.register(PID, call -> call.reply((int) ProcessHandle.current().pid()));
    active.register(
        COUNT,
        call -> {
          active0.incrementAndGet();
          if (call.argument(0) == MARK) {
            marked.incrementAndGet();
          }
        });
    active.register(
        REPORT,
        call -> {
          over.set(call.argument(0));
          call.reply(active0.get(), tagged.get(), marked.get(), memory.getInt(0));
        });
    for (int i = 0; i < SLOTS; i++) {
      endpoint.postReceive(ByteBuffer.allocateDirect(LENGTH), 0, -1L, null);
    }
    job.barrier();
    while (over.get() == 0) {
      job.domain().await(() -> over.get() != 0, Duration.ofMillis(5));
      for (Completion each : endpoint.receiveQueue().read(SLOTS)) {
        if (each instanceof Completion.Received received) {
          tagged.incrementAndGet();
          if (received.tag() == MARK) {
            marked.incrementAndGet();
          }
        }
      }
    }
  }

  // ---- rank 0 ----

  private void ask() throws Exception {
    int peer = job.peer(1);
    join(endpoint.memory().futures().write(there, 32, new UnsafeBuffer(new byte[8])));
    int pid = join(active.request(peer, PID)).argument(0);
    signal("STOP", pid);
    Map<String, Integer> before = new LinkedHashMap<>();
    spend(before);
    long waitedBefore = waited();
    Map<String, Integer> after = new LinkedHashMap<>();
    calls(MARK).forEach((name, call) -> after.put(name, accepted(call, TRIES)));
    System.out.println("waited " + (waited() - waitedBefore));
    signal("CONT", pid);
    System.out.println("before " + before);
    System.out.println("after " + after);
    int wantedActive =
        before.entrySet().stream()
            .filter(e -> isActive(e.getKey()))
            .mapToInt(Map.Entry::getValue)
            .sum();
    int wantedTagged = before.get("tagged") + before.get("future");
    report(peer, wantedActive, wantedTagged);
  }

  private static boolean isActive(String name) {
    return name.startsWith("request") || name.equals("claim");
  }

  private void report(int peer, int wantedActive, int wantedTagged) {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    ActiveReply seen;
    do {
      seen = join(active.request(peer, REPORT, 0));
    } while ((seen.argument(0) < wantedActive || seen.argument(1) < wantedTagged)
        && System.nanoTime() - deadlineNs < 0);
    int heard = wantedActive;
    job.domain().await(() -> replies == heard, PATIENCE);
    seen = join(active.request(peer, REPORT, 1));
    System.out.println(
        "active " + seen.argument(0) + " of " + wantedActive + ", replies " + replies);
    System.out.println("tagged " + seen.argument(1) + " of " + wantedTagged);
    System.out.println("marked " + seen.argument(2) + ", region " + seen.argument(3));
  }

  /** Each call that can say that it must leave now; whether it was accepted. */
  private Map<String, Supplier<Boolean>> calls(int mark) {
    int peer = job.peer(1);
    int[] arguments = {mark};
    bytes.putInt(0, mark);
    UnsafeBuffer result = new UnsafeBuffer(new byte[LENGTH]);
    UnsafeBuffer one = new UnsafeBuffer(new byte[Long.BYTES]);
    one.putLong(0, mark == MARK ? MARK : 0, java.nio.ByteOrder.LITTLE_ENDIAN);
    ActiveListener listener =
        new ActiveListener() {
          @Override
          public void onReply(ActiveReply reply) {
            replies++;
          }

          @Override
          public void onFailed(FabricException reason) {
            throw reason;
          }
        };
    Map<String, Supplier<Boolean>> calls = new LinkedHashMap<>();
    calls.put(
        "request-short",
        () -> is(active.tryRequest(peer, COUNT, arguments, new byte[0], listener)));
    calls.put(
        "request-medium", () -> is(active.tryRequest(peer, COUNT, arguments, MEDIUM, listener)));
    calls.put(
        "request-long",
        () -> is(active.tryRequestLong(there, 8, COUNT, arguments, bytes, 0, 8, listener)));
    calls.put("claim", () -> claim(peer, arguments, listener));
    calls.put(
        "tagged", () -> is(endpoint.post(TaggedSend.of(peer, bytes, 0, 8, mark).with(NOW), null)));
    calls.put(
        "future",
        () -> {
          CompletableFuture<?> sent =
              endpoint
                  .futures()
                  .start(TaggedSend.of(peer, bytes, mark).with(NOW))
                  .toCompletableFuture();
          return !sent.isCompletedExceptionally();
        });
    var memory = endpoint.memory();
    calls.put("write", () -> is(memory.write(there, 0, one, 0, 8, NOW, null)));
    calls.put("read", () -> is(memory.post(Access.read(there, 0, result, 0, 8).with(NOW), null)));
    calls.put(
        "fetch",
        () ->
            is(
                memory.post(
                    Access.fetch(there, 0, AtomicOp.SUM, AtomicKind.INT64, one, 0, 1, result, 0)
                        .with(NOW),
                    null)));
    calls.put(
        "compare",
        () ->
            is(
                memory.post(
                    Access.compare(
                            there,
                            0,
                            AtomicOp.CSWAP,
                            AtomicKind.INT64,
                            one,
                            one,
                            new UnsafeBuffer(new byte[8]))
                        .with(NOW),
                    null)));
    return calls;
  }

  private boolean claim(int peer, int[] arguments, ActiveListener listener) {
    ActiveRequestClaim claim = active.tryPrepare(peer, 1, SEEN, SEEN);
    if (claim != null) {
      claim.commit(COUNT, SEEN, arguments, listener);
    }
    return claim != null;
  }

  private static boolean is(Posted posted) {
    return posted == Posted.POSTED;
  }

  /** By turns, until none is accepted any more. */
  private void spend(Map<String, Integer> accepted) {
    int refused = 0;
    Map<String, Supplier<Boolean>> calls = calls(1);
    calls.keySet().forEach(name -> accepted.put(name, 0));
    while (refused < REFUSALS) {
      for (Map.Entry<String, Supplier<Boolean>> each : calls.entrySet()) {
        if (each.getValue().get()) {
          accepted.merge(each.getKey(), 1, Integer::sum);
          refused = 0;
        } else {
          refused++;
        }
      }
      if (refused % 100 == 0) {
        job.domain().await(() -> false, Duration.ofMillis(1)); // packets leave
      }
    }
  }

  private static int accepted(Supplier<Boolean> call, int tries) {
    int accepted = 0;
    for (int i = 0; i < tries; i++) {
      accepted += call.get() ? 1 : 0;
    }
    return accepted;
  }

  /** How often this thread has waited for something. */
  private static long waited() {
    ThreadInfo info =
        ManagementFactory.getThreadMXBean().getThreadInfo(Thread.currentThread().getId());
    return info.getWaitedCount() + info.getBlockedCount();
  }

  private <T> T join(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    job.domain().await(future::isDone, PATIENCE);
    return future.join();
  }

  private static void signal(String name, int pid) throws Exception {
    new ProcessBuilder("kill", "-" + name, Integer.toString(pid)).start().waitFor();
  }
}
