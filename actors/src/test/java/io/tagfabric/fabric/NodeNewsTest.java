package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.typed.ActorRef;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import io.tagfabric.runtime.MembershipNotice.News;
import io.tagfabric.runtime.NodeId;
import io.tagfabric.runtime.NodeStatus;
import io.tagfabric.support.Await;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** News as a membership may give them, and time that passes only when the test says so. */
class NodeNewsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final NodeId NODE = new NodeId("akka://node@host:1", 7);
  private static final NodeId LAST = new NodeId("akka://node@last:1", 8);

  private final ActorTestKit kit = ActorTestKit.create(ManualTime.config());
  private final ConcurrentLinkedQueue<NodeDeparture> departed = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<NodeDeparture> gone = new ConcurrentLinkedQueue<>();
  private volatile ActorRef<MembershipNotice> subscriber;
  private NodeHealth health;
  private int told;

  private final class Told implements Membership {
    @Override
    public NodeId self() {
      return new NodeId("akka://node@here:1", 1);
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
    public void join(String seed) {}

    @Override
    public void leave() {}

    @Override
    public void down(String address) {}

    @Override
    public void keepMajority(int size, String seed) {}
  }

  @BeforeEach
  void watch() {
    health =
        NodeHealth.watch(
            kit.system(),
            new Told(),
            PATIENCE,
            new NodeHealth.Listener() {
              @Override
              public void onDeparture(NodeDeparture departure) {
                departed.add(departure);
              }

              @Override
              public void onGone(NodeDeparture departure) {
                gone.add(departure);
              }
            });
    Await.until("somebody listens", () -> subscriber != null);
  }

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  /** Returns when it has been heard, with all that was told before. */
  private void tell(News news) {
    subscriber.tell(new MembershipNotice(NODE, news));
    settle();
  }

  private void settle() {
    NodeId marker = new NodeId(LAST.address(), LAST.incarnation() + told++);
    subscriber.tell(new MembershipNotice(marker, News.SEEN));
    Await.until("the news are heard", () -> health.of(on(marker)) == NodeStatus.REACHABLE);
  }

  private void pass(Duration time) {
    ManualTime.get(kit.system()).timePasses(time);
    settle();
  }

  private static EndpointAddress on(NodeId node) {
    return new EndpointAddress(node.incarnation(), 0, "e", node.address(), "vm", Map.of());
  }

  @Test
  void shouldKeepANodeThatStaysUnreachable() {
    tell(News.UP);
    assertThat(health.of(on(NODE))).isEqualTo(NodeStatus.REACHABLE);

    tell(News.UNREACHABLE);
    pass(PATIENCE.multipliedBy(10));

    assertThat(health.of(on(NODE))).isEqualTo(NodeStatus.UNREACHABLE);
    assertThat(departed).isEmpty();
    assertThat(gone).isEmpty();
  }

  @Test
  void shouldKeepANodeThatIsHeardOfAgain() {
    tell(News.SEEN);
    tell(News.UNREACHABLE);
    tell(News.REACHABLE);
    pass(PATIENCE.multipliedBy(2));

    assertThat(health.of(on(NODE))).isEqualTo(NodeStatus.REACHABLE);
    assertThat(gone).isEmpty();
  }

  @Test
  void shouldNotHearOfANodeAgainThatIsGone() {
    tell(News.UP);
    tell(News.DOWNED);
    tell(News.UNREACHABLE);
    tell(News.REACHABLE);
    tell(News.SEEN);
    tell(News.REMOVED);
    pass(PATIENCE.multipliedBy(2));

    assertThat(health.of(on(NODE))).isEqualTo(NodeStatus.UNKNOWN);
    assertThat(gone).extracting(NodeDeparture::detail).containsExactly("its node was downed");
    assertThat(departed).containsExactlyElementsOf(gone);
  }

  @Test
  void shouldLeaveTheDomainsOfANodeThatHasLeftTheirTimeForGoodbyes() {
    tell(News.UP);
    tell(News.LEFT);

    assertThat(departed)
        .containsExactly(new NodeDeparture(NODE.address(), 7, true, "its node left the cluster"));
    assertThat(health.of(on(NODE))).isEqualTo(NodeStatus.UNKNOWN);
    pass(PATIENCE.minusMillis(1));
    assertThat(gone).isEmpty();

    pass(Duration.ofMillis(2));
    assertThat(gone)
        .containsExactly(
            new NodeDeparture(
                NODE.address(),
                7,
                true,
                "its node left the cluster, and has not said goodbye within"
                    + " flow.peer-timeout=30000 ms"));
    assertThat(departed).hasSize(1);
  }
}
