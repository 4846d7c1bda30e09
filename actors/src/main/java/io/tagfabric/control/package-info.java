/**
 * Messages between the actors that run a job, as bytes.
 *
 * <p>Entry: {@link io.tagfabric.control.ControlSerializer}, which each package that has such
 * messages extends. Imports Akka, {@code address}, {@code progress} and the job's settings. Source:
 * RFC 2104 (HMAC).
 */
@InternalApi
package io.tagfabric.control;

import io.tagfabric.annotation.InternalApi;
