/**
 * {@code simulate}: runs of whole jobs from seeds, on one thread and a virtual clock, and the proof
 * that they find defects. {@link io.tagfabric.trials.simulate.SimulateCommand} is the entry.
 *
 * <p>The runs themselves are {@link io.tagfabric.simulation.swarm.SeedRun}s. May import {@code
 * simulation}, {@code report}, {@code trials.exit}, and what these may import.
 */
package io.tagfabric.trials.simulate;
