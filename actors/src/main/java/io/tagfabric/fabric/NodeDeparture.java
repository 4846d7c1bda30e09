package io.tagfabric.fabric;

/**
 * A node has gone from the cluster, or is given up; it does not come back as the same incarnation.
 *
 * @param node address of its ActorSystem
 * @param incarnation uid of that system
 * @param orderly whether it left by its own will and was waited for
 * @param detail how, for people
 */
public record NodeDeparture(String node, long incarnation, boolean orderly, String detail) {}
