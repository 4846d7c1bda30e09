/**
 * Processes of a job: the ranks, the media driver that those of a host share, the directories they
 * keep in memory, and the agents of other hosts.
 *
 * <p>Entry: {@link io.tagfabric.cluster.launch.JobLauncher}. A launcher follows ranks ({@code
 * RankHandle}) of hosts ({@code RankHost}): here they are children ({@code RankProcess}, {@code
 * LocalHost}); elsewhere they are children of a {@code HostAgent}, whose frames stand for them
 * ({@code RemoteRank}, {@code RemoteHost}). A rank itself uses {@link
 * io.tagfabric.cluster.launch.LauncherWatch} and {@link io.tagfabric.cluster.launch.JobDirectory}.
 * May import the other packages of {@code cluster}; of Aeron only the driver and its directory.
 *
 * <p>What ranks print goes through a {@code StreamCopier} each to a {@code RankSink}, which is a
 * file ({@code FileSink}) or lines of the {@code Screen} ({@code LineWriter}). Only the two threads
 * of the screen ({@code StreamWriter}) ever write to a stream of the launcher: the thread that
 * signals ranks must not wait for a reader.
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
package io.tagfabric.cluster.launch;

import io.tagfabric.annotation.InternalApi;
