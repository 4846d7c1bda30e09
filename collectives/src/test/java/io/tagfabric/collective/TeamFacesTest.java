package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Objects, actors, and domains with a thread of their own. */
class TeamFacesTest {
  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "team-faces",
            ConfigFactory.parseString("akka.actor.provider=local")
                .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  @Test
  void shouldBroadcastAndGatherObjectsOfAnyLength() {
    try (Crew crew = new Crew(kit.system(), 4, settings -> settings.withSharedCell(false))) {
      var heard =
          crew.all(t -> t.objects().broadcast(t.rank() == 2 ? "two" : null, 2, String.class));
      var all = crew.all(t -> t.objects().allgather("r".repeat(t.rank()), String.class));
      var joined =
          crew.all(t -> t.objects().allreduce("<" + t.rank() + ">", String.class, String::concat));

      assertThat(heard).containsOnly("two");
      assertThat(all).allSatisfy(each -> assertThat(each).containsExactly("", "r", "rr", "rrr"));
      assertThat(joined).containsOnly("<0><1><2><3>");
    }
  }

  @Test
  void shouldAnswerWithAMessageWhenToldACommand() {
    try (Threads threads = new Threads(3)) {
      TestProbe<TeamActor.CollectiveOutcome> probe = kit.createTestProbe();
      List<Elements> data = new ArrayList<>();
      List<ActorRef<TeamActor.Command>> actors = new ArrayList<>();
      for (Team team : threads.teams) {
        data.add(Elements.of(team.rank() + 1L));
        actors.add(kit.spawn(TeamActor.create(team)));
      }
      for (int rank = 0; rank < 3; rank++) {
        CollectiveCall call =
            CollectiveCall.allreduce(data.get(rank), data.get(rank), Reduction.PRODUCT);
        actors.get(rank).tell(new TeamActor.Start(call, "sum", probe.ref()));
      }
      for (int rank = 0; rank < 3; rank++) {
        assertThat(probe.expectMessageClass(TeamActor.Completed.class).context()).isEqualTo("sum");
      }
      assertThat(data).allSatisfy(each -> assertThat(each.longs()).containsExactly(6));

      actors.forEach(actor -> actor.tell(new TeamActor.Agree(5, "agree", probe.ref())));
      for (int rank = 0; rank < 3; rank++) {
        assertThat(probe.expectMessageClass(TeamActor.Agreed.class).agreement().flag())
            .isEqualTo(5);
      }
      actors.forEach(actor -> actor.tell(new TeamActor.Dup("dup", probe.ref())));
      actors.forEach(actor -> actor.tell(new TeamActor.Split(0, 0, "split", probe.ref())));
      actors.forEach(
          actor -> actor.tell(new TeamActor.Create(Ranks.of(1, 0), "create", probe.ref())));
      actors.forEach(
          actor -> actor.tell(new TeamActor.CreateFrom(Ranks.of(2, 1, 0), "from", probe.ref())));
      actors.forEach(actor -> actor.tell(new TeamActor.SplitByHost("host", probe.ref())));
      actors.forEach(actor -> actor.tell(new TeamActor.Shrink("shrink", probe.ref())));
      int made = 0;
      for (int answer = 0; answer < 18; answer++) {
        made += probe.expectMessageClass(TeamActor.TeamMade.class).team() == null ? 0 : 1;
      }
      assertThat(made).isEqualTo(17);
      actors.forEach(
          actor ->
              actor.tell(
                  new TeamActor.StartObjects(
                      objects -> objects.allreduce("x", String.class, String::concat),
                      "objects",
                      probe.ref())));
      for (int rank = 0; rank < 3; rank++) {
        assertThat(probe.expectMessageClass(TeamActor.ObjectCompleted.class).value())
            .isEqualTo("xxx");
      }
      actors.forEach(
          actor ->
              actor.tell(
                  new TeamActor.StartWithin(
                      CollectiveCall.barrier(), Duration.ofMinutes(1), "in time", probe.ref())));
      for (int rank = 0; rank < 3; rank++) {
        assertThat(probe.expectMessageClass(TeamActor.Completed.class).context())
            .isEqualTo("in time");
      }
      CollectiveCall wrong = CollectiveCall.broadcast(data.get(0), 9);
      actors.get(0).tell(new TeamActor.Start(wrong, "bad", probe.ref()));
      assertThat(probe.expectMessageClass(TeamActor.Failed.class).error())
          .isEqualTo(FabricError.INVALID);
      actors.get(1).tell(new TeamActor.Revoke());
      actors.get(0).tell(new TeamActor.Start(CollectiveCall.barrier(), "late", probe.ref()));
      TeamActor.Failed failed = probe.expectMessageClass(TeamActor.Failed.class);
      assertThat(failed.detail()).contains("has revoked it");
      assertThat(failed.rank()).isEqualTo(1);
      assertThat(failed.gone()).isEmpty();
      actors.get(2).tell(new TeamActor.Close());
      probe.expectTerminated(actors.get(2));
    }
  }

  @Test
  void shouldSumOverThreadsWhenEachMemberHasADomainOfItsOwn() throws Exception {
    try (Threads threads = new Threads(4)) {
      for (int call = 0; call < 50; call++) {
        var sums =
            threads.teams.stream()
                .map(
                    team ->
                        team.allreduce(new double[] {team.rank()}, Reduction.SUM)
                            .toCompletableFuture())
                .toList();
        for (var sum : sums) {
          assertThat(sum.get(30, TimeUnit.SECONDS)).containsExactly(6.0);
        }
      }
    }
  }

  /** Members in domains of their own, each with a progress thread. */
  private static final class Threads implements AutoCloseable {
    final List<Domain> domains = new ArrayList<>();
    final List<Team> teams = new ArrayList<>();

    Threads(int size) {
      List<Endpoint> endpoints = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        Domain domain =
            Fabric.get(kit.system()).openDomain("threads-" + System.nanoTime(), ProgressMode.AUTO);
        domains.add(domain);
        endpoints.add(domain.openEndpoint("thread-" + rank));
      }
      List<EndpointAddress> members = endpoints.stream().map(Endpoint::address).toList();
      for (int rank = 0; rank < size; rank++) {
        teams.add(Team.open(domains.get(rank), endpoints.get(rank), members, 1));
      }
    }

    @Override
    public void close() {
      domains.forEach(Domain::close);
    }
  }
}
