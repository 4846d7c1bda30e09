package io.tagfabric.bench.ours;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.ReceiveBindings;
import io.tagfabric.receive.ReceiveContext;
import io.tagfabric.receive.Receives;
import io.tagfabric.tag.TagSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * An end of several endpoints that take turns, each with a peer of its own. They share two queues,
 * and post receives to a context that they share or each to itself.
 */
final class PeersEnd extends FabricEnd {
  /** One endpoint of it. */
  private record Pair(Endpoint endpoint, Receives receives, int peer) {}

  private final List<Pair> pairs;
  private final boolean shares;
  private int sent;
  private int posted;

  private PeersEnd(List<Pair> pairs, boolean shares, Waiting waiting, Buffers buffers) {
    super(pairs.get(0).endpoint(), pairs.get(0).peer(), waiting, buffers);
    this.pairs = pairs;
    this.shares = shares;
  }

  /**
   * Opens the endpoints of one side.
   *
   * @param swap tells the other side its addresses, one in a line, and answers those of there
   */
  static PeersEnd open(
      Domain domain,
      EndpointSettings settings,
      int count,
      boolean shares,
      UnaryOperator<String> swap,
      Waiting waiting,
      Buffers buffers) {
    CompletionQueue sends = domain.openCompletionQueue();
    CompletionQueue receives = domain.openCompletionQueue();
    String name = "bench-" + (shares ? "shared" : "own");
    ReceiveContext context =
        shares ? domain.openReceiveContext(name, ReceiveBindings.to(receives), settings) : null;
    EndpointBindings bindings =
        shares ? EndpointBindings.to(sends, context) : EndpointBindings.to(sends, receives);
    List<Endpoint> endpoints = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      endpoints.add(domain.openEndpoint(name + "-" + i, bindings, settings));
    }
    String here =
        endpoints.stream().map(each -> each.address().encode()).collect(Collectors.joining("\n"));
    List<Pair> pairs = new ArrayList<>();
    for (String line : swap.apply(here).lines().toList()) {
      Endpoint endpoint = endpoints.get(pairs.size());
      int peer = domain.addressVector().insert(EndpointAddress.parse(line));
      pairs.add(new Pair(endpoint, shares ? context : endpoint, peer));
    }
    return new PeersEnd(pairs, shares, waiting, buffers);
  }

  @Override
  public void begin(int sentBytes, int receivedBytes) {
    super.begin(sentBytes, receivedBytes);
    sent = 0;
    posted = 0;
  }

  @Override
  public void postReceive() {
    Pair pair = pairs.get(posted++ % pairs.size());
    postReceive(pair.receives(), shares ? TagSelector.ANY_SOURCE : pair.peer(), TAG);
  }

  @Override
  public void send() {
    Pair pair = pairs.get(sent++ % pairs.size());
    send(pair.endpoint(), pair.peer(), TAG);
  }
}
