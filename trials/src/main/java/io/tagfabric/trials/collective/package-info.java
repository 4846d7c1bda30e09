/**
 * {@code tagfabric collective-check}: all collectives against a sequential model. {@link
 * io.tagfabric.trials.collective.CollectiveCheck} is the entry.
 */
package io.tagfabric.trials.collective;
