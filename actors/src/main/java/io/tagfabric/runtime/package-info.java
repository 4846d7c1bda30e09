/**
 * What a node gets from outside: time, random numbers, threads, its process, the news of other
 * nodes and the mail between them.
 *
 * <p>Entry: {@link io.tagfabric.runtime.Environment}; code that decides anything takes these from
 * there and from nowhere else, so a whole job can run on one thread and a virtual clock. The real
 * ones are here too. May import {@code address}, {@code cluster.host}, {@code cluster.job} and
 * {@code progress}, and Akka only in {@code EnvironmentSetup}, {@code Environment}, {@code Mail},
 * {@code Membership} and what stands behind them. Source: architecture of FoundationDB's simulation
 * (INetwork, flow).
 */
package io.tagfabric.runtime;
