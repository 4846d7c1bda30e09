package io.tagfabric.runtime;

import akka.actor.setup.Setup;
import io.tagfabric.annotation.InternalApi;
import java.util.Objects;

/**
 * Gives an ActorSystem an {@link Environment}: {@code ActorSystemSetup.create(bootstrap, new
 * EnvironmentSetup(environment))}.
 */
@InternalApi
public final class EnvironmentSetup extends Setup {
  private final Environment environment;

  /** A setup of one environment, which may serve several systems. */
  public EnvironmentSetup(Environment environment) {
    this.environment = Objects.requireNonNull(environment, "environment");
  }

  /** The environment. */
  public Environment environment() {
    return environment;
  }
}
