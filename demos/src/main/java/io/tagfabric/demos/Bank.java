package io.tagfabric.demos;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.collective.Team;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import io.tagfabric.kryo.KryoSerializable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * An account on each rank, and a customer on each, who pays into all accounts and asks for a
 * receipt each time. The last rank ends itself by kill -9 half way. The others go on without it,
 * and check that their accounts have what they were paid, also by the rank that is gone.
 *
 * <p>Run it: {@code tagfabric run -n 3 --on-failure continue bank}
 */
@Command(
    name = "bank",
    description = {
      "Customers pay into accounts of all ranks, by ask; the last rank is killed half way.",
      "Run it with --on-failure continue: the others finish, and say that their accounts are right."
          + " The job ends with 137 then, the code of the rank that was killed."
    })
public final class Bank extends HelpOption {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MOST_PAID = 100;

  /** What an account is told. */
  sealed interface Request extends KryoSerializable {}

  /** A customer pays. */
  record Pay(int customer, int amount, ActorRef<Receipt> replyTo) implements Request {}

  /** What has a customer paid? */
  record Audit(int customer, ActorRef<Receipt> replyTo) implements Request {}

  /** How often a customer has paid, and how much in all. */
  record Receipt(int payments, long sum) implements KryoSerializable {}

  @Option(
      names = "--payments",
      paramLabel = "N",
      defaultValue = "600",
      description = "How often each customer pays (default: ${DEFAULT-VALUE}).")
  private int payments;

  @Option(names = "--no-kill", description = "No rank is killed.")
  private boolean isSafe;

  private Job job;
  private Team team;
  private List<ActorRef<Request>> accounts;
  private long[] paid;
  private int[] times;
  private boolean[] lost;

  private Bank() {}

  public static void main(String[] args) {
    Bank bank = new Bank();
    Arguments.parse(
        bank,
        args,
        size -> {
          if (bank.payments < 2 || bank.payments > 1 << 20) {
            return "--payments must be 2 to 1048576";
          }
          return size < 2 && !bank.isSafe ? "needs two ranks or more, or --no-kill" : null;
        });
    Job.run(ActorRanks.options(Request.class, Receipt.class), args, bank::run);
  }

  private int run(Job started) {
    job = started;
    team = Team.world(job);
    paid = new long[job.size()];
    times = new int[job.size()];
    lost = new boolean[job.size()];
    ActorRanks.expose(job, "account", account(job.size()), Request.class);
    accounts = ActorRanks.ofAll(job, "account", Request.class);
    team.barrier().toCompletableFuture().join();

    Customer customer = new Customer(job.rank(), job.size());
    for (int i = 0; i < payments; i++) {
      if (i == payments / 2 && !isSafe) {
        if (job.rank() == killed()) {
          killSelf();
        }
        meet(); // the others have payments left when it is dead
      }
      customer.next();
      pay(customer.account, customer.amount);
    }
    meet();
    check();
    meet();
    return ExitCode.OK;
  }

  private int killed() {
    return isSafe ? -1 : job.size() - 1;
  }

  /** Which payments a customer makes; all ranks know. */
  private static final class Customer {
    private final SplittableRandom random;
    private final int size;
    private int account;
    private int amount;

    Customer(int rank, int size) {
      random = new SplittableRandom(rank);
      this.size = size;
    }

    void next() {
      account = random.nextInt(size);
      amount = 1 + random.nextInt(MOST_PAID);
    }
  }

  private static Behavior<Request> account(int customers) {
    return Behaviors.setup(
        context -> {
          int[] count = new int[customers];
          long[] sum = new long[customers];
          return Behaviors.receive(Request.class)
              .onMessage(
                  Pay.class,
                  pay -> {
                    count[pay.customer]++;
                    sum[pay.customer] += pay.amount;
                    pay.replyTo.tell(new Receipt(count[pay.customer], sum[pay.customer]));
                    return Behaviors.same();
                  })
              .onMessage(
                  Audit.class,
                  audit -> {
                    audit.replyTo.tell(new Receipt(count[audit.customer], sum[audit.customer]));
                    return Behaviors.same();
                  })
              .build();
        });
  }

  private Receipt ask(
      int account, akka.japi.function.Function<ActorRef<Receipt>, Request> question) {
    return AskPattern.ask(accounts.get(account), question, PATIENCE, job.system().scheduler())
        .toCompletableFuture()
        .join();
  }

  private void pay(int account, int amount) {
    if (lost[account]) {
      return;
    }
    try {
      Receipt receipt = ask(account, replyTo -> new Pay(job.rank(), amount, replyTo));
      paid[account] += amount;
      times[account]++;
      if (receipt.payments != times[account] || receipt.sum != paid[account]) {
        throw new IllegalStateException(
            receipt + " instead of " + times[account] + " payments of " + paid[account]);
      }
    } catch (CompletionException e) {
      if (account != killed() || !(e.getCause() instanceof TimeoutException)) {
        throw e;
      }
      lost[account] = true;
      System.out.println(
          "rank " + job.rank() + ": account " + account + " does not answer any more");
    }
  }

  private static void killSelf() {
    System.out.flush();
    try {
      new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    while (true) {
      LockSupport.park(); // it pays nothing more
    }
  }

  /** Waits for the others; if one was killed, for those that are left. */
  private void meet() {
    try {
      team.barrier().toCompletableFuture().join();
    } catch (CompletionException e) {
      if (isSafe
          || !(e.getCause() instanceof FabricException failure)
          || failure.error() != FabricError.CONNECTION_RESET) {
        throw e;
      }
      team = team.shrink().toCompletableFuture().join();
      team.barrier().toCompletableFuture().join();
    }
  }

  /** Compares what this rank's account has with what each customer must have paid into it. */
  private void check() {
    long sum = 0;
    for (int customer = 0; customer < job.size(); customer++) {
      int rank = customer;
      Receipt receipt = ask(job.rank(), replyTo -> new Audit(rank, replyTo));
      if (!receipt.equals(expected(customer))) {
        throw new IllegalStateException(
            "customer " + customer + " has " + receipt + " instead of " + expected(customer));
      }
      sum += receipt.sum;
    }
    System.out.printf(
        Locale.ROOT,
        "rank %d: the account has %d, and each customer's sum is right; %d messages by Akka's"
            + " remoting%n",
        job.rank(),
        sum,
        FabricActors.get(job.system()).counters().byArtery());
  }

  /** What a customer has paid into this rank's account. */
  private Receipt expected(int rank) {
    Customer customer = new Customer(rank, job.size());
    int count = 0;
    long sum = 0;
    for (int i = 0; i < (rank == killed() ? payments / 2 : payments); i++) {
      customer.next();
      if (customer.account == job.rank()) {
        count++;
        sum += customer.amount;
      }
    }
    return new Receipt(count, sum);
  }
}
