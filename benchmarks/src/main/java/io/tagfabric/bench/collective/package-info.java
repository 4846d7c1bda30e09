/**
 * Times collectives: {@link io.tagfabric.bench.collective.CollectiveCommand}, over endpoints of
 * this JVM or ranks that it starts.
 */
package io.tagfabric.bench.collective;
