package io.tagfabric.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Down;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.exit.ExitNotice;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What the ranks of the tests with real JVMs do; the first argument says what. */
final class JobTestRank {
  private JobTestRank() {}

  public static void main(String[] args) {
    if (args[0].equals("early-exit")) {
      EarlyRank.main(args);
      return;
    }
    long start = ProcessHandle.current().info().startInstant().orElseThrow().toEpochMilli();
    if (args[0].equals("undecided")) {
      Map.of(
              "exit.hold-phase", "ended",
              "exit.hold-time", "1 hour",
              "exit.timeout", "500 ms",
              "exit.hook-timeout", "0 s",
              "job.leave-timeout", "50 ms")
          .forEach((key, value) -> System.setProperty("tagfabric." + key, value));
    }
    if (args[0].equals("fail-alone")) {
      System.setProperty("tagfabric.exit.on-loss", "continue");
    }
    JobOptions options = JobOptions.defaults().withStarting(exit -> starting(exit, args[0]));
    Job.run(
        options,
        args,
        job -> {
          switch (job.arguments().get(0)) {
            case "ring" -> ring(job);
            case "kill" -> loseLast(job);
            case "fail" -> failLast(job);
            case "mid-window" -> KilledRank.senderInMidWindow(job);
            case "unexpected" -> KilledRank.receiverWithUnexpected(job);
            case "forget" -> {
              return 0;
            }
            case "interrupted" -> {
              job.barrier();
              Thread.currentThread().interrupt();
              return job.rank() == job.size() - 1 ? 0 : Integer.parseInt(job.arguments().get(1));
            }
            case "close-first" -> {
              job.close();
              if (job.rank() == 0) {
                return 9;
              }
              throw new IllegalStateException("after the end");
            }
            case "exit-with-hook" -> {
              Thread hook = new Thread(hook(job.arguments().get(1)));
              lastElseWait(
                  job,
                  () -> {
                    Runtime.getRuntime().addShutdownHook(hook);
                    System.exit(7);
                  });
            }
            case "undecided" -> {
              job.exit(0);
              park();
            }
            case "exit-twice" ->
                lastElseWait(
                    job,
                    () -> {
                      job.exit(5);
                      System.exit(0);
                    });
            case "system-exit" ->
                lastElseWait(job, () -> System.exit(Integer.parseInt(job.arguments().get(1))));
            case "fail-alone" -> {
              return failAlone(job, job.arguments().get(1));
            }
            case "sigterm" -> lastElseWait(job, () -> signalSelf("TERM"));
            case "held" -> exitWhileHeld(job);
            case "cut-off" -> lastElseWait(job, () -> downSelf(job));
            case "cut-off-stuck" ->
                lastElseWait(
                    job,
                    () -> {
                      blockTermination(job);
                      downSelf(job);
                    });
            case "stuck-hook" -> {
              job.onExit(notice -> park());
              job.exit(7);
              park();
            }
            default -> throw new IllegalArgumentException(args[0]);
          }
          System.out.println("met after " + (System.currentTimeMillis() - start) + " ms");
          return 0;
        });
  }

  /** The ranks have not met. */
  private static void starting(JobExit exit, String what) {
    if (what.equals("die-early") && exit.rank() == 1) {
      signalSelf("KILL");
      park();
    }
  }

  private static void ring(Job job) {
    job.barrier(Duration.ofSeconds(20));
    int next = (job.rank() + 1) % job.size();
    int previous = (job.rank() + job.size() - 1) % job.size();
    var received = receive(job, previous);
    job.endpoint().futures().sendTagged(job.peer(next), bytes("from " + job.rank()), 7);
    System.out.println("got " + text(received.join()));
    job.barrier();
  }

  /** The last rank dies; the others wait for a message that it alone could send. */
  private static void loseLast(Job job) throws IOException {
    int last = job.size() - 1;
    job.onRankLost(rank -> System.out.println("lost rank " + rank));
    var received = receive(job, last);
    job.barrier();
    if (job.rank() == last) {
      new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
      LockSupport.park();
    }
    long beginNs = System.nanoTime();
    try {
      received.join();
    } catch (CompletionException e) {
      long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
      System.out.println("failed after " + ms + " ms: " + e.getCause().getMessage());
    }
    try {
      job.barrier();
    } catch (FabricException e) {
      System.out.println(e.error() + " " + e.getMessage());
    }
    System.out.println("lost ranks " + job.lostRanks());
  }

  private static void failLast(Job job) {
    job.barrier();
    if (job.rank() == job.size() - 1) {
      throw new FabricException(FabricError.IO, "the disk is full");
    }
    long beginNs = System.nanoTime();
    try {
      job.barrier();
    } catch (FabricException e) {
      long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
      System.out.println("noticed after " + ms + " ms: " + e.getMessage());
    }
  }

  private static String hookSays(ExitNotice notice) {
    return "hook: asked for by rank " + notice.rank() + " with code " + notice.code();
  }

  /** The last rank fails; the others go on, and see that they have lost it. */
  private static int failAlone(Job job, String how) {
    CompletableFuture<Integer> lost = new CompletableFuture<>();
    job.onRankLost(lost::complete);
    job.onExit(notice -> System.out.println("the job ends"));
    job.barrier();
    if (job.rank() < job.size() - 1) {
      System.out.println("goes on without rank " + lost.join());
      return 0;
    }
    return switch (how) {
      case "return" -> 9;
      case "exit" -> {
        System.exit(9);
        yield 0;
      }
      case "throw" -> throw new IllegalStateException("on purpose");
      default -> throw new IllegalArgumentException(how);
    };
  }

  private static void lastElseWait(Job job, Runnable end) {
    job.onExit(notice -> System.out.println(hookSays(notice)));
    job.barrier();
    if (job.rank() == job.size() - 1) {
      end.run();
    }
    park();
  }

  /** What a program may do while its JVM ends. */
  private static Runnable hook(String name) {
    return switch (name) {
      // longer than a rank that knows its code waits for such hooks
      case "slow" -> () -> rest(Duration.ofSeconds(10));
      case "hanging" -> () -> rest(Duration.ofHours(1));
      case "exiting" -> () -> System.exit(3);
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static void rest(Duration time) {
    long endNs = System.nanoTime() + time.toNanos();
    for (long leftNs = time.toNanos(); leftNs > 0; leftNs = endNs - System.nanoTime()) {
      LockSupport.parkNanos(leftNs);
    }
  }

  /** The last rank is held up for good, and rank 0 ends the job meanwhile. */
  private static CompletableFuture<TaggedMessage> receive(Job job, int rank) {
    return job.endpoint()
        .futures()
        .receiveTagged(TagSelector.exact(7).from(job.peer(rank)))
        .toCompletableFuture();
  }

  private static String receiveText(Job job, int rank) {
    return text(receive(job, rank).join());
  }

  private static String text(TaggedMessage message) {
    return new String(message.payload().array(), UTF_8);
  }

  private static void exitWhileHeld(Job job) {
    int last = job.size() - 1;
    if (job.rank() == last) {
      byte[] pid = bytes(Long.toString(ProcessHandle.current().pid()));
      job.endpoint().futures().sendTagged(job.peer(0), pid, 7).toCompletableFuture().join();
      signalSelf("STOP");
    } else if (job.rank() == 0) {
      awaitStopped(receiveText(job, last));
      job.exitNow(6);
    }
    park();
  }

  /** Before it stands still it could answer what the test wants unanswered. */
  private static void awaitStopped(String pid) {
    try {
      while (!Files.readString(Path.of("/proc", pid, "stat")).contains(") T ")) {
        LockSupport.parkNanos(1_000_000);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static void signalSelf(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(ProcessHandle.current().pid())).start();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static void downSelf(Job job) {
    Cluster cluster = Cluster.get(job.system());
    cluster.manager().tell(Down.apply(cluster.selfMember().address()));
  }

  /** As a transport does that waits for a connection. */
  private static void blockTermination(Job job) {
    job.system()
        .systemActorOf(
            Behaviors.receive(Object.class)
                .onSignal(
                    PostStop.class,
                    signal -> {
                      park();
                      return Behaviors.same();
                    })
                .build(),
            "stuck",
            DispatcherSelector.blocking());
  }

  private static void park() {
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.park();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
