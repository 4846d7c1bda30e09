/**
 * What the processes of a job share on a host: the directories in memory, the media driver, how far
 * each rank has come at its start, and whether their launcher lives.
 *
 * <p>Entry: {@link io.tagfabric.cluster.host.HostDirectory} and {@link
 * io.tagfabric.cluster.host.JobDirectory}. Ranks and their launcher both use it; it starts no
 * process. May import {@code cluster.job} and {@code cluster.settings}; of Aeron only the driver's
 * directory.
 *
 * <p>The directory of a user on a host:
 *
 * <pre>{@code
 * /dev/shm/tagfabric-<user>/             in a job on several hosts tagfabric-<user>@<address>/
 *   lock           held while a driver or a job comes or goes
 *   driver         <driver pid>-<start> <starter pid>-<start>
 *   aeron/         the media driver's buffers
 *   users/         one file a process that uses the driver, named <pid>-<start>
 *   jobs/<key>/    files of a job; formed once all ranks have met, ending once they end it,
 *                  ended with the ranks that have, keep if they are to outlive it
 *     starting/    one file a rank: how far it has come
 *     users/       one file a process of the job
 * }</pre>
 */
@InternalApi
package io.tagfabric.cluster.host;

import io.tagfabric.annotation.InternalApi;
