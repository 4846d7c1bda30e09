package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.typed.ActorSystem;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Members of a barrier, all in one MANUAL domain, so that one thread decides what happens when. */
final class Group implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  final Domain domain;
  final List<Endpoint> endpoints = new ArrayList<>();
  final List<EndpointAddress> members;
  final List<Barrier> barriers = new ArrayList<>();

  Group(ActorSystem<?> system, int size) {
    domain = Fabric.get(system).openDomain("group-" + NUMBER.get(), ProgressMode.MANUAL);
    NUMBER.incrementAndGet();
    for (int rank = 0; rank < size; rank++) {
      endpoints.add(domain.openEndpoint("member-" + rank));
    }
    members = endpoints.stream().map(Endpoint::address).toList();
    for (Endpoint endpoint : endpoints) {
      barriers.add(Barrier.open(domain, endpoint, members, 1));
    }
  }

  CompletableFuture<Done> enter(int rank) {
    return barriers.get(rank).enter().toCompletableFuture();
  }

  List<CompletableFuture<Done>> enterAll() {
    List<CompletableFuture<Done>> entered = new ArrayList<>();
    for (int rank = 0; rank < barriers.size(); rank++) {
      entered.add(enter(rank));
    }
    return entered;
  }

  /** Drives until nothing moves any more. */
  void settle() {
    while (domain.loop().advance() > 0) {
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  /** Messages sent by all members so far. */
  long messages() {
    long sum = 0;
    for (Endpoint endpoint : endpoints) {
      for (Endpoint.FlowInfo flow :
          endpoint.futures().flows().toCompletableFuture().join().flows()) {
        sum += flow.counters().eagerMessagesSent() + flow.counters().requestsSent();
      }
    }
    return sum;
  }

  @Override
  public void close() {
    domain.close(Duration.ZERO);
  }
}
