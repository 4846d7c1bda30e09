package io.tagfabric.provider;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import java.util.Optional;

/**
 * Where a wire spawns actors.
 *
 * @param system the ActorSystem
 * @param props of actors that take packets on the domain's loop
 * @param owner with whose end such actors end; empty if they end with the system
 */
public record WireActors(ActorSystem<?> system, Props props, Optional<ActorRef<?>> owner) {}
