package io.tagfabric.receive;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.kryo.KryoCodec;
import io.tagfabric.memory.RegionTable;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.runtime.NodeId;
import io.tagfabric.runtime.NodeStatus;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.wire.PacketPool;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * What a domain gives its endpoints.
 *
 * @param system the ActorSystem
 * @param settings those below {@code tagfabric}
 * @param receiverProps of actors that take packets on its loop
 * @param guardian the actor above them
 * @param spawner spawns an endpoint's actor there under a name
 * @param loop its loop
 * @param mode what makes progress
 * @param futures that drive it
 * @param addresses its peers
 * @param pool its packets
 * @param objects the system's Kryo codec
 * @param node this node
 * @param random random numbers
 * @param regions its memory that peers may access
 * @param vm identifies the JVM
 * @param jobKeys of the job, that of proofs first
 * @param partitionKey the partition
 * @param nodes what the membership says of an address's node
 */
@InternalApi
public record DomainParts(
    ActorSystem<?> system,
    Settings settings,
    Props receiverProps,
    ActorRef<?> guardian,
    Spawner spawner,
    ProgressLoop loop,
    ProgressMode mode,
    ProgressFutures futures,
    AddressTable addresses,
    PacketPool pool,
    KryoCodec objects,
    NodeId node,
    RandomSource random,
    RegionTable regions,
    String vm,
    List<UUID> jobKeys,
    int partitionKey,
    Function<EndpointAddress, NodeStatus> nodes) {
  /** Spawns actors of a domain. */
  @FunctionalInterface
  public interface Spawner {
    /** Spawns one under a name, some time later. */
    void spawn(Behavior<?> behavior, String name);
  }
}
