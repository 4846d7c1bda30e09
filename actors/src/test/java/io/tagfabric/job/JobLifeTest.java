package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.support.TestCluster;
import io.tagfabric.tag.TagSelector;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How jobs start, and fail to, and end. */
class JobLifeTest {
  @Test
  void shouldBeAJobOfOneRankWithoutOthers() {
    Job job = Job.open(JobSpec.alone(Profile.TCP), JobOptions.defaults());

    job.barrier();
    assertThat(job.size()).isEqualTo(1);
    assertThat(job.address(0)).isEqualTo(job.endpoint().address());
    job.close();
    job.close();
    assertThat(job.system().getWhenTerminated()).isCompleted();
  }

  @Test
  void shouldTakeAProgramsChoices() {
    JobOptions options =
        JobOptions.defaults()
            .withProgress(progress -> progress.withMode(ProgressMode.MANUAL))
            .withProviders("local");
    try (Job job = Job.open(JobSpec.alone(Profile.TCP), options)) {
      var received =
          job.endpoint().futures().receiveTagged(TagSelector.exact(1)).toCompletableFuture();
      job.endpoint().futures().sendTagged(job.peer(0), new byte[] {7}, 1);
      job.barrier();

      assertThat(received.join().payload().array()).containsExactly(7);
      assertThat(job.domain().progressSettings().mode()).isEqualTo(ProgressMode.MANUAL);
      assertThat(job.address(0).providers()).containsOnlyKeys("local");
    }
  }

  @Test
  void shouldRefuseARankThatIsThereAlready() throws IOException {
    try (TestJob job = TestJob.met(2)) {
      assertThat(Await.failure(job.open(1)))
          .isInstanceOfSatisfying(
              FabricException.class,
              e -> assertThat(e.error()).isEqualTo(FabricError.ADDRESS_IN_USE))
          .hasMessageStartingWith("rank=1 is taken by " + job.rank(1).system().address());
    }
  }

  @Test
  void shouldNotAnswerARankOfAnotherJob() throws IOException {
    try (TestJob job = TestJob.met(2)) {
      JobSpec stranger = job.spec(UUID.randomUUID(), 1);

      assertThat(Await.failure(job.open(stranger, JobLifeTest::impatient)))
          .isInstanceOfSatisfying(
              FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.TIMED_OUT))
          .hasMessageContaining("has it the same tagfabric.job.key?");
    }
  }

  @Test
  void shouldNotJoinAJobWithAnotherKeyThanTheSystemHas() {
    try (TestCluster cluster = TestCluster.of(1)) {
      JobSpec alone = JobSpec.alone(Profile.TCP);

      assertThatThrownBy(() -> Job.join(cluster.system(0), alone))
          .isInstanceOfSatisfying(
              FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.KEY_REJECTED))
          .hasMessageStartingWith("tagfabric.job.key of the ActorSystem")
          .hasMessageNotContaining(alone.jobKey().toString());
    }
  }

  @Test
  void shouldNameTheSettingsThatDiffer() throws IOException {
    try (TestJob job = new TestJob(2)) {
      CompletableFuture<Job> first = job.open(0);
      Throwable refusal =
          Await.failure(
              job.open(
                  job.spec(1),
                  options ->
                      options.withApplication(
                          ConfigFactory.parseString("tagfabric.endpoint.packet-size = 32 KiB"))));

      assertThat(refusal).hasMessageContaining("tagfabric.endpoint.packet-size=32 KiB != 64 KiB");
      Await.get(job.open(1));
      Await.get(first);
    }
  }

  @Test
  void shouldSayWhoIsMissingWhenTheTimeToStartIsOver() throws IOException {
    try (TestJob job = new TestJob(3)) {
      CompletableFuture<Job> first = job.open(job.spec(0), JobLifeTest::impatient);
      CompletableFuture<Job> second = job.open(job.spec(2), JobLifeTest::impatient);

      // the one whose time is over first takes the other with it
      List<Throwable> failures = List.of(Await.failure(first), Await.failure(second));
      assertThat(failures)
          .allSatisfy(failure -> assertThat(failure).hasMessageContaining("rank 1 has not come"))
          .anySatisfy(
              failure ->
                  assertThat(failure)
                      .hasMessageContaining("tagfabric.job.start-timeout=4000 ms: ")
                      .isInstanceOfSatisfying(
                          FabricException.class,
                          e -> assertThat(e.error()).isEqualTo(FabricError.TIMED_OUT)));
    }
  }

  @Test
  void shouldSayThatRankZeroDoesNotAnswer() throws IOException {
    try (TestJob job = new TestJob(2)) {
      assertThat(Await.failure(job.open(job.spec(1), JobLifeTest::impatient)))
          .hasMessageContaining("rank 0 does not answer at akka://tagfabric@127.0.0.1:");
    }
  }

  @Test
  void shouldTellARankThatHasLeftFromOneThatIsLost() throws IOException {
    try (TestJob job = TestJob.met(3)) {
      List<Integer> lost = new CopyOnWriteArrayList<>();
      job.rank(0).onRankLost(lost::add);
      job.rank(1).close();

      assertThatThrownBy(job.rank(0)::barrier)
          .isInstanceOfSatisfying(
              FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.SHUTDOWN))
          .hasMessage("barrier: rank 1 has left the job");
      assertThat(lost).isEmpty();

      job.rank(2).abandon();
      Await.until("rank 2 is lost", () -> lost.equals(List.of(2)));
      List<Integer> late = new CopyOnWriteArrayList<>();
      job.rank(0).onRankLost(late::add);
      assertThat(late).containsExactly(2);
      assertThat(job.rank(0).lostRanks()).containsExactly(2);
    }
  }

  @Test
  void shouldJoinSystemsThatGoOnWithoutTheJob() {
    UUID key = UUID.randomUUID();
    try (TestCluster cluster = new TestCluster()) {
      cluster.start(key);
      cluster.start(key);
      cluster.awaitUp();
      int seedPort = cluster.system(0).address().getPort().orElseThrow();
      JobSpec[] specs = new JobSpec[2];
      for (int rank = 0; rank < 2; rank++) {
        specs[rank] =
            new JobSpec(
                key,
                rank,
                2,
                "127.0.0.1",
                0,
                "127.0.0.1",
                seedPort,
                0,
                Optional.empty(),
                Profile.TCP);
      }
      CompletableFuture<Job> second =
          CompletableFuture.supplyAsync(() -> Job.join(cluster.system(1), specs[1]));
      Job first = Job.join(cluster.system(0), specs[0]);

      assertThat(Await.get(second).address(0)).isEqualTo(first.endpoint().address());
      first.close();
      Await.get(second).close();
      assertThat(cluster.system(0).getWhenTerminated()).isNotCompleted();
      cluster.awaitUp();
    }
  }

  private static JobOptions impatient(JobOptions options) {
    return options.withApplication(ConfigFactory.parseString("tagfabric.job.start-timeout = 4 s"));
  }
}
