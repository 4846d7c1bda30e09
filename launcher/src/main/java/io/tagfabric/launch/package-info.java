/**
 * Starts the ranks of a job and follows them to their end, here and on other hosts.
 *
 * <p>Entry: {@link io.tagfabric.launch.JobLauncher}. A launcher follows ranks ({@code RankHandle})
 * of hosts ({@code RankHost}): here they are children ({@code RankProcess}, {@code LocalHost});
 * elsewhere they are children of a {@code HostAgent}, whose frames stand for them ({@code
 * RemoteRank}, {@code RemoteHost}). It starts the media driver of a host ({@code
 * MediaDriverProcess}) too. What ranks know of it is in {@link io.tagfabric.cluster.host}: a
 * program that has ranks needs nothing of this module.
 */
package io.tagfabric.launch;
