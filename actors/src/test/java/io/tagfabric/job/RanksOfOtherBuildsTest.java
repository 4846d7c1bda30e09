package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.Protocols;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.runtime.Environment;
import io.tagfabric.support.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A job is of one build: ranks that speak other protocols are refused, also where they overlap. */
class RanksOfOtherBuildsTest {
  private static final Protocols LATER =
      new Protocols(Protocols.OWN.most(), Protocols.OWN.most() + 1);
  private static final JobOptions OPTIONS =
      JobOptions.defaults()
          .withApplication(
              ConfigFactory.parseString(
                  """
                  tagfabric.provider.use = [local]
                  tagfabric.job.start-timeout = 5 s
                  """));

  @Test
  void shouldRefuseARankWhoseNodeSpeaksAnotherRangeOfProtocols() {
    UUID key = UUID.randomUUID();
    MemoryNodes nodes = new MemoryNodes();
    ExecutorService threads = Executors.newCachedThreadPool();
    List<CompletableFuture<Job>> starting = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      JobSpec spec =
          new JobSpec(
              key, rank, 2, "host-" + rank, 1, "host-0", 1, 0, Optional.empty(), Profile.TCP);
      MemoryNodes.Node node = nodes.add(spec, 100 + rank);
      Environment environment = rank == 0 ? node : node.speaks(LATER);
      starting.add(
          CompletableFuture.supplyAsync(
              () -> Environment.within(environment, () -> Job.open(spec, OPTIONS)), threads));
    }

    assertThat(Await.failure(starting.get(1)))
        .hasStackTraceContaining("protocols=" + LATER + " != " + Protocols.OWN);
    assertThat(Await.failure(starting.get(0))).hasStackTraceContaining("rank 1 has not come");
    threads.shutdown();
  }
}
