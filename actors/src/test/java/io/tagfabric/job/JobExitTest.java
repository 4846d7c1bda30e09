package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.exit.ExitKind;
import io.tagfabric.exit.ExitNotice;
import io.tagfabric.support.Await;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One rank ends the job, and with it all ranks; here they share a JVM, which stays. */
class JobExitTest {
  private static final int RANKS = 3;

  private static void requireEnded(TestJob job, int code) {
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(Await.get(job.rank(rank).whenExited().toCompletableFuture())).isEqualTo(code);
      assertThat(job.rank(rank).system().getWhenTerminated()).isCompleted();
      assertThat(job.rank(rank).lostRanks()).isEmpty();
    }
  }

  @Test
  void shouldEndAllRanksAndTellEachOnce() throws IOException {
    try (TestJob job = TestJob.met(RANKS)) {
      List<ExitNotice> notices = new CopyOnWriteArrayList<>();
      for (int rank = 0; rank < RANKS; rank++) {
        job.rank(rank).onExit(notices::add);
      }

      job.rank(1).exitNow(9);
      job.rank(1).exit(10);

      requireEnded(job, 9);
      assertThat(notices).hasSize(RANKS).containsOnly(new ExitNotice(9, 1, ExitKind.NOW));
    }
  }

  @Test
  void shouldBeginNoActiveHandlerOnceTheExitHasBegun() {
    int handler = 7;
    Config patient = ConfigFactory.parseString("tagfabric.exit.hook-timeout = 100 s");
    try (TestJob job = new TestJob(2)) {
      List<CompletableFuture<Job>> starting =
          IntStream.range(0, 2)
              .mapToObj(
                  rank -> job.open(job.spec(rank), options -> options.withApplication(patient)))
              .toList();
      Job asked = starting.get(0).join();
      Job asking = starting.get(1).join();
      AtomicInteger handled = new AtomicInteger();
      asked.endpoint().active().register(handler, call -> handled.incrementAndGet());
      Await.get(asking.endpoint().active().request(asking.peer(0), handler, 1));
      CompletableFuture<Throwable> refused = new CompletableFuture<>();
      asking.onExit(
          notice ->
              asking
                  .endpoint()
                  .active()
                  .request(asking.peer(0), handler, 2)
                  .whenComplete((reply, failure) -> refused.complete(failure)));
      asked.onExit(notice -> Await.get(refused));

      asked.exitNow(9);

      assertThat(Await.get(refused))
          .isInstanceOfSatisfying(
              FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.SHUTDOWN))
          .hasMessageEndingWith("says: the job ends");
      assertThat(Await.get(asked.whenExited().toCompletableFuture())).isEqualTo(9);
      assertThat(handled).hasValue(1);
    }
  }

  @Test
  void shouldTakeTheHighestCodeWhenAllEndTogether() throws IOException {
    try (TestJob job = TestJob.met(RANKS)) {
      for (int rank = 0; rank < RANKS; rank++) {
        job.rank(rank).exit(20 + rank);
      }

      requireEnded(job, 22);
    }
  }

  @Test
  void shouldFailABarrierWhenTheJobEnds() throws IOException {
    try (TestJob job = TestJob.met(RANKS)) {
      CompletableFuture<Void> waiting = job.run(job.rank(0)::barrier);

      job.rank(2).exit(0x103);

      assertThat(Await.failure(waiting))
          .isInstanceOfSatisfying(
              FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.SHUTDOWN))
          .hasMessage("barrier: the job ends with code 3, asked for by rank 2");
      requireEnded(job, 3);
    }
  }

  @Test
  void shouldEndARankThatStillWaitsForTheOthers() throws IOException {
    try (TestJob job = new TestJob(RANKS)) {
      CompletableFuture<Job> first = job.open(0);
      CompletableFuture<Job> second =
          job.open(job.spec(1), options -> options.withStarting(exit -> exit.exit(7)));

      assertThat(Await.failure(second)).hasMessage("the job ends with code 7, asked for by rank 1");
      assertThat(Await.failure(first)).hasMessage("the job ends with code 7, asked for by rank 1");
    }
  }
}
