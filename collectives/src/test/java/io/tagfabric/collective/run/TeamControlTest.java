package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.run.ControlMessage.LeaveTeam;
import io.tagfabric.collective.run.ControlMessage.Notice;
import io.tagfabric.collective.run.TeamFailure.Reason;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.Direction;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.NoteDesk;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What rank 0 of a team of five, the others far away, tells and hears. A send to a member that is
 * down fails before it returns, as an endpoint's does once it knows.
 */
class TeamControlTest {
  private static final int SIZE = 5;

  /** More than any rule here allows: what is told without end stops there. */
  private static final int MANY = 100;

  private static ActorTestKit kit;
  private static Domain domain;
  private static Endpoint endpoint;
  private static int teams;

  private record Sent(int to, ControlMessage message) {}

  private final Members members = members();
  private final Port port = new Port();
  private final Team team = new Team();
  private final TeamControl control = new TeamControl(port, null, team, new NoCalls());

  @BeforeAll
  static void open() {
    kit =
        ActorTestKit.create(
            "control",
            ConfigFactory.parseMap(Map.of("akka.actor.provider", "local"))
                .withFallback(ConfigFactory.load()));
    domain = Fabric.get(kit.system()).openDomain("control", ProgressMode.MANUAL);
    endpoint = domain.openEndpoint("member-0");
  }

  @AfterAll
  static void close() {
    kit.shutdownTestKit();
  }

  private static Members members() {
    List<EndpointAddress> all = new ArrayList<>();
    all.add(endpoint.address());
    for (int rank = 1; rank < SIZE; rank++) {
      String name = "member-" + rank;
      all.add(new EndpointAddress(rank, rank, name, "akka://far@" + rank + ":1", name, Map.of()));
    }
    return Members.named(domain, endpoint, all, null, ++teams);
  }

  /** Keeps what is sent; sends to members that are down fail at once. */
  private final class Port implements ControlPort {
    final BitSet down = new BitSet();
    final Map<Integer, ReceiveListener> watches = new HashMap<>();
    final List<Sent> sent = new ArrayList<>();
    final List<Object> cancelled = new ArrayList<>();
    ReceiveListener standing;
    NoteDesk.Reader reader;
    int failed;

    @Override
    public Members members() {
      return members;
    }

    @Override
    public void sendControl(int member, byte[] message, NoteDesk.Failure onFailed) {
      sent.add(new Sent(member, ControlMessage.decode(message, SIZE)));
      if (down.get(member)) {
        assertThat(++failed).as("failed sends: it tells without end").isLessThan(MANY);
        onFailed.onFailed(FabricError.CONNECTION_RESET, "is down");
      }
    }

    @Override
    public void receiveControl(NoteDesk.Reader itsReader) {
      reader = itsReader;
    }

    @Override
    public void watchOwn(ReceiveListener listener) {
      standing = listener;
    }

    @Override
    public void watch(int member, ReceiveListener listener) {
      watches.put(member, listener);
    }

    @Override
    public void cancel(Object listener) {
      cancelled.add(listener);
    }

    @Override
    public void dropLate() {}

    @Override
    public TeamFailure failure(int member, FabricError error, String detail) {
      return error == FabricError.SHUTDOWN
          ? TeamFailure.left(member, detail)
          : TeamFailure.lost(member, error, detail);
    }

    List<Integer> toldOf(int member) {
      return sent.stream()
          .filter(each -> each.message() instanceof Notice notice && notice.member() == member)
          .map(Sent::to)
          .toList();
    }
  }

  /** A team that the first failure breaks, as {@link ScheduleRunner} does it. */
  private final class Team implements TeamControl.Listener {
    final List<TeamFailure> failures = new ArrayList<>();
    final List<TeamFailure> gone = new ArrayList<>();
    boolean broken;

    @Override
    public boolean onFailure(TeamFailure failure) {
      failures.add(failure);
      if (broken) {
        return false;
      }
      broken = true;
      control.noteGone(failure);
      control.tell(Notice.of(failure));
      return true;
    }

    @Override
    public void onClosed(TeamFailure failure) {
      failures.add(failure);
    }

    @Override
    public void onMessage(int from, ControlMessage message) {}

    @Override
    public void onGone(TeamFailure failure, long calls) {
      gone.add(failure);
    }
  }

  private static final class NoCalls implements TeamAgreements.Calls {
    @Override
    public OptionalInt made(long epoch) {
      return OptionalInt.empty();
    }

    @Override
    public void onMade(long epoch, Map<Integer, Integer> made, BitSet gone) {}

    @Override
    public void onBroken(TeamFailure failure) {
      throw new AssertionError("breaks no rule: " + failure);
    }
  }

  private static Completion.Failed failed(FabricError error) {
    return new Completion.Failed(null, error, 0, 0, 0, 0, Direction.SEND, "is down");
  }

  private void goesDown(int member) {
    port.down.set(member);
    port.watches.get(member).onFailed(failed(FabricError.CONNECTION_RESET));
  }

  private void hears(int from, ControlMessage message) {
    port.reader.onNote(members.peer(from), ControlMessage.CODEC.encode(message));
  }

  private static Notice lost(int member) {
    return Notice.of(TeamFailure.lost(member, FabricError.CONNECTION_RESET, "is down"));
  }

  private void breakTeam() {
    control.open();
    hears(1, Notice.of(TeamFailure.atFault(1, FabricError.INVALID, "calls another")));
    assertThat(port.toldOf(1)).as("small teams tell all").containsExactly(1, 2, 3, 4);
    port.sent.clear();
  }

  @Test
  void shouldTellTheOthersOnceOfTheLossThatBreaksTheTeam() {
    control.open();
    goesDown(3);

    assertThat(port.toldOf(3)).containsExactly(1, 2, 4);
    port.watches.get(3).onFailed(failed(FabricError.CONNECTION_RESET));
    hears(1, lost(3));
    assertThat(port.toldOf(3)).as("is no news any more").hasSize(3);
    assertThat(control.gone()).isEqualTo(bits(3));
  }

  @Test
  void shouldTellTheOthersOnceOfALossWhenTheTeamIsBrokenAlready() {
    breakTeam();
    goesDown(4);

    assertThat(port.toldOf(4)).as("the partners that are left").containsExactly(1, 2);
    port.watches.get(4).onFailed(failed(FabricError.CONNECTION_RESET));
    hears(2, lost(4));
    assertThat(port.toldOf(4)).as("is no news any more").hasSize(2);
    assertThat(control.gone()).as("what agreements go on without").isEqualTo(bits(4));
  }

  @Test
  void shouldPassOnOnceWhatAnotherHasLostWhenTheTeamIsBrokenAlready() {
    breakTeam();
    hears(2, lost(3));
    hears(1, lost(3));
    hears(4, lost(3));

    assertThat(port.toldOf(3)).containsExactly(1, 2, 4);
    assertThat(control.gone()).isEqualTo(bits(3));
  }

  @Test
  void shouldTellAMemberThatAnotherHasGivenItUp() {
    control.open();
    hears(2, lost(3));

    assertThat(port.toldOf(3)).as("it may be alive").containsExactly(1, 2, 3, 4);
  }

  @Test
  void shouldTellAMemberThatAnotherHasGivenItUpWhenTheTeamIsBrokenAlready() {
    breakTeam();
    hears(2, lost(4));

    assertThat(port.toldOf(4)).as("the partners, this one among them").containsExactly(1, 2, 4);
  }

  @Test
  void shouldEndCallsAndAgreementsOfAMemberThatOthersHaveGivenUp() {
    control.open();
    ProgressFuture<Decision> before = agree();
    hears(2, lost(0));
    ProgressFuture<Decision> after = agree();

    assertThat(team.failures)
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.member()).isZero();
              assertThat(each.reason()).isEqualTo(Reason.LOST);
              assertThat(each.detail())
                  .isEqualTo("has been given up by others, for which it is down");
            });
    assertThat(List.of(before, after))
        .allSatisfy(
            each ->
                assertThat(each.toCompletableFuture())
                    .isCompletedExceptionally()
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withMessageContaining("rank 0 [member-0")
                    .withMessageContaining("has been given up by others"));
    assertThat(control.gone()).as("of the others").isEqualTo(bits());
  }

  @Test
  void shouldEndAgreementsOfAMemberThatOthersHaveGivenUpWhenTheTeamIsBrokenAlready() {
    breakTeam();
    ProgressFuture<Decision> before = agree();
    hears(2, lost(0));

    assertThat(before.toCompletableFuture()).isCompletedExceptionally();
  }

  @Test
  void shouldNotHearWhatAMemberSaysThatIsLost() {
    control.open();
    goesDown(3);
    port.sent.clear();
    hears(3, lost(1));

    assertThat(control.gone()).isEqualTo(bits(3));
    assertThat(port.sent).isEmpty();
  }

  private ProgressFuture<Decision> agree() {
    ProgressFuture<Decision> future = domain.futures().create();
    control.agreements().call(new Decision(1, control.gone(), MemberNumbers.NONE), future);
    return future;
  }

  @Test
  void shouldTellEachLossOnceWhenTwoAreDownTogether() {
    breakTeam();
    port.down.set(2);
    goesDown(4);

    assertThat(port.toldOf(4)).as("one of the partners is found down").containsExactly(1, 2);
    assertThat(port.toldOf(2)).containsExactly(1);
    assertThat(control.gone()).isEqualTo(bits(2, 4));
  }

  @Test
  void shouldTellNobodyOfALossAfterItHasLeft() {
    breakTeam();
    control.close(0);
    assertThat(port.sent).extracting(Sent::message).containsOnly(new LeaveTeam(0, true, List.of()));
    assertThat(port.cancelled).contains(port.standing).containsAll(port.watches.values());
    port.sent.clear();
    goesDown(3);
    hears(1, lost(3));

    assertThat(port.sent).isEmpty();
    assertThat(team.failures).as("of the time before").hasSize(1);
    control.close(0);
    assertThat(port.sent).as("leaves once").isEmpty();
  }

  @Test
  void shouldNotTellOfAMemberThatLeftByItself() {
    control.open();
    port.watches.get(2).onFailed(failed(FabricError.SHUTDOWN));
    port.watches.get(2).onFailed(failed(FabricError.SHUTDOWN));

    assertThat(team.failures).isEmpty();
    assertThat(team.gone).extracting(TeamFailure::member).containsExactly(2);
    assertThat(team.gone).extracting(TeamFailure::reason).containsExactly(Reason.LEFT);
    assertThat(port.sent).isEmpty();
    assertThat(control.gone()).isEqualTo(bits(2));
  }

  private static BitSet bits(int... members) {
    BitSet set = new BitSet();
    for (int member : members) {
      set.set(member);
    }
    return set;
  }
}
