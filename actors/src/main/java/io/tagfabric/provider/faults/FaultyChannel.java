package io.tagfabric.provider.faults;

import io.tagfabric.error.FabricError;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.Channel;
import io.tagfabric.wire.Packet;
import java.util.SplittableRandom;

/** A channel that lets each packet meet its fate. What it holds back it releases by a timer. */
final class FaultyChannel implements Channel {
  private final Channel channel;
  private final ProgressLoop loop;
  private final FaultSettings faults;
  private final SplittableRandom random;
  private Packet held;
  private LoopTimers.Timer heldUntil;

  FaultyChannel(Channel channel, ProgressLoop loop, FaultSettings faults, SplittableRandom random) {
    this.channel = channel;
    this.loop = loop;
    this.faults = faults;
    this.random = random;
  }

  @Override
  public boolean offer(Packet packet) {
    double fate = random.nextDouble();
    if (fate < faults.drop()) {
      return true;
    }
    if (fate < faults.drop() + faults.delay()) {
      packet.retain();
      inSome(() -> passOn(packet));
      return true;
    }
    if (fate < faults.drop() + faults.delay() + faults.reorder() && held == null) {
      packet.retain();
      held = packet;
      heldUntil = inSome(this::passHeld);
      return true;
    }
    if (!channel.offer(packet)) {
      return false;
    }
    if (fate >= 1 - faults.duplicate()) {
      channel.offer(packet);
    }
    if (held != null) {
      heldUntil.cancel();
      passHeld();
    }
    return true;
  }

  private LoopTimers.Timer inSome(Runnable action) {
    long delayNs = 1 + random.nextLong(faults.delayNs());
    return loop.timers().schedule(loop.time().nanoTime() + delayNs, action);
  }

  private void passHeld() {
    Packet packet = held;
    held = null;
    passOn(packet);
  }

  /** No room is one more way to be lost. */
  private void passOn(Packet packet) {
    if (channel.closedBecause() == null) {
      channel.offer(packet);
    }
    packet.release();
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public boolean isDrained() {
    return channel.isDrained();
  }

  @Override
  public void inquire() {
    channel.inquire();
  }

  @Override
  public FabricError closedWith() {
    return channel.closedWith();
  }

  @Override
  public String closedBecause() {
    return channel.closedBecause();
  }
}
