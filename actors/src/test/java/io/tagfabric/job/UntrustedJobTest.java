package io.tagfabric.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A job whose ActorSystems trust nobody, with the paths of Akka Cluster but none of Tagfabric's.
 */
class UntrustedJobTest {
  private static final Config UNTRUSTED =
      ConfigFactory.parseString(
              """
              akka.remote.artery {
                untrusted-mode = on
                trusted-selection-paths =
                  ["/system/cluster/core/daemon", "/system/cluster/heartbeatReceiver"]
              }
              """)
          .withFallback(ConfigFactory.defaultApplication());

  @Test
  void shouldMeetFindNamesPassBarriersAndEnd() {
    try (TestJob job = new TestJob(2)) {
      List.of(0, 1).stream()
          .map(rank -> job.open(job.spec(rank), options -> options.withApplication(UNTRUSTED)))
          .toList()
          .forEach(Await::get);
      Job one = job.rank(1);
      Await.get(one.fabric().register("bob", one.endpoint()));
      int bob = Await.get(job.rank(0).domain().connect("bob"));
      Await.get(job.rank(0).endpoint().futures().sendTagged(bob, "hello".getBytes(UTF_8), 5));
      var got = Await.get(one.endpoint().futures().receiveTagged(TagSelector.exact(5)));
      assertThat(got.payload().array()).isEqualTo("hello".getBytes(UTF_8));

      List<CompletableFuture<Void>> steps =
          List.of(job.run(job.rank(0)::barrier), job.run(one::barrier));
      steps.forEach(Await::get);
      List<CompletableFuture<Void>> ends =
          List.of(job.run(job.rank(0)::close), job.run(one::close));
      ends.forEach(Await::get);
      assertThat(one.lostRanks()).isEmpty();
    }
  }
}
