package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;

/**
 * What becomes of the message that a probe finds.
 *
 * @source libfabric fi_tagged(3), FI_PEEK, FI_CLAIM and FI_DISCARD
 */
@InternalApi
public enum ProbeKind {
  /** It stays where it is. */
  PEEK,
  /** It is taken out of matching and kept for one receive. */
  CLAIM,
  /** It is dropped. */
  DISCARD
}
