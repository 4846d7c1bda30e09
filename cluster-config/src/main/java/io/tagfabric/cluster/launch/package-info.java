/**
 * Processes of a job on one host: the ranks, the media driver they share, and the directories they
 * keep in memory.
 *
 * <p>Entry: {@link io.tagfabric.cluster.launch.JobLauncher}; a rank itself uses {@link
 * io.tagfabric.cluster.launch.LauncherWatch} and {@link io.tagfabric.cluster.launch.JobDirectory}.
 * May import the other packages of {@code cluster}; of Aeron only the driver and its directory.
 *
 * <p>The directory of a user on a host:
 *
 * <pre>{@code
 * /dev/shm/tagfabric-<user>/
 *   lock           held while a driver or a job comes or goes
 *   driver         <driver pid>-<start> <starter pid>-<start>
 *   aeron/         the media driver's buffers
 *   users/         one file a process that uses the driver, named <pid>-<start>
 *   jobs/<key>/    files of a job; formed once all ranks have met
 *     users/       one file a process of the job
 * }</pre>
 */
package io.tagfabric.cluster.launch;
