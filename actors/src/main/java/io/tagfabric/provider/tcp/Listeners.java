package io.tagfabric.provider.tcp;

import io.tagfabric.provider.AbsentEndpoints;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.Packet;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/** The endpoints of a node. Thread: the domain's loop. */
final class Listeners {
  private final AbsentEndpoints absent;
  private final Int2ObjectHashMap<WireListener> all = new Int2ObjectHashMap<>();
  private int lastEndpoint = -1;
  private WireListener last;

  /**
   * None yet.
   *
   * @param absent takes packets for those that are not here
   */
  Listeners(AbsentEndpoints absent) {
    this.absent = absent;
  }

  void add(int endpoint, WireListener listener) {
    all.put(endpoint, listener);
    lastEndpoint = -1;
  }

  void remove(int endpoint) {
    all.remove(endpoint);
    lastEndpoint = -1;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** The endpoint's listener, null if it is not here. Most records are for the one before. */
  WireListener at(int endpoint) {
    if (endpoint != lastEndpoint) {
      last = all.get(endpoint);
      lastEndpoint = endpoint;
    }
    return last;
  }

  /** A packet has come for an endpoint. */
  void onPacket(int endpoint, Packet packet) {
    WireListener listener = at(endpoint);
    if (listener == null) {
      absent.onPacket(packet);
    } else {
      listener.onPacket(packet);
    }
  }

  /** Nothing more comes of a peer. */
  void onChannelClosed() {
    List.copyOf(all.values()).forEach(WireListener::onChannelClosed);
  }
}
