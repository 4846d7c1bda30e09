package io.tagfabric.simulation.world;

/** One that takes turns in a simulation: a node, a program, the actors of a system, a network. */
public interface Participant {
  /** For traces. */
  String name();

  /** Whether a turn now would do something. */
  boolean isReady();

  /** When it will be ready if nothing else happens, {@link Long#MAX_VALUE} if never. */
  default long nextNs() {
    return Long.MAX_VALUE;
  }

  /** Takes a turn, which must end without waiting. Called when ready. */
  void turn();
}
