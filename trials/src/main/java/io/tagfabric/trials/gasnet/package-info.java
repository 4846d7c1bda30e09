/**
 * {@code tagfabric gasnet-tests}: what GASNet's own tests check, as jobs of ranks. {@link
 * io.tagfabric.trials.gasnet.GasnetCommand} is the entry; a new case goes into {@link
 * io.tagfabric.trials.gasnet.GasnetCases}.
 *
 * @source GASNet tests
 */
package io.tagfabric.trials.gasnet;
