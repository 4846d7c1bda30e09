package io.tagfabric.kryo.actor;

import akka.actor.setup.Setup;
import io.tagfabric.kryo.KryoRegistrations;
import java.util.Objects;

/**
 * Classes for the system's codec beside those of {@code tagfabric.kryo.registrations}; passed when
 * the system is made: {@code ActorSystem.create(guardian, name, ActorSystemSetup.create(new
 * KryoSetup(registrations)))}.
 */
public final class KryoSetup extends Setup {
  private final KryoRegistrations registrations;

  public KryoSetup(KryoRegistrations registrations) {
    this.registrations = Objects.requireNonNull(registrations, "registrations");
  }

  /** The classes to add. */
  public KryoRegistrations registrations() {
    return registrations;
  }
}
