/**
 * Messages between the actors that run a job, as bytes.
 *
 * <p>Entry: {@link io.tagfabric.control.ControlSerializer}, which each package that has such
 * messages extends. May import {@code cluster.control}, {@code cluster.job}, {@code
 * cluster.settings}, {@code progress} and {@code runtime}, and Akka. Source: RFC 2104 (HMAC).
 */
@InternalApi
package io.tagfabric.control;

import io.tagfabric.annotation.InternalApi;
