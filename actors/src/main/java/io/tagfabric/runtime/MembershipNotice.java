package io.tagfabric.runtime;

import io.tagfabric.annotation.InternalApi;
import java.util.Objects;

/**
 * What a node hears of a node, itself among them.
 *
 * @param node of which
 * @param news what has happened to it
 */
@InternalApi
public record MembershipNotice(NodeId node, News news) {
  /** What can happen to a node, as another sees it. */
  public enum News {
    /** It is there, on its way in or out. */
    SEEN,
    /** It is a full member: all others have seen it. */
    UP,
    /** It is not heard of. */
    UNREACHABLE,
    /** It is heard of again. */
    REACHABLE,
    /** It was given up, and does not come back. */
    DOWNED,
    /** It has left by its own will and was waited for, or this node has left in order. */
    LEFT,
    /** It is no member any more, and has not left by its own will. */
    REMOVED
  }

  public MembershipNotice {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(news, "news");
  }
}
