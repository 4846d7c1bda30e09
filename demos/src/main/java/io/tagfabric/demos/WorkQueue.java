package io.tagfabric.demos;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.job.Job;
import io.tagfabric.kryo.KryoSerializable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * A queue of jobs on the first rank, and a worker on each. A worker asks for the next job when it
 * has done one, so none has more than it can do. An actor that offers a job waits while the queue
 * is full. The queue checks that each job was done once, and rightly.
 *
 * <p>Run it: {@code tagfabric run -n 3 work-queue}
 */
@CommandLine.Command(
    name = "work-queue",
    description = "A queue of jobs on the first rank, and a worker on each that asks for work.")
public final class WorkQueue extends HelpOption {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Numbers of a job. */
  private static final int NUMBERS = 100;

  /** What the queue is told. */
  sealed interface Command extends KryoSerializable {}

  /** A job; the answer comes when there was room for it. */
  record Offer(int job, ActorRef<Integer> replyTo) implements Command {}

  /** A worker has nothing to do. */
  record Next(ActorRef<Order> worker) implements Command {}

  /** A job was done by a rank. */
  record Finished(int job, long result, int rank) implements Command {}

  /** What a worker is told. */
  sealed interface Order extends KryoSerializable {}

  /** Do this. */
  record Work(int job) implements Order {}

  /** A worker to itself: the time that a job takes is over. */
  record Worked(int job) implements Order {}

  /** There is nothing more to do. */
  record Over() implements Order {}

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "600",
      description = "How many jobs there are (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--room",
      paramLabel = "N",
      defaultValue = "8",
      description = "How many jobs may wait in the queue (default: ${DEFAULT-VALUE}).")
  private int room;

  @Option(
      names = "--work-ms",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "How long a job takes beside its computation, in milliseconds (default:"
              + " ${DEFAULT-VALUE}).")
  private int workMs;

  private final CompletableFuture<Void> over = new CompletableFuture<>();

  // of the queue's actor
  private final ArrayDeque<Offer> full = new ArrayDeque<>();
  private final ArrayDeque<Integer> waiting = new ArrayDeque<>();
  private final ArrayDeque<ActorRef<Order>> idle = new ArrayDeque<>();
  private int[] doneBy = {};
  private long[] results = {};
  private int done;
  private int mostWaiting;

  private WorkQueue() {}

  public static void main(String[] args) {
    WorkQueue queue = new WorkQueue();
    Arguments.parse(
        queue,
        args,
        size ->
            queue.jobs < 1 || queue.jobs > 1 << 20 || queue.room < 1 || queue.workMs < 0
                ? "--jobs must be 1 to 1048576, --room at least 1, --work-ms not negative"
                : null);
    Job.run(ActorRanks.options(Command.class, Order.class), args, queue::run);
  }

  private int run(Job job) {
    if (job.rank() == 0) {
      doneBy = new int[jobs];
      Arrays.fill(doneBy, -1);
      results = new long[jobs];
      ActorRanks.expose(job, "queue", queue(), Command.class);
    }
    ActorRef<Command> queue = ActorRanks.of(job, 0, "queue", Command.class);
    job.system().systemActorOf(worker(queue, job.rank()), "worker", Props.empty());
    job.barrier(); // so that nobody comes when all is done
    if (job.rank() == 0) {
      offerAll(job, queue);
    }
    over.join();
    job.barrier();
    if (job.rank() == 0) {
      report(job);
    }
    return 0;
  }

  private void offerAll(Job job, ActorRef<Command> queue) {
    for (int i = 0; i < jobs; i++) {
      int number = i;
      AskPattern.ask(
              queue,
              (ActorRef<Integer> replyTo) -> new Offer(number, replyTo),
              PATIENCE,
              job.system().scheduler())
          .toCompletableFuture()
          .join();
    }
  }

  private Behavior<Command> queue() {
    return Behaviors.receive(Command.class)
        .onMessage(
            Offer.class,
            offer -> {
              full.add(offer);
              return handOut();
            })
        .onMessage(
            Next.class,
            next -> {
              idle.add(next.worker);
              return handOut();
            })
        .onMessage(Finished.class, this::onFinished)
        .build();
  }

  private Behavior<Command> handOut() {
    do {
      while (!full.isEmpty() && waiting.size() < room) {
        Offer offer = full.remove();
        waiting.add(offer.job);
        offer.replyTo.tell(offer.job);
      }
      mostWaiting = Math.max(mostWaiting, waiting.size());
      while (!idle.isEmpty() && !waiting.isEmpty()) {
        idle.remove().tell(new Work(waiting.remove()));
      }
    } while (!full.isEmpty() && waiting.size() < room);
    if (done == jobs) {
      idle.forEach(worker -> worker.tell(new Over()));
      idle.clear();
    }
    return Behaviors.same();
  }

  private Behavior<Command> onFinished(Finished finished) {
    if (doneBy[finished.job] >= 0) {
      throw new IllegalStateException(finished + ": the job was done before");
    }
    doneBy[finished.job] = finished.rank;
    results[finished.job] = finished.result;
    done++;
    return handOut();
  }

  private Behavior<Order> worker(ActorRef<Command> queue, int rank) {
    return Behaviors.setup(
        context -> {
          queue.tell(new Next(context.getSelf()));
          return Behaviors.receive(Order.class)
              .onMessage(
                  Work.class,
                  work -> {
                    Worked worked = new Worked(work.job);
                    if (workMs > 0) {
                      context.scheduleOnce(Duration.ofMillis(workMs), context.getSelf(), worked);
                    } else {
                      context.getSelf().tell(worked);
                    }
                    return Behaviors.same();
                  })
              .onMessage(
                  Worked.class,
                  worked -> {
                    queue.tell(new Finished(worked.job, resultOf(worked.job), rank));
                    queue.tell(new Next(context.getSelf()));
                    return Behaviors.same();
                  })
              .onMessage(
                  Over.class,
                  ended -> {
                    over.complete(null);
                    return Behaviors.stopped();
                  })
              .build();
        });
  }

  /** Steps of the Collatz sequences from the numbers of a job to 1. */
  private static long resultOf(int job) {
    long first = (long) job * NUMBERS + 1;
    long steps = 0;
    for (long start = first; start < first + NUMBERS; start++) {
      for (long n = start; n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) {
        steps++;
      }
    }
    return steps;
  }

  private void report(Job job) {
    int[] byRank = new int[job.size()];
    for (int rank : doneBy) {
      byRank[rank]++;
    }
    for (int i = 0; i < jobs; i++) {
      if (results[i] != resultOf(i)) {
        throw new IllegalStateException("rank " + doneBy[i] + " did job " + i + " wrongly");
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d jobs done once each, %s by the ranks; at most %d waited; %d messages by Akka's"
            + " remoting%n",
        jobs,
        Arrays.toString(byRank),
        mostWaiting,
        FabricActors.get(job.system()).counters().byArtery());
  }
}
