package io.tagfabric.provider.tcp;

/**
 * Why a dial has brought no connection.
 *
 * @param kind what that says about the peer
 * @param reason for people
 */
record Failure(Kind kind, String reason) {
  enum Kind {
    /** The peer's host says that nobody listens there. */
    REFUSED,

    /** The peer says with a proof that the node or the stream is not there. */
    DENIED,

    /** Nothing is known of the peer. */
    UNKNOWN
  }
}
