package io.tagfabric.trials.fuzz;

import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.trials.fuzz.Violation.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * One life of a victim: from opening to closing it, with a number of attackers between. Flows that
 * have ended are never forgotten by an endpoint, so it does not live for ever. Thread: one.
 */
final class FuzzRound {
  private static final int ATTACKERS = 150;
  private static final int FIRST_ROUND_TRIPS = 4;

  private final FuzzSystems systems;
  private final FuzzCounts counts;
  private final Runnable heartbeat;
  private final List<Domain> domains = new ArrayList<>();
  private final Victim victim;
  private final Friend friend;
  private final Attackers attackers;
  private final Stranger stranger;
  private final ArrivalCount arrivals;
  private final LaneAttack lanes;
  private final ConnectionAttack connections;

  /**
   * @param heartbeat is called again and again
   */
  FuzzRound(FuzzSystems systems, SplittableRandom random, FuzzCounts counts, Runnable heartbeat) {
    this.systems = systems;
    this.counts = counts;
    this.heartbeat = heartbeat;
    Domain attacked = open(systems.victim(), Hook.NONE);
    int packetBytes = attacked.endpointDefaults().packetBytes();
    Attack attack = new Attack(random.split(), packetBytes, counts);
    victim = new Victim(attacked, random.split(), counts);
    arrivals = new ArrivalCount(victim.endpoint(), systems.friend().incarnation(), counts);
    friend =
        new Friend(
            open(systems.friend(), Hook.NONE), victim.address(), victim.friendsMemory(), counts);
    victim.befriend(friend.address());
    Domain attacking = systems.attackers().open(() -> new AttackHook(attack));
    domains.add(attacking);
    attackers =
        new Attackers(attacking, victim, ATTACKERS, systems.isReliable(), random.split(), counts);
    stranger = new Stranger(random.split(), packetBytes, attack);
    stranger.open(open(systems.stranger(), stranger), victim.address());
    lanes = LaneAttack.on(victim.address(), random.split(), counts);
    connections =
        ConnectionAttack.on(
            victim.address(), systems.keys(), attack, attack::key, random.split(), counts);
  }

  private Domain open(FuzzSystems.Part part, Hook hook) {
    Domain domain = part.open(() -> hook);
    domains.add(domain);
    return domain;
  }

  /** Attacks until all attackers have had their turn, or the time is over. */
  void run(long deadlineNs) {
    long first = friend.roundTrips() + FIRST_ROUND_TRIPS;
    driveUntil(() -> friend.roundTrips() >= first, "the friend's first round trips");
    while (!attackers.isDone() && System.nanoTime() - deadlineNs < 0) {
      attackers.step();
      if (lanes != null) {
        lanes.step();
      }
      if (connections != null) {
        connections.step();
      }
      drive();
    }
    attackers.finish();
    if (connections != null) {
      connections.close();
    }
    driveUntil(
        () -> {
          attackers.step();
          return attackers.isDone();
        },
        "closing the attackers");
    friend.finish();
    driveUntil(friend::isDone, "the friend's last round trips");
    driveUntil(arrivals::isAnswered, "asking the victim for its flows");
    arrivals.ask();
    driveUntil(arrivals::isAnswered, "asking the victim for its flows");
    CompletableFuture<Endpoint.Closed> closed = victim.close();
    driveUntil(closed::isDone, "closing the victim");
    victim.requireAllEnded();
    counts.rounds++;
  }

  private void drive() {
    heartbeat.run();
    long nowNs = System.nanoTime();
    victim.step(attackers.targets(), nowNs);
    // now the victim has read all that came, and a provider may take a short message by itself
    stranger.step();
    arrivals.step();
    friend.step(nowNs);
    if (!systems.isReliable()) {
      // others bring the packets, and need a core for it
      Thread.yield();
    }
  }

  private void driveUntil(BooleanSupplier done, String what) {
    long sinceNs = System.nanoTime();
    while (!done.getAsBoolean()) {
      drive();
      if (System.nanoTime() - sinceNs > Friend.PATIENCE_NS) {
        throw new Violation(Promise.END, what + " takes longer than 10 s");
      }
    }
  }

  /** Closes what is left. */
  void close() {
    if (connections != null) {
      connections.close();
    }
    domains.forEach(domain -> domain.close(Duration.ZERO));
  }
}
