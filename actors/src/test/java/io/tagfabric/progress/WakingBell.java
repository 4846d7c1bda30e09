package io.tagfabric.progress;

import java.util.concurrent.atomic.AtomicBoolean;

/** A bell that lets nobody sleep, and knows whether somebody would have. */
final class WakingBell implements Doorbell {
  private final AtomicBoolean announced = new AtomicBoolean();

  /** Whether somebody would have slept since this was last asked. */
  boolean wasAnnounced() {
    return announced.getAndSet(false);
  }

  @Override
  public boolean announce() {
    announced.set(true);
    return false;
  }

  @Override
  public void withdraw() {}
}
