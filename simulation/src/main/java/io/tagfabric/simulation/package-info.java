/**
 * Whole jobs on one thread and one virtual clock: a seed decides what happens next.
 *
 * <p>May import every package of {@code collectives} and of the modules below it.
 */
package io.tagfabric.simulation;
