package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.error.FabricException;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.MembershipNotice.News;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A job whose ranks know of each other what their environment says, and nothing of Akka Cluster.
 */
class JobWithoutClusterTest {
  private static final int SIZE = 3;
  private static final Config QUICK =
      ConfigFactory.parseString(
          """
          tagfabric.provider.use = [local]
          tagfabric.exit.timeout-min = 20 s
          tagfabric.job.leave-timeout = 500 ms
          """);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final MemoryNodes nodes = new MemoryNodes();
  private final List<MemoryNodes.Node> places = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();

  @BeforeEach
  void meet() {
    UUID key = UUID.randomUUID();
    List<CompletableFuture<Job>> starting = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      JobSpec spec =
          new JobSpec(
              key, rank, SIZE, "host-" + rank, 1, "host-0", 1, 0, Optional.empty(), Profile.TCP);
      MemoryNodes.Node node = nodes.add(spec, 100 + rank);
      places.add(node);
      starting.add(
          CompletableFuture.supplyAsync(
              () -> Environment.within(node, () -> Job.open(spec, options())), threads));
    }
    starting.forEach(job -> jobs.add(Await.get(job)));
  }

  private static JobOptions options() {
    return JobOptions.defaults().withApplication(QUICK);
  }

  @AfterEach
  void close() {
    jobs.stream()
        .map(job -> CompletableFuture.runAsync(job::close, threads))
        .toList()
        .forEach(Await::get);
    for (Job job : jobs) {
      ActorSystem<?> system = job.system();
      system.terminate();
      Await.get(system.getWhenTerminated());
    }
    threads.shutdown();
  }

  private CompletableFuture<Void> run(Runnable step) {
    return CompletableFuture.runAsync(step, threads);
  }

  @Test
  void shouldMeetSendAndComeToBarriers() {
    for (Job job : jobs) {
      assertThat(job.system().settings().config().getString("akka.actor.provider"))
          .isEqualTo("local");
      assertThat(job.fabric().incarnation()).isEqualTo(100 + job.rank());
      assertThat(job.address(2).node()).isEqualTo("akka://node@host-2:1");
    }
    Job first = jobs.get(0);
    Job last = jobs.get(2);
    Await.get(last.endpoint().futures().sendTagged(last.peer(0), new byte[] {5}, 9));
    var message = Await.get(first.endpoint().futures().receiveTagged(TagSelector.exact(9)));

    assertThat(first.rankOf(message.source())).isEqualTo(2);
    jobs.stream().map(job -> run(job::barrier)).toList().forEach(Await::get);
  }

  @Test
  void shouldFindNamesOfOtherNodes() {
    Await.get(jobs.get(1).fabric().register("one", jobs.get(1).endpoint()));

    assertThat(Await.get(jobs.get(2).fabric().resolve("one")).node())
        .isEqualTo("akka://node@host-1:1");
    assertThat(Await.failure(jobs.get(0).fabric().register("one", jobs.get(0).endpoint())))
        .hasMessageContaining("[one] is held by");
  }

  @Test
  void shouldEndTogetherWithOneCode() {
    jobs.get(1).exitNow(7);

    for (Job job : jobs) {
      assertThat(Await.get(job.whenExited())).isEqualTo(7);
    }
  }

  @Test
  void shouldTakeWhatTheMembershipSaysForALoss() {
    ConcurrentLinkedQueue<Integer> lost = new ConcurrentLinkedQueue<>();
    jobs.get(0).onRankLost(lost::add);

    nodes.tellAll(places.get(2).self().address(), News.DOWNED);

    Await.until("rank 2 is lost", () -> lost.contains(2));
    assertThatThrownBy(() -> jobs.get(0).barrier())
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("rank 2 is lost: its node was downed");
  }

  @Test
  void shouldBeAbleToHearOfALossOnOneSideOnly() {
    nodes.deafen(places.get(1), places.get(2));
    nodes.tellAll(places.get(2).self().address(), News.REMOVED);

    Await.until("rank 0 knows", () -> jobs.get(0).lostRanks().equals(List.of(2)));
    assertThat(jobs.get(1).lostRanks()).isEmpty();
    nodes.tellAll(places.get(0).self().address(), News.DOWNED);
    Await.until("rank 1 knows of another", () -> jobs.get(1).lostRanks().equals(List.of(0)));
  }
}
