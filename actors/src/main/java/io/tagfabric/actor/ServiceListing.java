package io.tagfabric.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.receptionist.Receptionist;
import akka.actor.typed.receptionist.ServiceKey;
import io.tagfabric.progress.GuardedMailbox;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actors that the Receptionist knows by a key, as twins; what it learns changes this. Thread:
 * any.
 */
public final class ServiceListing<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FabricActors.class);

  private sealed interface Command {}

  private record News(Receptionist.Listing listing) implements Command {}

  private record Stop() implements Command {}

  private record Wanted<T>(int count, CompletableFuture<Set<ActorRef<T>>> future) {}

  private final RefNode node;
  private final ServiceKey<T> key;
  private final ActorRef<Command> subscriber;
  private final List<Consumer<Set<ActorRef<T>>>> listeners = new ArrayList<>();
  private final List<Wanted<T>> wanted = new ArrayList<>();
  private volatile Set<ActorRef<T>> refs = Set.of();

  ServiceListing(RefNode node, ServiceKey<T> key, String name) {
    this.node = node;
    this.key = Objects.requireNonNull(key, "key");
    subscriber = node.fabric().system().systemActorOf(subscriber(), name, GuardedMailbox.props());
  }

  private Behavior<Command> subscriber() {
    return Behaviors.setup(
        context -> {
          context
              .getSystem()
              .receptionist()
              .tell(
                  Receptionist.subscribe(
                      key, context.messageAdapter(Receptionist.Listing.class, News::new)));
          return Behaviors.receive(Command.class)
              .onMessage(
                  News.class,
                  news -> {
                    take(news.listing.getServiceInstances(key));
                    return Behaviors.same();
                  })
              .onMessage(Stop.class, stop -> Behaviors.stopped())
              .build();
        });
  }

  private void take(Set<ActorRef<T>> found) {
    Set<ActorRef<T>> twins = new LinkedHashSet<>();
    for (ActorRef<T> ref : new TreeSet<>(found)) { // the same order on all nodes
      twins.add(node.typedTwin(ref));
    }
    List<Consumer<Set<ActorRef<T>>>> told;
    synchronized (listeners) {
      refs = Collections.unmodifiableSet(twins);
      told = List.copyOf(listeners);
    }
    completeWanted();
    for (Consumer<Set<ActorRef<T>>> listener : told) {
      try {
        listener.accept(refs);
      } catch (RuntimeException e) {
        LOG.error("listener [{}] of [{}] has failed", listener, key, e);
      }
    }
  }

  private void completeWanted() {
    Set<ActorRef<T>> now = refs;
    List<Wanted<T>> ready;
    synchronized (listeners) {
      ready = wanted.stream().filter(each -> now.size() >= each.count).toList();
      wanted.removeAll(ready);
    }
    ready.forEach(each -> each.future.complete(now));
  }

  /** The key. */
  public ServiceKey<T> key() {
    return key;
  }

  /** Those known now, in the order of their paths; cannot be changed. */
  public Set<ActorRef<T>> refs() {
    return refs;
  }

  /**
   * Completes with the listing as soon as it has so many. Never fails; a listing that is closed
   * leaves it incomplete.
   */
  public CompletionStage<Set<ActorRef<T>>> atLeast(int count) {
    CompletableFuture<Set<ActorRef<T>>> future = new CompletableFuture<>();
    synchronized (listeners) {
      wanted.add(new Wanted<>(count, future));
    }
    completeWanted();
    return future;
  }

  /** Tells a listener of each change from now on, and at once what there is; it must not block. */
  public void onChange(Consumer<Set<ActorRef<T>>> listener) {
    Objects.requireNonNull(listener, "listener");
    Set<ActorRef<T>> now;
    synchronized (listeners) {
      listeners.add(listener);
      now = refs;
    }
    listener.accept(now);
  }

  /** Ends the subscription; what is known stays. */
  @Override
  public void close() {
    subscriber.tell(new Stop());
  }
}
