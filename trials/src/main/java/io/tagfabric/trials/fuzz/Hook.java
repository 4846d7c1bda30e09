package io.tagfabric.trials.fuzz;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;

/** Where a {@link FuzzProvider} lets others in. Thread: the domain's loop. */
interface Hook {
  /** Changes nothing. */
  Hook NONE = new Hook() {};

  /** An endpoint opens its wire: the context it is to have instead. */
  default WireContext opening(WireContext context) {
    return context;
  }

  /** It has opened it. */
  default void opened(Wire wire) {}

  /** It opens the way to a peer: the channel it is to have instead. */
  default Channel connected(EndpointAddress peer, Channel channel) {
    return channel;
  }

  /** The end of a pass. */
  default void flushing() {}

  /** It closes its wire. */
  default void closed() {}
}
