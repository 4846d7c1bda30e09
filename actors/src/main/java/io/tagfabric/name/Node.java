package io.tagfabric.name;

/**
 * An ActorSystem of the cluster.
 *
 * @param address such as {@code akka://job@127.0.0.1:25520}
 * @param incarnation its uid
 */
record Node(String address, long incarnation) {}
