package io.tagfabric.provider;

import io.tagfabric.address.EndpointAddress;
import java.util.Optional;

/** Another wire, with channels of its own around those of that wire. */
public abstract class WireDecorator implements Wire {
  private final Wire wire;

  protected WireDecorator(Wire wire) {
    this.wire = wire;
  }

  /** What stands for a channel of the other wire. Nothing is sent. */
  protected abstract Channel around(Channel channel, EndpointAddress peer);

  @Override
  public String address() {
    return wire.address();
  }

  @Override
  public Optional<String> unreachableBecause(EndpointAddress peer) {
    return wire.unreachableBecause(peer);
  }

  @Override
  public boolean isOpen(EndpointAddress peer) {
    return wire.isOpen(peer);
  }

  @Override
  public boolean prepares(EndpointAddress asker) {
    return wire.prepares(asker);
  }

  @Override
  public Channel connect(EndpointAddress peer) {
    return around(wire.connect(peer), peer);
  }

  @Override
  public int paths(EndpointAddress peer) {
    return wire.paths(peer);
  }

  @Override
  public Channel connect(EndpointAddress peer, int path) {
    return around(wire.connect(peer, path), peer);
  }

  @Override
  public boolean gathers() {
    return wire.gathers();
  }

  @Override
  public int flush() {
    return wire.flush();
  }

  @Override
  public void closeToDirectAccess() {
    wire.closeToDirectAccess();
  }

  @Override
  public void close() {
    wire.close();
  }
}
