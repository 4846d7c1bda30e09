package io.tagfabric.provider;

import io.tagfabric.address.EndpointAddress;
import java.util.Optional;

/** A provider at work for one endpoint. Single threaded: the domain's loop. */
public interface Wire extends AutoCloseable {
  /** What a peer's wire of the same provider needs to reach this endpoint; may be empty. */
  String address();

  /** Why a peer cannot be reached by this provider, empty if it can. */
  Optional<String> unreachableBecause(EndpointAddress peer);

  /** Whether the way to a reachable peer is there, so that nothing can keep it from opening. */
  default boolean isOpen(EndpointAddress peer) {
    return true;
  }

  /**
   * Begins to open a way to an asker that cannot open it itself.
   *
   * @return whether that is under way: then the asker is answered when it asks again
   */
  default boolean prepares(EndpointAddress asker) {
    return false;
  }

  /** Opens the way to a peer that is reachable. Nothing is sent. */
  Channel connect(EndpointAddress peer);

  /** Parallel ways to a reachable peer that both sides offer, at least 1. */
  default int paths(EndpointAddress peer) {
    return 1;
  }

  /**
   * Opens one of several ways to a peer that is reachable. Nothing is sent.
   *
   * @param path from 0 to {@link #paths} - 1; path 0 is that of {@link #connect(EndpointAddress)}
   */
  default Channel connect(EndpointAddress peer, int path) {
    return connect(peer);
  }

  /**
   * Whether {@link #flush} has anything to do, ever. If not, a pass that does not concern the
   * endpoint costs it nothing; the same during the wire's life.
   */
  default boolean gathers() {
    return true;
  }

  /**
   * Sends what the channels have taken in this pass; called at the end of each pass.
   *
   * @return the work done, 0 if none
   */
  default int flush() {
    return 0;
  }

  /**
   * Its endpoint was opened for less than all accesses to memory: peers ask its loop for each, and
   * do none themselves.
   */
  default void closeToDirectAccess() {}

  /** Receives nothing more and sends nothing more. Idempotent. */
  @Override
  void close();
}
