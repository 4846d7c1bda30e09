/**
 * The frames between a launcher and its agents on other hosts, over the streams of the command that
 * started the agent.
 *
 * <p>Entry: {@link io.tagfabric.launch.agent.AgentFrame}. May import {@code cluster.control},
 * {@code cluster.host}, {@code cluster.job} and {@code launch.output}.
 */
package io.tagfabric.launch.agent;
