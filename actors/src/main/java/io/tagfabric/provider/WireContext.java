package io.tagfabric.provider;

import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.wire.PacketPool;
import java.util.Optional;

/**
 * The endpoint that a wire serves.
 *
 * @param settings those below {@code tagfabric}
 * @param actors to spawn actors, for a provider that needs some; empty where there are none
 * @param random random numbers
 * @param loop the domain's loop, whose time a wire takes
 * @param incarnation uid of the ActorSystem
 * @param endpoint number of the endpoint in the ActorSystem
 * @param vm identifies the JVM
 * @param proofs prove to peers that the endpoint belongs to its job, when a flow is set up
 * @param pool the domain's packets; a wire takes one for each packet it receives
 * @param listener takes what a wire receives; called on the loop
 * @param paths parallel ways the endpoint wishes to offer, 1 or more
 */
public record WireContext(
    Settings settings,
    Optional<WireActors> actors,
    RandomSource random,
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
        settings, actors, random, loop, incarnation, endpoint, vm, proofs, pool, other, paths);
  }
}
