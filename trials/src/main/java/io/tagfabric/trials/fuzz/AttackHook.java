package io.tagfabric.trials.fuzz;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.WireContext;
import java.util.ArrayList;
import java.util.List;

/** Puts an attack into all channels of an endpoint. */
final class AttackHook implements Hook {
  private final Attack attack;
  private final List<AttackChannel> channels = new ArrayList<>();

  AttackHook(Attack attack) {
    this.attack = attack;
  }

  @Override
  public WireContext opening(WireContext context) {
    attack.hasKey(context.proofs());
    return context;
  }

  @Override
  public Channel connected(EndpointAddress peer, Channel channel) {
    AttackChannel attacking = new AttackChannel(channel, attack);
    channels.add(attacking);
    return attacking;
  }

  @Override
  public void flushing() {
    channels.forEach(AttackChannel::pass);
  }
}
