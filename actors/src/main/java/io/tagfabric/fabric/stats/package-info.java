/**
 * What a domain has done, as numbers: {@link io.tagfabric.fabric.stats.DomainStats} at one moment,
 * {@link io.tagfabric.fabric.stats.FlowTotals} of flows that have ended too.
 *
 * <p>May import {@code address}, {@code complete}, {@code endpoint}, {@code flow}, {@code
 * flow.send}, {@code flow.window}, {@code match} and {@code receive}.
 */
@InternalApi
package io.tagfabric.fabric.stats;

import io.tagfabric.annotation.InternalApi;
