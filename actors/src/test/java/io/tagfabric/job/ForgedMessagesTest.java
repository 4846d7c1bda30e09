package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorRef;
import akka.actor.Kill;
import akka.actor.PoisonPill;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.control.ControlSerializer;
import io.tagfabric.control.ControlSerializers;
import io.tagfabric.error.FabricError;
import io.tagfabric.exit.ExitMessage;
import io.tagfabric.exit.Verdict;
import io.tagfabric.progress.GuardedMailbox;
import io.tagfabric.support.Await;
import io.tagfabric.support.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A stranger who can reach the ranks' ports, but has not the key of their job. */
class ForgedMessagesTest {
  private static void tell(ActorSystem<?> stranger, Job rank, String actor, Object message) {
    Adapter.toClassic(stranger)
        .actorSelection(rank.system().address() + "/system/" + actor)
        .tell(message, ActorRef.noSender());
  }

  @Test
  void shouldNotEndOrMisleadARank() throws IOException {
    try (TestJob job = TestJob.met(2);
        TestCluster elsewhere = new TestCluster()) {
      ActorSystem<?> stranger = elsewhere.start(UUID.randomUUID());
      Job rank = job.rank(0);
      ControlSerializer serializer =
          ControlSerializers.of(rank.system(), new JobMember.AllLeaving());
      long before = serializer.forged();

      tell(stranger, rank, JobMember.NAME, new JobMember.AllLeaving());
      tell(stranger, rank, JobMember.NAME, new JobMember.Refused(FabricError.OTHER, "go"));
      tell(stranger, rank, JobMember.NAME, new JobMember.Released(1));
      tell(stranger, rank, JobMember.NAME, new JobMember.Table(rank.ranks()));
      tell(
          stranger,
          rank,
          ExitCoordinator.NAME,
          new ExitCoordinator.Letter(
              1, new ExitMessage.ExitRequest(1, new Verdict(ExitCode.FAILED, 0, 1))));
      tell(
          stranger,
          rank,
          JobCoordinator.NAME,
          new JobCoordinator.Leave(
              1,
              job.rank(1).fabric().incarnation(),
              Adapter.<JobMember.Command>toTyped(Adapter.toClassic(stranger).deadLetters())));
      Await.until("six are dropped", () -> serializer.forged() == before + 6);

      requireGoesOn(job);
      assertThat(rank.exits().hasBegun()).isFalse();
    }
  }

  @Test
  void shouldNotEndTheActorsOfAJob() throws IOException {
    try (TestJob job = TestJob.met(2);
        TestCluster elsewhere = new TestCluster()) {
      ActorSystem<?> stranger = elsewhere.start(UUID.randomUUID());
      Job rank = job.rank(0);
      long before = GuardedMailbox.dropped(rank.system());
      List<String> actors =
          List.of(
              JobMember.NAME,
              JobCoordinator.NAME,
              ExitCoordinator.NAME,
              "tagfabric-membership",
              "tagfabric-names");

      for (String actor : actors) {
        tell(stranger, rank, actor, PoisonPill.getInstance());
        tell(stranger, rank, actor, Kill.getInstance());
        tell(stranger, rank, actor, "a text");
      }
      Await.until(
          "all are dropped",
          () -> GuardedMailbox.dropped(rank.system()) == before + 3L * actors.size());

      requireGoesOn(job);
      Await.get(rank.fabric().register("name", rank.endpoint()));
    }
  }

  private static void requireGoesOn(TestJob job) {
    for (int round = 0; round < 3; round++) {
      List<CompletableFuture<Void>> barriers = new ArrayList<>();
      barriers.add(job.run(job.rank(0)::barrier));
      assertThat(barriers.get(0)).as("a barrier that only one has reached").isNotDone();
      barriers.add(job.run(job.rank(1)::barrier));
      barriers.forEach(Await::get);
    }
  }
}
