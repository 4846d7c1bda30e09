package io.tagfabric.architecture.example.outside;

import io.tagfabric.runtime.Environment;

/** Takes the same from its environment. */
public final class Obedient {
  private final Environment environment;

  /** One of an environment. */
  public Obedient(Environment environment) {
    this.environment = environment;
  }

  /** Nanoseconds. */
  public long call() {
    return environment.time().nanoTime() + environment.random().nextLong();
  }
}
