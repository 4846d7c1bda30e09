package io.tagfabric.simulation.remote;

import akka.actor.Address;
import io.tagfabric.runtime.Environment;

/** The environment of an ActorSystem that others reach by {@link SimulatedRemoting}. */
public interface RemotePlace extends Environment {
  /** Where its system is. */
  Address address();

  /** What carries its messages. */
  SimulatedRemoting remoting();
}
