package io.tagfabric.runtime;

import io.tagfabric.annotation.InternalApi;

/** What the membership says of another node at this moment. */
@InternalApi
public enum NodeStatus {
  /** Nothing: there is no membership, or the node is not a member, or it has left. */
  UNKNOWN,
  /** It is a member, and it is heard of. */
  REACHABLE,
  /** It is a member that is not heard of now. It may come back. */
  UNREACHABLE;

  /** Whether the node is a member, so that only the membership decides that it is lost. */
  public boolean isMember() {
    return this != UNKNOWN;
  }
}
