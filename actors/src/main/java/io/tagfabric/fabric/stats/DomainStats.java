package io.tagfabric.fabric.stats;

import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.send.SendBacklog;
import io.tagfabric.flow.window.PeerLink;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.receive.ReceiveContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What a domain has done and what waits in it, at one moment.
 *
 * @param values by name: lengths of queues, then the counters of all flows there are and were,
 *     added up
 * @param flows the same of each flow, by the address of its peer
 * @param providers which provider carries a flow and why, by the address of its peer
 */
public record DomainStats(
    Map<String, Long> values, Map<String, Map<String, Long>> flows, Map<String, String> providers) {
  /** Nothing is known yet. */
  public static final DomainStats NONE = new DomainStats(Map.of(), Map.of(), Map.of());

  /**
   * Reads it. Thread: the domain's loop.
   *
   * @param before what the flows of endpoints that have ended have counted
   */
  public static DomainStats of(
      List<Endpoint> endpoints, List<ReceiveContext> contexts, FlowTotals before) {
    FlowTotals totals = before.copy();
    Waiting waiting = new Waiting();
    Map<String, Map<String, Long>> flows = new LinkedHashMap<>();
    Map<String, String> providers = new LinkedHashMap<>();
    for (Endpoint endpoint : endpoints) {
      if (endpoint.ownsReceives()) {
        waiting.add(endpoint.waitingNow());
      }
      waiting.unread += unread(endpoint);
      totals.add(endpoint.port().forgottenFlows());
      endpoint
          .port()
          .inspectFlows(
              flow -> {
                add(flow, totals, waiting, flows);
                if (!flow.isLost()) {
                  PeerLink link = flow.link();
                  providers.put(flow.address().toString(), link.provider() + ": " + link.because());
                }
              });
    }
    contexts.forEach(context -> waiting.add(context.waitingNow()));
    Map<String, Long> values = waiting.values(endpoints.size());
    values.putAll(totals.values());
    return new DomainStats(values, flows, providers);
  }

  private static long unread(Endpoint endpoint) {
    return Stream.of(endpoint.transmitQueue(), endpoint.receiveQueue())
        .filter(Objects::nonNull)
        .distinct()
        .mapToLong(queue -> queue.ring().size())
        .sum();
  }

  /** The same with the sums of another moment. */
  public DomainStats withTotals(FlowTotals totals) {
    Map<String, Long> newer = new LinkedHashMap<>(values);
    newer.putAll(totals.values());
    return new DomainStats(newer, flows, providers);
  }

  private static void add(
      Flow flow, FlowTotals totals, Waiting waiting, Map<String, Map<String, Long>> flows) {
    FlowTotals its = new FlowTotals();
    its.add(flow.counters().snapshot());
    totals.add(its);
    if (flow.isLost()) {
      return;
    }
    SendBacklog backlog = flow.backlog();
    waiting.sends += backlog.waitingSends();
    Map<String, Long> values = new LinkedHashMap<>();
    values.put("waiting-sends", (long) backlog.waitingSends());
    values.put("credit-messages", backlog.creditMessages());
    values.put("credit-bytes", backlog.creditBytes());
    values.putAll(its.values());
    flows.put(flow.address().toString(), values);
  }

  /** What waits in all endpoints. */
  private static final class Waiting {
    long posted;
    long unexpected;
    long unexpectedBytes;
    long claimed;
    long sends;
    long unread;

    void add(TagMatcher.State state) {
      posted += state.postedReceives();
      unexpected += state.unexpectedMessages();
      unexpectedBytes += state.unexpectedBytes();
      claimed += state.claimedMessages();
    }

    Map<String, Long> values(int endpoints) {
      Map<String, Long> values = new LinkedHashMap<>();
      values.put("endpoints", (long) endpoints);
      values.put("posted-receives", posted);
      values.put("unexpected-messages", unexpected);
      values.put("unexpected-bytes", unexpectedBytes);
      values.put("claimed-messages", claimed);
      values.put("waiting-sends", sends);
      values.put("unread-completions", unread);
      return values;
    }
  }
}
