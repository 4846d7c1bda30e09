package io.tagfabric.name;

import akka.actor.typed.javadsl.TimerScheduler;
import io.tagfabric.error.FabricError;
import io.tagfabric.runtime.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Keeps claims while this node is not a member of its cluster yet: whoever is not seen by all
 * members can be given a name that another node holds. Part of the name service's actor, and used
 * by it alone.
 */
final class JoinDesk {
  private final TimerScheduler<NameService.Command> timers;
  private final Membership membership;
  private final NameSettings settings;
  private final List<NameService.Register> waiting = new ArrayList<>();
  private boolean isUp;
  private boolean isGone;

  JoinDesk(
      TimerScheduler<NameService.Command> timers, Membership membership, NameSettings settings) {
    this.timers = timers;
    this.membership = membership;
    this.settings = settings;
  }

  /**
   * Whether this node may put claims to the vote: there is no cluster, or this node is up and has
   * heard of the members before. A node that is up has been seen by all others, so of two claimants
   * one asks the other.
   */
  boolean mayClaim() {
    return membership.status() == Membership.Status.ALONE || (isUp && !hasGone());
  }

  /** Whether this node was a member, and is none any more. */
  boolean hasGone() {
    return isGone || membership.status() == Membership.Status.GONE;
  }

  /** Keeps a claim until this node is up; one that never will be is refused. */
  void keep(NameService.Register register) {
    if (hasGone()) {
      refuse(register);
      return;
    }
    waiting.add(register);
    timers.startSingleTimer(
        register, new NameService.JoinTick(register), settings.connectTimeout());
  }

  /** A claim has waited long enough. */
  void tick(NameService.JoinTick tick) {
    if (waiting.remove(tick.register())) {
      refuse(tick.register());
    }
  }

  /** This node is up; returns the claims that have waited for it. */
  List<NameService.Register> up() {
    isUp = true;
    return take(register -> true);
  }

  /** This node is a member no longer. */
  void gone() {
    isGone = true;
    take(register -> true).forEach(this::refuse);
  }

  /** Gives up claims that wait; returns whether there were any. */
  boolean withdraw(Predicate<NameService.Register> which) {
    List<NameService.Register> withdrawn = take(which);
    withdrawn.forEach(
        register -> register.replyTo().tell(new NameService.Withdrawn(register.name())));
    return !withdrawn.isEmpty();
  }

  private List<NameService.Register> take(Predicate<NameService.Register> which) {
    List<NameService.Register> taken = waiting.stream().filter(which).toList();
    waiting.removeAll(taken);
    taken.forEach(timers::cancel);
    return taken;
  }

  private void refuse(NameService.Register register) {
    register.replyTo().tell(refusal(register.name()));
  }

  /** What who claims a name hears if this node is not in its cluster. */
  NameService.Refused refusal(String name) {
    return new NameService.Refused(
        name,
        hasGone() ? FabricError.SHUTDOWN : FabricError.TIMED_OUT,
        "name [" + name + "] is not claimed: " + state());
  }

  /** How far this node has come, and what to do about it. */
  String state() {
    if (hasGone()) {
      return "this node is no longer a member of its cluster, status=GONE, start it again to have"
          + " it join anew";
    }
    return "this node has not joined its cluster yet, status="
        + membership.status()
        + ", join it, start as many nodes as akka.cluster.min-nr-of-members asks for, or raise"
        + " tagfabric.flow.connect-timeout="
        + settings.connectTimeout().toMillis()
        + " ms";
  }
}
