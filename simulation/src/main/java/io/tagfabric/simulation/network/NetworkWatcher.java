package io.tagfabric.simulation.network;

import io.tagfabric.wire.Packet;

/** Hears of everything that happens on a network. Called on the simulation's thread. */
public interface NetworkWatcher {
  /** Hears nothing. */
  NetworkWatcher NONE = (what, from, to, lengthBytes, sequence) -> {};

  /** What can happen to a packet or a short message. */
  enum What {
    /** It was handed over. */
    SENT,
    /** There was no room for it. */
    REFUSED,
    /** It was lost. */
    LOST,
    /** A second one is on its way. */
    DOUBLED,
    /** Its header says what is not so. */
    FORGED,
    /** It has arrived. */
    ARRIVED,
    /** A short message was handed over by itself. */
    INJECTED,
    /** A short message has arrived by itself. */
    INJECTED_ARRIVED,
    /** Frames were handed over without a packet's header. */
    BARE,
    /** Frames have arrived without a packet's header. */
    BARE_ARRIVED,
    /** The ring of a node of the same host had no room for it. */
    FULL,
    /** Its sender is held up between the claim and the commit. */
    HELD,
    /** Its sender was killed between two stores. */
    KILLED,
    /** A ring has given up a record whose sender was killed. */
    REPAIRED
  }

  /** What can happen to a lane, a ring of one sender in the memory of a node of its host. */
  enum Lane {
    /** A sender has taken it. */
    TAKEN,
    /** A sender has taken it that a killed one had before. */
    INHERITED,
    /** All are taken: a sender shares the ring with others. */
    NONE_FREE,
    /** A record of it has arrived. */
    ARRIVED,
    /** It had no room for a record. */
    FULL,
    /** A record has no room before its end and begins at its beginning. */
    WRAPPED,
    /** Its sender was killed between two stores. */
    KILLED
  }

  /** Something has happened. */
  void on(What what, int from, int to, int lengthBytes, long sequence);

  /** Something has happened to a lane that one node has in the memory of another. */
  default void onLane(Lane what, int from, int to) {}

  /** What is in a packet that was handed over; its bytes are valid during the call. */
  default void offered(int from, int to, Packet packet) {}

  /** An endpoint has looked at a packet, and holds it if it keeps it for later. */
  default void taken(int from, int to, Packet packet) {}
}
