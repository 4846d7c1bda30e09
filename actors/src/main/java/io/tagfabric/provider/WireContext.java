package io.tagfabric.provider;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.wire.PacketPool;

/**
 * The endpoint that a wire serves.
 *
 * @param system the ActorSystem
 * @param actorProps of actors that run on the domain's loop
 * @param owner with whose end such actors end
 * @param loop the domain's loop
 * @param incarnation uid of the ActorSystem
 * @param endpoint number of the endpoint in the ActorSystem
 * @param vm identifies the JVM
 * @param proofs prove to peers that the endpoint belongs to its job, when a flow is set up
 * @param pool the domain's packets; a wire takes one for each packet it receives
 * @param listener takes what a wire receives; called on the loop
 * @param paths parallel ways the endpoint wishes to offer, 1 or more
 */
public record WireContext(
    ActorSystem<?> system,
    Props actorProps,
    ActorRef<?> owner,
    ProgressLoop loop,
    long incarnation,
    int endpoint,
    String vm,
    KeyProof proofs,
    PacketPool pool,
    WireListener listener,
    int paths) {
  /** The same with another that takes what a wire receives. */
  public WireContext withListener(WireListener other) {
    return new WireContext(
        system, actorProps, owner, loop, incarnation, endpoint, vm, proofs, pool, other, paths);
  }
}
