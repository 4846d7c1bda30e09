package io.tagfabric.demos;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.job.Job;
import io.tagfabric.kryo.KryoSerializable;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * An actor of one rank asks actors of the others, by Akka's own ask. Question and answer go over
 * the fabric, because the reference is one of {@link FabricActors}.
 *
 * <p>Run it: {@code tagfabric run -n 2 ask}
 */
@Command(
    name = "ask",
    description = "The first rank asks an actor of each other rank, one at a time.")
public final class Ask extends HelpOption {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** How much is the square of a number? */
  record Square(long of, ActorRef<Result> replyTo) implements KryoSerializable {}

  /** So much. */
  record Result(long value) implements KryoSerializable {}

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Questions to each rank (default: ${DEFAULT-VALUE}).")
  private int count;

  private Ask() {}

  public static void main(String[] args) {
    Ask ask = new Ask();
    Arguments.parse(
        ask,
        args,
        size ->
            size < 2
                ? "needs two ranks or more"
                : ask.count < 1 ? "--count must be at least 1" : null);
    Job.run(ActorRanks.options(Square.class, Result.class), args, ask::run);
  }

  private static Behavior<Square> calculator() {
    return Behaviors.receiveMessage(
        square -> {
          square.replyTo.tell(new Result(square.of * square.of));
          return Behaviors.same();
        });
  }

  private int run(Job job) {
    if (job.rank() > 0) {
      ActorRanks.expose(job, "calculator", calculator(), Square.class);
    } else {
      for (int rank = 1; rank < job.size(); rank++) {
        askAll(job, rank);
      }
    }
    job.barrier();
    return 0;
  }

  private void askAll(Job job, int rank) {
    FabricActors actors = FabricActors.get(job.system());
    ActorRef<Square> calculator = ActorRanks.of(job, rank, "calculator", Square.class);
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      if (i == count / 2) {
        beginNs = System.nanoTime(); // the first half has warmed up
      }
      long of = i;
      Result result =
          actors.await(
              AskPattern.ask(
                  calculator,
                  (ActorRef<Result> replyTo) -> new Square(of, replyTo),
                  PATIENCE,
                  job.system().scheduler()),
              PATIENCE);
      if (result.value != of * of) {
        throw new IllegalStateException("the square of " + of + " is not " + result.value);
      }
    }
    double usec = (System.nanoTime() - beginNs) / 1e3 / (count - count / 2);
    FabricActors.Counters counters = actors.counters();
    System.out.printf(
        Locale.ROOT,
        "rank %d answered %d questions rightly, %.1f us each in the second half; %d messages by"
            + " Akka's remoting%n",
        rank,
        count,
        usec,
        counters.byArtery());
  }
}
