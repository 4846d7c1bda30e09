package io.tagfabric.trials.fuzz;

import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.util.ArrayDeque;

/**
 * A channel that sends what the attack makes of packets, of frames without one and of short
 * messages.
 */
final class AttackChannel implements Channel {
  private final Channel channel;
  private final Attack attack;
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();

  AttackChannel(Channel channel, Attack attack) {
    this.channel = channel;
    this.attack = attack;
  }

  @Override
  public boolean offer(Packet packet) {
    if (!pass()) {
      return false;
    }
    byte[] bytes = new byte[packet.length()];
    packet.buffer().getBytes(0, bytes);
    waiting.addAll(attack.packets(bytes));
    pass();
    return true;
  }

  /** Sends what had no room before; false if some has none still. */
  boolean pass() {
    while (!waiting.isEmpty()) {
      Packet packet = Packet.received(waiting.peekFirst().clone());
      boolean taken = channel.closedBecause() != null || channel.offer(packet);
      packet.release();
      if (!taken) {
        return false;
      }
      waiting.pollFirst();
      attack.sent();
    }
    return true;
  }

  @Override
  public boolean inject(long flow, MessageView message) {
    if (!waiting.isEmpty()) {
      return false;
    }
    Attack.RingRecord chosen = attack.record(flow, message);
    boolean taken = channel.inject(chosen.flow(), chosen.message());
    if (taken) {
      attack.sent();
    }
    return taken;
  }

  /** What an attack makes of frames and no channel takes is lost, as a packet may be. */
  @Override
  public boolean offerFrames(long flow, Packet packet) {
    if (!waiting.isEmpty() || closedBecause() != null) {
      return false;
    }
    byte[] bytes = new byte[packet.length()];
    packet.buffer().getBytes(0, bytes);
    boolean taken = false;
    for (Attack.BareFrames made : attack.frames(flow, bytes)) {
      if (channel.offerFrames(made.flow(), made.packet())) {
        attack.sent();
        taken = true;
      }
    }
    return taken;
  }

  @Override
  public String closedBecause() {
    return channel.closedBecause();
  }

  @Override
  public FabricError closedWith() {
    return channel.closedWith();
  }

  @Override
  public void acknowledged(long sequence) {
    channel.acknowledged(sequence);
  }

  @Override
  public boolean reorders() {
    return channel.reorders();
  }
}
