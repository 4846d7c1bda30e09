/**
 * {@code tagfabric exit-suite}: ends jobs in many ways and checks how they end. {@link
 * io.tagfabric.trials.exit.ExitSuite} is the entry; the ranks run {@link
 * io.tagfabric.trials.exit.ExitCases}.
 */
package io.tagfabric.trials.exit;
