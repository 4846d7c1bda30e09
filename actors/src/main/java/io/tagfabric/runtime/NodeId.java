package io.tagfabric.runtime;

import io.tagfabric.annotation.InternalApi;
import java.util.Objects;

/**
 * A node. One that was restarted at the same address is another.
 *
 * @param address of its ActorSystem, such as {@code akka://job@127.0.0.1:25520}
 * @param incarnation uid of that system
 */
@InternalApi
public record NodeId(String address, long incarnation) {
  public NodeId {
    Objects.requireNonNull(address, "address");
  }
}
