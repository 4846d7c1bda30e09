/**
 * {@code simulate}: runs of whole jobs from seeds, on one thread and a virtual clock, and the proof
 * that they find defects. {@link io.tagfabric.trials.simulate.SimulateCommand} is the entry.
 *
 * <p>The runs themselves are {@link io.tagfabric.simulation.swarm.SeedRun}s. May import {@code
 * simulation.job}, {@code simulation.swarm}, {@code trials.exit} and {@code watch} and what these
 * use.
 */
package io.tagfabric.trials.simulate;
