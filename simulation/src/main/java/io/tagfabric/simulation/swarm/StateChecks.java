package io.tagfabric.simulation.swarm;

import io.tagfabric.complete.CompletionRing;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.endpoint.EndpointPort;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowState;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressLoop;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What must hold of a node that has nothing to do, and of one that has closed. */
final class StateChecks {
  /** A flow of whoever is at a place. */
  private record FlowNumber(String place, int flow) {}

  private final SeedRun run;
  private final Map<FlowNumber, Node> numbers = new HashMap<>();

  StateChecks(SeedRun run) {
    this.run = run;
  }

  /** What must hold of every node that is alive after any turn. */
  void requireBetweenTurns() {
    for (Node node : run.nodes()) {
      if (node.isAlive()) {
        EndpointPort port = node.simulated.endpoint().port();
        port.inspectFlows(flow -> requireAwake(node, flow));
        port.inspectFlows(flow -> requireOwnNumber(node, flow));
        int to = run.fabric().network().forgottenClaim(node.number());
        Violation.require(
            to < 0,
            Invariant.MEMORY,
            "%s writes no record into the ring of node %d, and says that it does: if it were killed"
                + " now, the ring would stand still",
            node,
            to);
      }
    }
  }

  /** What could leave leaves without anything that must happen before. */
  private static void requireAwake(Node node, Flow flow) {
    Violation.require(
        !flow.isForgotten(),
        Invariant.LIVENESS,
        "%s has something for %s that could leave, and would only do so with what comes next",
        node,
        flow.address());
  }

  /** What is meant for one that was at the place of a node before must not look like its own. */
  private void requireOwnNumber(Node node, Flow flow) {
    Node before = numbers.computeIfAbsent(new FlowNumber(node.name(), flow.id()), number -> node);
    Violation.require(
        before == node,
        Invariant.IDENTITY,
        "%s gives a flow the number %d, which one at its place has used before",
        node,
        flow.id());
  }

  /** What must hold of every node that is up when all has come to its end. */
  void requireState() {
    for (Node node : run.nodes()) {
      if (!node.isUp()) {
        continue;
      }
      TagMatcher.State state = ask(node, node.simulated.endpoint().futures().matcherState());
      Violation.require(
          state.peakUnexpectedBytes() <= run.mix().flow.unexpectedBudgetBytes(),
          Invariant.BUDGET,
          "%s has held %d unexpected bytes > budget=%d",
          node,
          state.peakUnexpectedBytes(),
          run.mix().flow.unexpectedBudgetBytes());
      if (run.mix().collectives == 0) { // a team posts receives of its own
        long open =
            run.ledger().receives.stream()
                .filter(each -> each.at == node && each.order >= 0 && !each.hasEnded())
                .count();
        Violation.require(
            open == state.postedReceives(),
            Invariant.LIVENESS,
            "%s has %d receives that have not ended, and %d posted: the others hang in the midst of a"
                + " message",
            node,
            open,
            state.postedReceives());
      }
      run.memberOf(node).triggers().requireStarted();
      Endpoint.Flows flows = ask(node, node.simulated.endpoint().futures().flows());
      for (Endpoint.FlowInfo flow : flows.flows()) {
        note(flow.counters());
        requireBreach(node, flow);
      }
    }
  }

  private <T> T ask(Node node, CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    node.simulated.touch();
    boolean done = run.fabric().runUntil(future::isDone, Duration.ofSeconds(20));
    run.check();
    Violation.require(done, Invariant.LIVENESS, "%s does not answer", node);
    return future.join();
  }

  /** A peer that has lied is not believed any more. */
  private void requireBreach(Node node, Endpoint.FlowInfo flow) {
    for (Node peer : run.nodes()) {
      Violation.require(
          flow.state() == FlowState.LOST
              || flow.address().incarnation() != peer.simulated.address().incarnation()
              || !run.packets().wasDeceived(peer, node),
          Invariant.CAUSE,
          "%s has heard of %s that packets have come which it had not sent, and goes on with it",
          node,
          peer);
    }
  }

  private void note(FlowCounters.Snapshot counters) {
    run.probes().reachIf(counters.packetsReplayed() > 0, Probe.REPLAYED);
    run.probes().reachIf(counters.packetsDuplicate() > 0, Probe.DUPLICATE);
    run.probes().reachIf(counters.packetsEarly() > 0, Probe.EARLY);
    run.probes().reachIf(counters.pingsSent() > 0, Probe.PINGED);
    run.probes().reachIf(counters.multiPacketMessagesSent() > 0, Probe.MULTI_PACKET);
    run.probes().reachIf(counters.requestsSent() > 0, Probe.RENDEZVOUS);
    run.probes().reachIf(counters.directBytes() > 0, Probe.DIRECT_READ);
    run.probes().reachIf(counters.creditStalls() > 0, Probe.CREDIT_STALL);
    Violation.require(
        counters.packetsMalformed() == 0,
        Invariant.DEFECT,
        "%d packets of an honest peer were taken for malformed",
        counters.packetsMalformed());
  }

  /** What must hold of a node whose endpoint has closed. */
  static void requireNothingLeft(Node node) {
    ProgressLoop loop = node.simulated.domain().loop();
    Violation.require(
        loop.timers().nextDeadlineNs() == Long.MAX_VALUE,
        Invariant.LEFTOVER,
        "%s has closed, and a timer is left",
        node);
    Violation.require(
        loop.steps().isEmpty() && loop.mail().isEmpty() && !loop.hasQueuedWork(),
        Invariant.LEFTOVER,
        "%s has closed, and steps or mail are left",
        node);
    requireSlots(node, node.simulated.endpoint().transmitQueue().ring(), "transmit");
    requireSlots(node, node.simulated.endpoint().receiveQueue().ring(), "receive");
  }

  private static void requireSlots(Node node, CompletionRing ring, String which) {
    int free = 0;
    while (ring.tryReserve()) {
      free++;
    }
    Violation.require(
        free == ring.capacity(),
        Invariant.LEFTOVER,
        "%s has closed with %d of %d slots of its %s queue free",
        node,
        free,
        ring.capacity(),
        which);
  }
}
