package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who first speaks to an endpoint when it is closed, in a domain that lives on. */
class ClosedEndpointTest {
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "artery"})
  void shouldSayThatThePeersEndpointIsClosedWhenAnotherOfItsDomainIsOpen(String provider) {
    ContractSystems systems = ContractSystems.two(provider);
    systems.start();
    try (Sides sides = new Sides(systems)) {
      int closed = sides.near.indexOf(sides.closed);
      int open = sides.near.indexOf(sides.open);
      sides.closed.endpoint.close(Duration.ZERO).toCompletableFuture().join();

      sides.near.send(closed, Side.pattern(8, 1), 1);
      Completion failed = sides.near.endpoint.transmitQueue().readBlocking(PATIENCE);
      sides.near.send(open, Side.pattern(8, 2), 2);
      Completion sent = sides.near.endpoint.transmitQueue().readBlocking(PATIENCE);

      assertThat(failed).isInstanceOf(Completion.Failed.class);
      assertThat(((Completion.Failed) failed).error()).isEqualTo(FabricError.SHUTDOWN);
      assertThat(((Completion.Failed) failed).detail())
          .contains(sides.closed.endpoint.address().toString(), "closed");
      assertThat(sent).isInstanceOf(Completion.Sent.class);
    } finally {
      systems.stop();
    }
  }

  private static final class Sides implements AutoCloseable {
    final Domain nearDomain;
    final Domain farDomain;
    final Side near;
    final Side open;
    final Side closed;

    Sides(ContractSystems systems) {
      nearDomain = Fabric.get(systems.near()).openDomain("near", ProgressMode.AUTO);
      farDomain = Fabric.get(systems.far()).openDomain("far", ProgressMode.AUTO);
      near = side(nearDomain, "near");
      open = side(farDomain, "open");
      closed = side(farDomain, "closed");
    }

    private static Side side(Domain domain, String name) {
      return new Side(domain, name, Side.QUEUE_SIZE, domain.endpointDefaults());
    }

    @Override
    public void close() {
      nearDomain.close(Duration.ZERO);
      farDomain.close(Duration.ZERO);
    }
  }
}
