package io.tagfabric.trials.fuzz;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.trials.fuzz.Ledger.Target;
import io.tagfabric.trials.fuzz.Violation.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;

/** The attackers of a round, a few at a time: one whose flow has ended makes room for the next. */
final class Attackers {
  private static final int AT_ONCE = 3;
  private static final int QUEUE = 4096;
  private static final int BATCH = 256;

  private final Domain domain;
  private final Victim victim;
  private final SplittableRandom random;
  private final FuzzCounts counts;
  private final int victimPeer;
  private final boolean inSteps;
  private final CompletionQueue sent;
  private final CompletionQueue received;
  private final CompletionHandler onEnded = Attackers::onEnded;
  private final UnsafeBuffer buffer = Attacker.buffer();
  private final List<Attacker> live = new ArrayList<>();
  private final List<Target> targets = new ArrayList<>();
  private final List<CompletableFuture<Endpoint.Closed>> closing = new ArrayList<>();
  private int left;

  /**
   * @param count how many there will be
   * @param inSteps whether their patience is counted in steps
   */
  Attackers(
      Domain domain,
      Victim victim,
      int count,
      boolean inSteps,
      SplittableRandom random,
      FuzzCounts counts) {
    this.inSteps = inSteps;
    this.domain = domain;
    this.victim = victim;
    this.random = random;
    this.counts = counts;
    left = count;
    victimPeer = domain.addressVector().insert(victim.address());
    sent = domain.openCompletionQueue(QUEUE);
    received = domain.openCompletionQueue(QUEUE);
    Attacker.open(domain);
  }

  /** No attacker begins any more. */
  void finish() {
    left = 0;
    live.forEach(attacker -> closing.add(attacker.close()));
    live.clear();
    targets.clear();
  }

  boolean isDone() {
    return left == 0 && live.isEmpty() && closing.isEmpty();
  }

  /** Those that live, as the victim knows them. */
  List<Target> targets() {
    return targets;
  }

  void step() {
    while (left > 0 && live.size() < AT_ONCE) {
      left--;
      begin();
    }
    for (int i = live.size() - 1; i >= 0; i--) {
      Attacker attacker = live.get(i);
      if (attacker.isUseful()) {
        attacker.step();
      } else {
        closing.add(attacker.close());
        live.remove(i);
        targets.remove(attacker.target());
      }
    }
    drive();
  }

  private void begin() {
    Endpoint endpoint = domain.openEndpoint("attacker", sent, received);
    Target target = victim.expect(endpoint.address());
    live.add(
        new Attacker(endpoint, victimPeer, target, random.split(), new Patience(inSteps), buffer));
    targets.add(target);
    counts.attackers++;
  }

  private void drive() {
    sent.read(onEnded, BATCH);
    received.read(onEnded, BATCH);
    closing.removeIf(
        closed -> {
          if (closed.isCompletedExceptionally()) {
            throw new Violation(Promise.END, "an attacker's endpoint cannot be closed: " + closed);
          }
          return closed.isDone();
        });
  }

  private static void onEnded(CompletionEntry entry) {
    if (entry.context() instanceof Runnable told) {
      told.run();
    }
  }
}
