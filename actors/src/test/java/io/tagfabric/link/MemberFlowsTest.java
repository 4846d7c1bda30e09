package io.tagfabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestInbox;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.FlowState;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.SendOperation;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.runtime.NodeStatus;
import io.tagfabric.tag.TagSelector;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What happens to flows of two nodes while the membership decides whether these are lost. */
class MemberFlowsTest extends CoreSides {
  private static final long HOUR_MS = 3_600_000;

  private final TestInbox<Completion> told = TestInbox.create();
  private final Side b = new Side("b", JOB, 1);
  private final int peer = a.insert(b);

  private void members(NodeStatus status) {
    a.peers = status;
    b.peers = status;
  }

  private void open() {
    connect(a, peer);
    a.deliver();
    b.deliver();
    assertThat(state(a)).isEqualTo(FlowState.OPEN);
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
  }

  private void exchange() {
    for (int turn = 0; turn < 4; turn++) {
      a.deliver();
      b.deliver();
      loop.steps().run();
    }
  }

  private void send(Side from, int to, int bytes) {
    SendOperation send =
        new SendOperation(to, CompletionLevel.DELIVERY, null, SendListener.telling(told.getRef()));
    send.show(5, new UnsafeBuffer(new byte[bytes]), 0, bytes);
    from.core.send(send);
    from.core.flush();
  }

  private void receive(Side at, int source) {
    at.receives.post(
        PostedReceive.into(
            TaggedReceive.of(TagSelector.exact(5).from(source))
                .into(new UnsafeBuffer(new byte[100]), 0, 100),
            null,
            null));
  }

  private static FlowState newest(Side side) {
    return side.core.flows().get(side.core.flows().size() - 1).state();
  }

  private int indexOfA() {
    return b.core.flows().get(0).peer();
  }

  @Test
  void shouldNotGiveUpAMemberThatIsSilentOrUnreachable() {
    members(NodeStatus.REACHABLE);
    open();
    a.cut = true;
    send(a, peer, 10);
    sleep(HOUR_MS);
    members(NodeStatus.UNREACHABLE);
    sleep(HOUR_MS);
    assertThat(state(a)).isEqualTo(FlowState.OPEN);

    members(NodeStatus.REACHABLE);
    a.cut = false;
    receive(b, indexOfA());
    sleep(10_000);
    exchange();
    sleep(10_000);
    exchange();

    assertThat(b.received).hasSize(1);
    assertThat(told.getAllReceived()).singleElement().isInstanceOf(Completion.Sent.class);
    assertThat(a.core.flows()).hasSize(1);
  }

  @Test
  void shouldNotCountTheTimeInWhichAMemberIsUnreachable() {
    members(NodeStatus.UNREACHABLE);
    a.cut = true;
    connect(a, peer);
    sleep(HOUR_MS);
    assertThat(outcomes).isEmpty();

    members(NodeStatus.REACHABLE);
    sleep(TIMEOUT / MS - 2_000);
    assertThat(outcomes).isEmpty();
    sleep(4_000);
    assertThat(outcomes).singleElement().asString().contains("TIMED_OUT", "flow.connect-timeout");
  }

  @Test
  void shouldBeginAnewWithAMemberThatHasNotAnsweredInTime() {
    members(NodeStatus.REACHABLE);
    a.cut = true;
    receive(a, peer);
    send(a, peer, 10);
    sleep(TIMEOUT / MS + 1_000);
    loop.steps().run();
    assertThat(told.getAllReceived())
        .singleElement()
        .isInstanceOfSatisfying(
            Completion.Failed.class,
            failed -> assertThat(failed.error()).isEqualTo(FabricError.TIMED_OUT));
    assertThat(a.received).as("the receive that names the peer has failed").hasSize(1);

    a.cut = false;
    receive(a, peer);
    send(a, peer, 10);
    exchange();
    receive(b, indexOfA());
    send(b, indexOfA(), 20);
    exchange();

    assertThat(told.getAllReceived()).allMatch(Completion.Sent.class::isInstance).hasSize(2);
    assertThat(b.received).hasSize(1);
    assertThat(a.received).hasSize(2);
  }

  /** A never hears the answer, gives the flow up, and asks again: B has to begin anew with it. */
  @Test
  void shouldFailWhatTheOldFlowHadBeforeANewOneBegins() {
    members(NodeStatus.REACHABLE);
    b.cut = true;
    connect(a, peer);
    a.deliver();
    assertThat(state(b)).isEqualTo(FlowState.OPEN);
    receive(b, indexOfA());
    send(b, indexOfA(), 10);
    sleep(TIMEOUT / MS + 1_000);
    assertThat(outcomes).singleElement().asString().contains("TIMED_OUT");
    assertThat(told.getAllReceived()).isEmpty();
    assertThat(b.received).isEmpty();

    a.onTheWay.clear();
    b.cut = false;
    connect(a, peer);
    a.deliver();
    loop.steps().run();

    assertThat(told.getAllReceived())
        .as("before anything of the new flow")
        .singleElement()
        .isInstanceOfSatisfying(
            Completion.Failed.class,
            failed -> assertThat(failed.error()).isEqualTo(FabricError.CONNECTION_RESET));
    assertThat(b.received)
        .extracting(CompletionEntry::error)
        .containsExactly(FabricError.CONNECTION_RESET);
    assertThat(state(b)).isEqualTo(FlowState.LOST);
    assertThat(newest(b)).isEqualTo(FlowState.OPEN);
    b.deliver();
    assertThat(newest(a)).isEqualTo(FlowState.OPEN);
    receive(b, indexOfA());
    send(a, peer, 10);
    exchange();
    assertThat(b.received).hasSize(2);
    assertThat(told.getAllReceived()).singleElement().isInstanceOf(Completion.Sent.class);
  }

  @Test
  void shouldLoseANodeForGoodThatIsNoMember() {
    open();
    members(NodeStatus.UNKNOWN);
    a.cut = true;
    send(a, peer, 10);
    sleep(HOUR_MS);
    assertThat(state(a)).isEqualTo(FlowState.LOST);
    told.getAllReceived();

    a.cut = false;
    send(a, peer, 10);
    assertThat(told.getAllReceived()).singleElement().isInstanceOf(Completion.Failed.class);
    assertThat(a.core.flows()).hasSize(1);
  }

  @Test
  void shouldLoseAMemberForGoodThatWasDowned() {
    members(NodeStatus.REACHABLE);
    open();
    members(NodeStatus.UNKNOWN);
    a.core.peerGone(peer, FabricError.CONNECTION_RESET, "its node was downed");

    send(a, peer, 10);
    receive(a, peer);
    loop.steps().run();

    assertThat(told.getAllReceived())
        .singleElement()
        .isInstanceOfSatisfying(
            Completion.Failed.class,
            failed -> assertThat(failed.detail()).contains("its node was downed"));
    assertThat(a.core.flows()).hasSize(1);
  }
}
