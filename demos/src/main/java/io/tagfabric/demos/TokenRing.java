package io.tagfabric.demos;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.job.Job;
import io.tagfabric.kryo.KryoSerializable;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * An actor on each rank passes a token to the one of the next rank, which it knows by name. The
 * token counts its hops, and each rank how often it has come.
 *
 * <p>Run it: {@code tagfabric run -n 3 token-ring}
 */
@Command(
    name = "token-ring",
    description = "An actor on each rank passes a token on to the next rank's.")
public final class TokenRing extends HelpOption {
  /** What a member of the ring is told. */
  sealed interface Message extends KryoSerializable {}

  /** Goes round; at zero hops left the ring is over. */
  record Token(int hop, int hopsLeft) implements Message {}

  /** Who comes next. */
  record Next(ActorRef<Message> member) implements Message {}

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How often the token goes round (default: ${DEFAULT-VALUE}).")
  private int rounds;

  private final CompletableFuture<Integer> seen = new CompletableFuture<>();

  private TokenRing() {}

  public static void main(String[] args) {
    TokenRing ring = new TokenRing();
    Arguments.parse(
        ring,
        args,
        size ->
            ring.rounds < 1 || ring.rounds > 1_000_000 ? "--rounds must be 1 to 1000000" : null);
    Job.run(ActorRanks.options(Message.class), args, ring::run);
  }

  private int run(Job job) {
    ActorRef<Message> member = ActorRanks.expose(job, "member", waiting(job.size()), Message.class);
    int nextRank = (job.rank() + 1) % job.size();
    member.tell(new Next(ActorRanks.of(job, nextRank, "member", Message.class)));
    long beginNs = System.nanoTime();
    if (job.rank() == 0) {
      member.tell(new Token(0, rounds * job.size()));
    }
    int count = seen.join();
    if (count != rounds) {
      throw new IllegalStateException("the token came " + count + " times, not " + rounds);
    }
    if (job.rank() == 0) {
      System.out.printf(
          Locale.ROOT,
          "the token made %d rounds of %d ranks, %.1f us a hop; %d messages by Akka's remoting%n",
          rounds,
          job.size(),
          (System.nanoTime() - beginNs) / 1e3 / rounds / job.size(),
          FabricActors.get(job.system()).counters().byArtery());
    }
    job.barrier();
    return 0;
  }

  /** Knows no next member yet; a token may come first. */
  private Behavior<Message> waiting(int size) {
    return Behaviors.withStash(
        size,
        stash ->
            Behaviors.receive(Message.class)
                .onMessage(Next.class, next -> stash.unstashAll(member(next.member, size, 0)))
                .onMessage(
                    Token.class,
                    token -> {
                      stash.stash(token);
                      return Behaviors.same();
                    })
                .build());
  }

  /**
   * Passes the token on.
   *
   * @param times how often it has come
   */
  private Behavior<Message> member(ActorRef<Message> next, int size, int times) {
    return Behaviors.receive(Message.class)
        .onMessage(
            Token.class,
            token -> {
              int now = token.hop == 0 ? times : times + 1; // the first one was not passed
              if (token.hopsLeft > 0) {
                next.tell(new Token(token.hop + 1, token.hopsLeft - 1));
              }
              if (now == rounds) {
                seen.complete(now);
              }
              return member(next, size, now);
            })
        .build();
  }
}
