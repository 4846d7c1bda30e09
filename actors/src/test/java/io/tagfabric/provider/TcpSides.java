package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** Endpoints of ActorSystems of their own that reach each other by tcp alone. */
abstract class TcpSides {
  /** Closed after each test, the last first. */
  final List<AutoCloseable> opened = new ArrayList<>();

  private final List<ActorSystem<Void>> systems = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    ContractSystems.stop(systems);
  }

  /** Settings of all systems. */
  String common() {
    return "";
  }

  Side open(String name, String settings) {
    ActorSystem<Void> system = ContractSystems.start("tcp", name, common() + settings);
    systems.add(system);
    Domain domain = Fabric.get(system).openDomain(name, ProgressMode.AUTO);
    opened.add(0, () -> domain.close(Duration.ofSeconds(5)));
    return new Side(domain, name, Side.QUEUE_SIZE, domain.endpointDefaults());
  }

  static void await(BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the deadline").isLessThan(deadlineNs);
      Thread.onSpinWait();
    }
  }

  /** The only flow of an endpoint. */
  static Endpoint.FlowInfo flow(Side side) {
    return side.endpoint.futures().flows().toCompletableFuture().join().flows().get(0);
  }
}
