package io.tagfabric.link;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.path.PathChannel;
import io.tagfabric.path.PathSettings;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes one channel of all paths to a peer.
 *
 * @param settings what this endpoint wishes
 * @param source number of this endpoint, by which its data keeps a path
 */
@InternalApi
public record PathTable(PathSettings settings, int source) {
  Channel connect(Wire wire, EndpointAddress peer) {
    PathSettings agreed = settings.atMost(settings.count() == 1 ? 1 : wire.paths(peer));
    if (agreed.count() == 1) {
      return wire.connect(peer);
    }
    List<Channel> paths = new ArrayList<>(agreed.count());
    for (int path = 0; path < agreed.count(); path++) {
      paths.add(wire.connect(peer, path));
    }
    return new PathChannel(paths, agreed, source, destination(peer));
  }

  /** The same number for all endpoints that send to a peer. */
  private static int destination(EndpointAddress peer) {
    long mixed = (peer.incarnation() + peer.endpoint()) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 33);
  }
}
