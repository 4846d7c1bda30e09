/**
 * Messages between the actors that run a job, as bytes.
 *
 * <p>Entry: {@link io.tagfabric.control.ControlSerializer}, which each package that has such
 * messages extends. Imports Akka, {@code progress} and {@code address}. Source: RFC 2104 (HMAC).
 */
@InternalApi
package io.tagfabric.control;

import io.tagfabric.annotation.InternalApi;
