/**
 * {@code tagfabric partition}: cuts the network between the hosts of a job and sees which side goes
 * on. {@link io.tagfabric.trials.partition.Partition} is the entry.
 */
package io.tagfabric.trials.partition;
