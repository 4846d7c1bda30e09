package io.tagfabric.provider;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameBatchPool;

/**
 * The endpoint that a wire serves.
 *
 * @param system the ActorSystem
 * @param loop the domain's loop
 * @param incarnation uid of the ActorSystem
 * @param endpoint number of the endpoint in the ActorSystem
 * @param vm identifies the JVM
 * @param inbox where received {@link FrameBatch}es go; the receiver releases them. Thread: any
 * @param pool the domain's batches, for what a poll of the loop receives
 * @param listener what a poll that runs on the loop tells without a message
 * @param paths parallel ways the endpoint wishes to offer, 1 or more
 */
public record WireContext(
    ActorSystem<?> system,
    ProgressLoop loop,
    long incarnation,
    int endpoint,
    String vm,
    ActorRef<Object> inbox,
    FrameBatchPool pool,
    WireListener listener,
    int paths) {}
