package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.BehaviorTestKit;
import akka.actor.testkit.typed.javadsl.TestInbox;
import akka.actor.typed.ActorRef;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.job.Roster.Applicant;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import io.tagfabric.runtime.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When rank 0, which may end at once, hears that all have met. */
class JobCoordinatorTest {
  private static final int SIZE = 3;

  private final Nodes nodes = new Nodes();
  private final List<TestInbox<JobMember.Command>> members = new ArrayList<>();
  private final BehaviorTestKit<JobCoordinator.Command> coordinator =
      BehaviorTestKit.create(JobCoordinator.create(nodes, applicant(0), (rank, node) -> {}));

  private static Applicant applicant(int rank) {
    return new Applicant(
        rank, SIZE, "akka://tagfabric@h:" + rank, 70 + rank, "host", "process", Map.of());
  }

  private static EndpointAddress address(int rank) {
    return new EndpointAddress(
        70 + rank, 0, "rank-" + rank, applicant(rank).node(), "vm", Map.of());
  }

  private void ready(int rank) {
    coordinator.run(
        new JobCoordinator.Ready(rank, 70 + rank, address(rank), member(rank).getRef()));
  }

  private TestInbox<JobMember.Command> member(int rank) {
    return members.get(rank);
  }

  /** How many tables a rank was told since it was last asked; throws away what else it was told. */
  private long tables(int rank) {
    return member(rank).getAllReceived().stream().filter(JobMember.Table.class::isInstance).count();
  }

  @BeforeEach
  void bringAllButTheLast() {
    for (int rank = 0; rank < SIZE; rank++) {
      members.add(TestInbox.create());
      coordinator.run(new JobCoordinator.Enroll(applicant(rank), member(rank).getRef()));
      nodes.subscriber.tell(
          new MembershipNotice(
              new NodeId(applicant(rank).node(), 70 + rank), MembershipNotice.News.UP));
      coordinator.runOne();
    }
    ready(0);
    ready(1);
    assertThat(tables(0) + tables(1) + tables(2)).isZero();
  }

  @Test
  void shouldTellRankZeroWhenAllOthersHaveSeenTheTable() {
    ready(2);
    assertThat(tables(1)).isOne();
    assertThat(tables(2)).isOne();

    coordinator.run(new JobCoordinator.Seen(1, 71));
    coordinator.run(new JobCoordinator.Seen(1, 71));
    coordinator.run(new JobCoordinator.Seen(2, 99));
    assertThat(tables(0)).as("rank 2 has not seen it, or an earlier one has").isZero();
    coordinator.run(new JobCoordinator.Seen(2, 72));

    assertThat(tables(0)).isOne();
  }

  @Test
  void shouldRepeatTheWordToAllWhenARankAsksAgain() {
    ready(2);
    tables(1);
    tables(2);

    ready(0);

    assertThat(tables(0)).isZero();
    assertThat(tables(1)).isOne();
    assertThat(tables(2)).isOne();
  }

  @Test
  void shouldNotWaitForARankThatIsLost() {
    ready(2);
    coordinator.run(new JobCoordinator.Seen(1, 71));
    assertThat(tables(0)).isZero();

    coordinator.run(new JobCoordinator.NodeGone(applicant(2).node(), 72));

    assertThat(tables(0)).isOne();
  }

  @Test
  void shouldNotWaitForARankWhoseProcessHasEnded() {
    ready(2);
    coordinator.run(new JobCoordinator.Seen(2, 72));
    assertThat(tables(0)).isZero();

    coordinator.run(new JobCoordinator.Ended(1));

    assertThat(tables(0)).isOne();
  }

  @Test
  void shouldTellNobodyBeforeAllAreThere() {
    coordinator.run(new JobCoordinator.Seen(1, 71));
    coordinator.run(new JobCoordinator.Seen(2, 72));

    assertThat(tables(0) + tables(1) + tables(2)).isZero();
    ready(2);
    assertThat(tables(0)).isOne();
  }

  /** Nodes that are there when the test says so. */
  private static final class Nodes implements Membership {
    private ActorRef<MembershipNotice> subscriber;

    @Override
    public NodeId self() {
      return new NodeId(applicant(0).node(), 70);
    }

    @Override
    public Status status() {
      return Status.MEMBER;
    }

    @Override
    public void subscribe(ActorRef<MembershipNotice> actor) {
      subscriber = actor;
    }

    @Override
    public void join(String seed) {
      throw new UnsupportedOperationException("join");
    }

    @Override
    public void leave() {
      throw new UnsupportedOperationException("leave");
    }

    @Override
    public void down(String address) {
      throw new UnsupportedOperationException("down");
    }

    @Override
    public void keepMajority(int size, String seed) {
      throw new UnsupportedOperationException("keepMajority");
    }
  }
}
