package io.tagfabric.provider.aeron;

import io.aeron.Subscription;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One endpoint at its domain's node: the stream it listens to and its channels to peers. */
final class AeronWire implements Wire {
  private record Target(AeronAddress node, int stream) {}

  private static final int FRAGMENTS_PER_POLL = 64;

  /** A poll looks after so many channels that are opening; the others have their turn. */
  private static final int OPENING_PER_POLL = 16;

  private final AeronNode node;
  private final WireListener listener;
  private final PacketAssembler assembler;
  private final Subscription[] subscriptions;
  private final Map<Target, AeronChannel> channels = new LinkedHashMap<>();
  private final ArrayDeque<AeronChannel> opening = new ArrayDeque<>();
  private boolean closed;

  AeronWire(WireContext context, AeronSettings settings, Settings all) {
    listener = context.listener();
    assembler = new PacketAssembler(context.pool(), listener::onPacket);
    node = AeronNode.acquire(context.loop(), settings, all);
    node.add(this);
    subscriptions = new Subscription[Math.min(context.paths(), AeronNode.MAX_PATHS)];
    try {
      for (int path = 0; path < subscriptions.length; path++) {
        int stream = AeronNode.stream(context.endpoint(), path);
        // Sessions differ from path to path, so one assembler serves all.
        subscriptions[path] = node.subscribe(stream, assembler::forget);
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public String address() {
    return node.address().withPaths(subscriptions.length).encode();
  }

  @Override
  public Optional<String> unreachableBecause(EndpointAddress peer) {
    if (node.hasLostMemory()) {
      return Optional.of("the memory of this domain's media driver is lost");
    }
    Optional<AeronAddress> address = addressOf(peer);
    return address.isEmpty()
        ? Optional.of(peer + " has no address of provider aeron")
        : node.address().unreachableBecause(address.get());
  }

  @Override
  public int paths(EndpointAddress peer) {
    return Math.min(subscriptions.length, addressOf(peer).orElseThrow().paths());
  }

  @Override
  public Channel connect(EndpointAddress peer) {
    return connect(peer, 0);
  }

  @Override
  public Channel connect(EndpointAddress peer, int path) {
    AeronAddress address = addressOf(peer).orElseThrow();
    Target target = new Target(address, AeronNode.stream(peer.endpoint(), path));
    AeronChannel channel = channels.get(target);
    if (channel == null || channel.closedBecause() != null) {
      channel = new AeronChannel(node, address, target.stream(), this::opening);
      channels.put(target, channel);
    }
    return channel;
  }

  private static Optional<AeronAddress> addressOf(EndpointAddress peer) {
    return Optional.ofNullable(peer.providers().get("aeron")).flatMap(AeronAddress::parse);
  }

  private void opening(AeronChannel channel) {
    opening.addLast(channel);
    node.opening();
  }

  /** Whether a channel waits for its peer. */
  boolean isOpening() {
    return !opening.isEmpty();
  }

  /** Whether packets come or go, or may soon. */
  boolean isUsed() {
    for (Subscription subscription : subscriptions) {
      if (subscription.imageCount() > 0) {
        return true;
      }
    }
    return !channels.isEmpty();
  }

  /** Receives what has come and goes on with opening channels. Returns the work done. */
  int poll() {
    int work = 0;
    for (Subscription subscription : subscriptions) {
      work += subscription.poll(assembler, FRAGMENTS_PER_POLL);
    }
    for (int left = Math.min(opening.size(), OPENING_PER_POLL); left > 0; left--) {
      AeronChannel channel = opening.pollFirst();
      work += channel.connect();
      if (channel.isOpening()) {
        opening.addLast(channel);
      }
    }
    return work;
  }

  @Override
  public int flush() {
    return node.flush();
  }

  /** Closes publications that nobody has heard since the given time. */
  void closeUnused(long sinceNs) {
    channels.values().forEach(channel -> channel.closeUnused(sinceNs));
    channels.values().removeIf(channel -> channel.closedBecause() != null);
  }

  /** The peers at an address have gone, and all that they said has been read. */
  void onRefused(InetSocketAddress address) {
    for (AeronChannel channel : channels.values()) {
      if (channel.leadsTo(address)) {
        channel.refused(
            "nobody listens at UDP "
                + address
                + " any more, the process there has ended without a goodbye");
      }
    }
    listener.onChannelClosed();
  }

  void closeChannels(String reason) {
    channels.values().forEach(channel -> channel.close(reason));
    listener.onChannelClosed();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    node.flush();
    for (Subscription subscription : subscriptions) {
      if (subscription != null && !node.hasLostMemory()) {
        subscription.close();
      }
    }
    channels.values().forEach(channel -> channel.close("this endpoint is closed"));
    assembler.clear();
    node.release(this);
  }
}
