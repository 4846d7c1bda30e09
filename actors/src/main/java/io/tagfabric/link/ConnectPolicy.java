package io.tagfabric.link;

import io.tagfabric.address.EndpointAddress;
import java.util.Optional;

/**
 * Decides whether a peer may set up a flow to an endpoint. It is asked when a peer that has proven
 * to be of the job says hello, unless this side has set up a flow to it; a peer that repeats itself
 * may be asked for again.
 *
 * <p>Called on the domain's loop; must not block. If it throws, the peer is refused.
 *
 * @source libfabric fi_cm(3), fi_accept and fi_reject
 */
@FunctionalInterface
public interface ConnectPolicy {
  /** Takes every peer of the job. */
  ConnectPolicy ACCEPT = peer -> Optional.empty();

  /**
   * Why a peer is refused; empty to accept it. The peer's operations fail with CONNECTION_REFUSED
   * and this text.
   */
  Optional<String> refusal(EndpointAddress peer);
}
