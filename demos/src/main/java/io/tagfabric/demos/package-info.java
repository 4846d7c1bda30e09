/**
 * Programs a newcomer runs and reads. Begin with {@link io.tagfabric.demos.Hello}, go on with
 * {@link io.tagfabric.demos.Ring} and {@link io.tagfabric.demos.PingPong}.
 *
 * <p>Each has a {@code main} that starts its process as one rank of a job; {@code tagfabric run -n
 * 4 hello} starts all ranks.
 */
package io.tagfabric.demos;
