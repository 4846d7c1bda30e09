package io.tagfabric.simulation.swarm;

import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.CounterUnit;
import io.tagfabric.complete.DeferredOperation;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.tag.TagSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The counters of a random program, and what they start. */
final class Triggers {
  private static final int BYTES_AHEAD = 4_000;
  private static final int OPERATIONS_AHEAD = 8;

  private final SeedRun run;
  private final Member member;
  private final MemberReceives receives;
  private final Node node;
  private final Mix mix;
  private final Choices choices;
  private final List<Deferred> all = new ArrayList<>();

  /** Its own; null if the run has no counters. */
  private final Counter own;

  private long added;
  private long failed;

  Triggers(SeedRun run, Member member, MemberReceives receives) {
    this.run = run;
    this.member = member;
    this.receives = receives;
    node = member.node;
    mix = run.mix();
    choices = run.choices();
    own = mix.counting == null ? null : node.simulated.domain().openCounter();
  }

  Node node() {
    return node;
  }

  /** Adds to its own counter. */
  void count() {
    if (own != null) {
      add(1 + choices.below(3));
    }
  }

  private void add(long amount) {
    added += amount;
    own.add(amount);
  }

  /** Puts something off until a counter has got somewhere. */
  void defer() {
    if (own == null) {
      return;
    }
    int which = choices.below(4);
    Counter counter =
        which == 2
            ? node.simulated.sendCounter()
            : which == 3 ? node.simulated.receiveCounter() : own;
    long ahead =
        counter.unit() == CounterUnit.BYTES
            ? choices.below(BYTES_AHEAD)
            : choices.below(OPERATIONS_AHEAD);
    long threshold = (counter == own ? added : told(counter)) + ahead;
    switch (choices.below(4)) {
      case 0, 1 -> deferSend(counter, threshold);
      case 2 -> deferReceive(counter, threshold);
      default -> deferCount(counter, threshold);
    }
  }

  /** What the program knows of a counter of its endpoint. */
  private long told(Counter counter) {
    boolean sends = counter == node.simulated.sendCounter();
    return sends ? sent(false) : received();
  }

  private void deferSend(Counter counter, long threshold) {
    Mix.Operation kind = choices.below(3) == 2 ? Mix.Operation.SEND_FENCED : Mix.Operation.SEND;
    Message message = member.draw(kind, member.anyPeer(), member.length(kind));
    message.untagged = false;
    message.fill();
    SendOptions options = SendOptions.DEFAULT.at(message.level);
    Endpoint endpoint = node.simulated.endpoint();
    run.ledger().deferred(message);
    boolean accepted =
        defer(
            counter,
            threshold,
            message,
            endpoint
                .deferred()
                .send(
                    TaggedSend.of(
                            node.peer(message.to),
                            message.buffer,
                            message.offset,
                            message.length,
                            message.tag())
                        .with(message.fenced ? options.fence() : options),
                    message),
            () -> {
              run.ledger().begun(message, run.nextOrder());
              member.started(message);
            });
    if (!accepted) {
      run.ledger().refused(message);
    }
  }

  private void deferReceive(Counter counter, long threshold) {
    Receive receive = receives.draw(choices.below(2) == 0);
    receives.place(receive, false);
    Endpoint endpoint = node.simulated.endpoint();
    run.ledger().deferred(receive);
    boolean accepted =
        defer(
            counter,
            threshold,
            receive,
            endpoint
                .deferred()
                .receive(
                    TaggedReceive.of(
                            new TagSelector(
                                receive.tag, receive.ignore, receives.sourceOf(receive)))
                        .into(receive.buffer, receive.offset, receive.capacity)
                        .completions(Completions.ALL),
                    receive),
            () -> {
              run.ledger().begun(receive, run.nextOrder());
              receives.started(receive);
            });
    if (!accepted) {
      run.ledger().refused(receive);
    }
  }

  private void deferCount(Counter counter, long threshold) {
    int amount = 1 + choices.below(3);
    defer(
        counter,
        threshold,
        amount + " more",
        DeferredOperation.add(own, amount),
        () -> added += amount);
  }

  private boolean defer(
      Counter counter, long threshold, Object what, DeferredOperation operation, Runnable onStart) {
    Deferred deferred = new Deferred(run, this, counter, threshold, what, operation, onStart);
    run.trace().note(61, threshold, 0, 0, () -> "defer   " + deferred);
    all.add(deferred);
    try {
      deferred.deferral = counter.defer(threshold, deferred);
      return true;
    } catch (FabricException refused) {
      all.remove(deferred);
      Violation.require(
          refused.error() == FabricError.AGAIN,
          Invariant.CAUSE,
          "%s is refused for no reason: %s",
          deferred,
          refused);
      run.probes().reach(Probe.TRY_AGAIN);
      return false;
    }
  }

  /** Takes one back that may wait. */
  void cancelOne() {
    List<Deferred> open = all.stream().filter(each -> !each.cancelRequested).toList();
    if (!open.isEmpty()) {
      cancel(open.get(choices.below(open.size())));
    }
  }

  private void cancel(Deferred deferred) {
    deferred.cancelRequested = true;
    boolean waited = deferred.isWaiting();
    run.trace().note(62, deferred.threshold, 0, 0, () -> "cancel  " + deferred);
    CompletionStage<Boolean> cancelled = deferred.deferral.cancel();
    cancelled.thenAccept(
        taken ->
            run.guarded(
                () -> {
                  failed += taken && deferred.what instanceof String ? 1 : 0;
                  Violation.require(
                      taken ? waited && !deferred.hasStarted() : !deferred.isWaiting(),
                      Invariant.ONCE,
                      "%s is said to be taken back %s, and that is not so",
                      deferred,
                      taken ? "in time" : "too late");
                }));
  }

  /** The program does nothing more: what waits is started, taken back, or left. */
  void drain() {
    if (own == null || !node.isUp()) {
      return;
    }
    switch (choices.below(3)) {
      case 0 -> add(OPERATIONS_AHEAD);
      case 1 ->
          all.stream()
              .filter(each -> each.isWaiting() && !each.cancelRequested)
              .toList()
              .forEach(this::cancel);
      default -> {}
    }
    node.simulated.touch();
  }

  // ---- what must hold ----

  /** Those that wait for less, or as long and were there before, have started. */
  void requireFirst(Deferred starting) {
    for (Deferred before : all) {
      if (before == starting) {
        return;
      }
      Violation.require(
          before.counter != starting.counter
              || before.threshold > starting.threshold
              || !before.isWaiting(),
          Invariant.ORDER,
          "%s starts before %s",
          starting,
          before);
    }
  }

  /** Nothing moves any more: what could start has. */
  void requireStarted() {
    for (Deferred deferred : all) {
      Violation.require(
          !deferred.isWaiting() || deferred.counter.value() < deferred.threshold,
          Invariant.LIVENESS,
          "%s has not started, with the counter at %d",
          deferred,
          deferred.counter.value());
    }
  }

  /** All is over: counters tell what the ends have told. */
  void requireEnd() {
    if (own == null || !node.isAlive()) {
      return;
    }
    Counter sends = node.simulated.sendCounter();
    Counter received = node.simulated.receiveCounter();
    require(own, added, failed, failed);
    if (node.unnamedFailures == 0) {
      require(sends, sent(true), sendFailures(false), sendFailures(true));
    }
    require(received, received(), receiveFailures(false), receiveFailures(true));
    run.probes().reachIf(sends.value() > 0 && received.value() > 0, Probe.COUNTED);
  }

  private void require(Counter counter, long told, long leastErrors, long mostErrors) {
    long value = counter.value();
    long errors = counter.errors();
    Violation.require(
        value == told && errors >= leastErrors && errors <= mostErrors,
        Invariant.COUNTED,
        "the counter of %s of %s tells %d and %d errors, not %d and %d to %d",
        counter == own ? "the program" : counter.unit().name(),
        node,
        value,
        errors,
        told,
        leastErrors,
        mostErrors);
  }

  /**
   * What its sends have added.
   *
   * @param over whether all have ended, so that those without an entry have gone well too
   */
  private long sent(boolean over) {
    long sum = 0;
    for (Message message : run.ledger().messages) {
      boolean well = message.hasEnded() ? !message.failed : over && message.silent;
      if (message.from == node && well) {
        sum += mix.counting == CounterUnit.BYTES ? message.length : 1;
      }
    }
    return sum;
  }

  /** One that was told to an endpoint that had closed may not have begun. */
  private long sendFailures(boolean most) {
    return run.ledger().messages.stream()
        .filter(each -> each.from == node && each.failed && (most || !each.listened))
        .count();
  }

  private long received() {
    long sum = 0;
    for (Receive receive : run.ledger().receives) {
      if (receive.at != node) {
        continue;
      }
      if (receive.many != null) {
        sum += mix.counting == CounterUnit.BYTES ? receive.many.wholeBytes() : receive.many.whole();
      } else if (receive.matched != null && !receive.failed) {
        sum += mix.counting == CounterUnit.BYTES ? receive.placed : 1;
      }
    }
    return sum;
  }

  /** Of a buffer for many messages, its own end is not counted; whose end it was is not told. */
  private long receiveFailures(boolean most) {
    long sum = 0;
    for (Receive receive : run.ledger().receives) {
      if (receive.at == node && receive.many != null) {
        sum += receive.many.cut() + Math.max(0, receive.many.failed() - (most ? 0 : 1));
      } else if (receive.at == node) {
        sum += receive.failed ? 1 : 0;
      }
    }
    return sum;
  }
}
