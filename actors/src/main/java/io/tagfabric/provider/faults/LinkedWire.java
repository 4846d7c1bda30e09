package io.tagfabric.provider.faults;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireDecorator;
import java.util.ArrayList;
import java.util.List;

/** A wire whose channels go by {@link Links}. */
final class LinkedWire extends WireDecorator implements Links.Watcher {
  private final WireContext context;
  private final Links links;
  private final Links.End end;
  private final List<LinkedChannel> channels = new ArrayList<>();
  private boolean closed;

  LinkedWire(Wire wire, WireContext context, Links links) {
    super(wire);
    this.context = context;
    this.links = links;
    end = new Links.End(context.incarnation(), context.endpoint());
    links.watch(this);
  }

  @Override
  protected Channel around(Channel channel, EndpointAddress peer) {
    LinkedChannel linked = new LinkedChannel(channel, links, end, Links.End.of(peer));
    channels.add(linked);
    return linked;
  }

  /** Thread: any. */
  @Override
  public void onChange() {
    context.loop().execute(this::look);
  }

  private void look() {
    if (!closed) {
      channels.forEach(LinkedChannel::passHeld);
      context.listener().onChannelClosed(); // a channel may have closed, or show now that it has
    }
  }

  @Override
  public void close() {
    closed = true;
    links.unwatch(this);
    channels.forEach(LinkedChannel::dropHeld);
    super.close();
  }
}
