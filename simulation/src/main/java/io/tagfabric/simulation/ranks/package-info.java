/**
 * Several ranks of a job in one JVM, in real time: each is a thread {@code main} with a class
 * loader, variables, streams and an end of its own.
 *
 * <p>Entry: {@link io.tagfabric.simulation.ranks.RanksMain}, which a launcher starts. May import
 * {@code fabric} and {@code simulation.isolate} and what these use.
 */
@InternalApi
package io.tagfabric.simulation.ranks;

import io.tagfabric.annotation.InternalApi;
