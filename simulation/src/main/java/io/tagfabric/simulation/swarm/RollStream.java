package io.tagfabric.simulation.swarm;

import akka.actor.typed.ActorRef;
import java.util.ArrayList;
import java.util.List;

/** The messages of a node to the actor of another one by one reference, counted from 1. */
final class RollStream {
  final int number;
  final RollNode from;
  final RollNode to;
  private final RollTrial trial;
  private final boolean reliable;

  /** The last is told. The others are kept: what nobody has ends when the JVM finds out. */
  private final List<ActorRef<String>> references = new ArrayList<>();

  private int told;
  private int toldBeforeLeave;
  private int received;

  RollStream(RollTrial trial, int number, RollNode from, RollNode to, ActorRef<String> ref) {
    this.trial = trial;
    this.number = number;
    reliable = trial.isReliable();
    this.from = from;
    this.to = to;
    references.add(ref);
  }

  /** Another reference to the same actor. */
  void reference(ActorRef<String> newRef) {
    references.add(newRef);
  }

  void tell(int padding) {
    told++;
    if (!to.isLeaving() && to.isThere()) {
      toldBeforeLeave = told;
    }
    references.get(references.size() - 1).tell(number + ":" + told + ":" + "-".repeat(padding));
  }

  /** One has come. */
  void received(RollNode at, int place) {
    Violation.require(
        at == to, Invariant.IDENTITY, "message %d of %s has come to %s", place, this, at);
    // What was under way when the goodbye came is not sent again over a network that loses packets.
    boolean mayBeLost = (!reliable && to.isGoing()) || trial.hasGivenUp(from, to);
    Violation.require(
        place == received + 1 || (mayBeLost && place > received),
        place <= received ? Invariant.ONCE : Invariant.ORDER,
        "message %d of %s has come behind message %d",
        place,
        this,
        received);
    received = place;
  }

  /** So many must come. */
  private int due() {
    if (from.wasKilled()
        || to.wasKilled()
        || (!reliable && to.isGoing())
        || trial.hasGivenUp(from, to)) {
      return 0;
    }
    return to.isThere() ? told : toldBeforeLeave;
  }

  boolean isComplete() {
    return received >= due();
  }

  @Override
  public String toString() {
    return from.state()
        + " to "
        + to.state()
        + " ("
        + received
        + " of "
        + due()
        + ", told "
        + told
        + ")";
  }
}
