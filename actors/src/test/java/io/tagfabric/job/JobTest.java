package io.tagfabric.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the ranks of a job that has started can do; none of the tests ends a rank. */
class JobTest {
  private static final int SIZE = 3;
  private static TestJob job;

  @BeforeAll
  static void start() throws IOException {
    job = TestJob.met(SIZE);
  }

  @AfterAll
  static void stop() {
    job.close();
  }

  @Test
  void shouldGiveAllRanksTheSameTable() {
    for (int of = 0; of < SIZE; of++) {
      assertThat(job.rank(of).size()).isEqualTo(SIZE);
      for (int rank = 0; rank < SIZE; rank++) {
        assertThat(job.rank(of).address(rank)).isEqualTo(job.rank(rank).endpoint().address());
        assertThat(job.rank(of).rankOf(job.rank(of).peer(rank))).isEqualTo(rank);
        assertThat(job.rank(of).locality(rank)).isEqualTo(new Locality(0, 0));
      }
    }
    assertThat(job.rank(0).rankOf(99)).isEqualTo(-1);
    assertThatThrownBy(() -> job.rank(0).peer(SIZE)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void shouldLetEachRankSendToEachAndToItself() {
    for (int to = 0; to < SIZE; to++) {
      for (int from = 0; from < SIZE; from++) {
        Job sender = job.rank(from);
        Job receiver = job.rank(to);
        byte[] bytes = (from + " to " + to).getBytes(UTF_8);
        Await.get(sender.endpoint().futures().sendTagged(sender.peer(to), bytes, 5));

        var message =
            Await.get(
                receiver
                    .endpoint()
                    .futures()
                    .receiveTagged(TagSelector.exact(5).from(receiver.peer(from))));
        assertThat(message.payload().array()).isEqualTo(bytes);
      }
    }
  }

  @Test
  void shouldLetNobodyPassABarrierBeforeAllHaveCome() {
    for (int round = 0; round < 10; round++) {
      List<CompletableFuture<Void>> waiting = new ArrayList<>();
      for (int rank = 1; rank < SIZE; rank++) {
        waiting.add(job.run(job.rank(rank)::barrier));
      }
      Job last = job.rank(0);
      assertThat(waiting).noneMatch(CompletableFuture::isDone);
      last.barrier(Duration.ofSeconds(30));

      waiting.forEach(Await::get);
    }
  }

  @Test
  void shouldNameTheRanksThatDoNotComeToABarrier() {
    assertThatThrownBy(() -> job.rank(1).barrier(Duration.ofMillis(300)))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.TIMED_OUT))
        .hasMessage("barrier: ranks 0, 2 did not come within 300 ms");

    List<CompletableFuture<Void>> waiting =
        List.of(
            job.run(job.rank(0)::barrier),
            job.run(job.rank(1)::barrier),
            job.run(job.rank(2)::barrier));
    waiting.forEach(Await::get);
  }

  @Test
  void shouldLetTheRankPassThatCameButWasNotThereWhenAllHadCome() {
    assertThatThrownBy(() -> job.rank(1).barrier(Duration.ofMillis(100)))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.TIMED_OUT));
    List.of(job.run(job.rank(0)::barrier), job.run(job.rank(2)::barrier)).forEach(Await::get);

    Await.get(job.run(job.rank(1)::barrier));

    List<CompletableFuture<Void>> next =
        List.of(
            job.run(job.rank(0)::barrier),
            job.run(job.rank(1)::barrier),
            job.run(job.rank(2)::barrier));
    next.forEach(Await::get);
  }

  @Test
  void shouldFindAnEndpointOfAnotherRankByName() {
    Await.get(job.rank(1).fabric().register("bob", job.rank(1).endpoint()));

    assertThat(Await.get(job.rank(2).domain().connect("bob"))).isEqualTo(job.rank(2).peer(1));
  }

  @Test
  void shouldHaveLostNobody() {
    assertThat(job.rank(0).lostRanks()).isEmpty();
    assertThat(job.rank(0).isClosed()).isFalse();
    assertThat(job.rank(0).arguments()).isEmpty();
    assertThat(job.rank(2)).hasToString("Job[rank 2 of 3]");
  }
}
