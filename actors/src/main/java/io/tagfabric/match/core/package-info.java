/**
 * The receiving side of an endpoint: {@link io.tagfabric.match.core.ReceiveCore} takes what comes
 * and what is posted, {@link io.tagfabric.match.core.Deliveries} brings bytes into receives, {@link
 * io.tagfabric.match.core.TagMatcherActor} is the actor around them.
 *
 * <p>May import {@code match}, {@code match.table}, {@code complete}, {@code error}, {@code tag},
 * {@code trace} and {@code wire}.
 *
 * @source libfabric fi_tagged(3), fi_msg(3)
 */
@InternalApi
package io.tagfabric.match.core;

import io.tagfabric.annotation.InternalApi;
