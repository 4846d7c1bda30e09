package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.progress.ProgressLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A team is opened by any thread, and lives on its domain's loop from the beginning. */
class TeamOpeningTest {
  private static final long PATIENCE_S = 30;
  private static final ActorTestKit KIT = ActorTestKit.create("opening", ConfigFactory.load());

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  /** Takes a loop as a driver does, until it is let go. */
  private static final class Holder extends Thread {
    private final ProgressLoop loop;
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);

    Holder(ProgressLoop loop) {
      super("holder");
      this.loop = loop;
    }

    @Override
    public void run() {
      assertThat(loop.tryEnter()).isTrue();
      held.countDown();
      try {
        assertThat(letGo.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        currentThread().interrupt();
      } finally {
        loop.leave();
      }
    }
  }

  @Test
  void shouldOpenAndCallWhileAnotherThreadDrivesTheLoop() throws InterruptedException {
    try (Crew crew = new Crew(KIT.system(), 3, settings -> settings.withSharedCell(false))) {
      List<EndpointAddress> members = crew.endpoints.stream().map(Endpoint::address).toList();
      CollectiveSettings settings = crew.team(0).settings();
      Holder holder = new Holder(crew.domain.loop());
      holder.start();
      assertThat(holder.held.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();

      List<CompletableFuture<long[]>> sums =
          crew.endpoints.stream()
              .map(endpoint -> Team.open(crew.domain, endpoint, members, 8, settings))
              .map(team -> team.allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture())
              .toList();

      assertThat(sums).noneMatch(CompletableFuture::isDone);
      holder.letGo.countDown();
      holder.join();
      crew.settle();
      assertThat(sums).allSatisfy(sum -> assertThat(sum.join()).containsExactly(3));
    }
  }
}
