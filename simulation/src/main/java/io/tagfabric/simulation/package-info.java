/**
 * Whole jobs on one thread and one virtual clock: a seed decides what happens next. {@link
 * io.tagfabric.simulation.SimulatedFabric} is the entry.
 *
 * <p>May import {@code simulation.choice}, {@code simulation.world}, {@code simulation.network},
 * and every package of {@code collectives} and of the modules below it.
 */
package io.tagfabric.simulation;
