package io.tagfabric.name;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.name.NameTable.Holding;
import io.tagfabric.name.NameTable.State;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NameTableTest {
  private static final Node A = Places.node(0);
  private static final Node B = Places.node(1);
  private static final Node C = Places.node(2);
  private static final EndpointAddress ON_A = Places.endpoint(A, 0);
  private static final EndpointAddress ON_B = Places.endpoint(B, 0);

  private final NameTable a = new NameTable(A);
  private final NameTable b = new NameTable(B);

  @Test
  void shouldHoldAtOnceWhenThereIsNobodyToAsk() {
    a.claim("bob", ON_A, Set.of());

    assertThat(a.lookup("bob")).isEqualTo(ON_A);
    assertThat(a.held()).extracting(Holding::name).containsExactly("bob");
  }

  @Test
  void shouldHoldOnlyWhenAllHaveVoted() {
    Holding claim = a.claim("bob", ON_A, Set.of(B, C));

    assertThat(a.granted("bob", claim.stamp(), B)).isEqualTo(State.OPEN);
    assertThat(a.lookup("bob")).isNull();
    assertThat(a.occupant("bob")).isEqualTo(ON_A);
    assertThat(a.granted("bob", claim.stamp(), C)).isEqualTo(State.HELD);
    assertThat(a.lookup("bob")).isEqualTo(ON_A);
  }

  @Test
  void shouldCountAVoterOnce() {
    Holding claim = a.claim("bob", ON_A, Set.of(B, C));

    a.granted("bob", claim.stamp(), B);

    assertThat(a.granted("bob", claim.stamp(), B)).isEqualTo(State.OPEN);
  }

  @Test
  void shouldVoteAgainstAClaimToAHeldName() {
    b.claim("bob", ON_B, Set.of());
    Holding claim = a.claim("bob", ON_A, Set.of(B));

    assertThat(b.vote("bob", claim.stamp())).isEqualTo(ON_B);
    assertThat(a.denied("bob", claim.stamp())).isEqualTo(State.REFUSED);
    assertThat(a.occupant("bob")).isNull();
  }

  @Test
  void shouldVoteAgainstALaterClaimAndConcedeToAnEarlier() {
    Holding ofA = a.claim("bob", ON_A, Set.of(B));
    Holding ofB = b.claim("bob", ON_B, Set.of(A));

    assertThat(a.vote("bob", ofB.stamp())).isEqualTo(ON_A);
    assertThat(a.concede("bob", ofB.stamp())).isFalse();
    assertThat(b.vote("bob", ofA.stamp())).isNull();
    assertThat(b.concede("bob", ofA.stamp())).isTrue();
    assertThat(b.granted("bob", ofB.stamp(), A)).isEqualTo(State.NONE);
  }

  @Test
  void shouldClaimLaterThanAnythingItHasVotedOn() {
    a.claim("x", ON_A, Set.of());
    a.claim("y", ON_A, Set.of());
    Holding third = a.claim("z", ON_A, Set.of());

    b.vote("z", third.stamp());

    assertThat(b.claim("z", ON_B, Set.of()).stamp()).isGreaterThan(third.stamp());
  }

  @Test
  void shouldIgnoreVotesOnAClaimGivenUp() {
    Holding first = a.claim("bob", ON_A, Set.of(B));
    assertThat(a.release("bob")).isTrue();
    Holding second = a.claim("bob", ON_A, Set.of(B));

    assertThat(a.granted("bob", first.stamp(), B)).isEqualTo(State.NONE);
    assertThat(a.denied("bob", first.stamp())).isEqualTo(State.NONE);
    assertThat(a.close("bob", first.stamp())).isEmpty();
    assertThat(a.granted("bob", second.stamp(), B)).isEqualTo(State.HELD);
  }

  @Test
  void shouldGoOnWithoutAVoterThatIsGone() {
    a.claim("bob", ON_A, Set.of(B));
    a.claim("eve", ON_A, Set.of(B, C));

    assertThat(a.forget(B)).containsExactly("bob");
    assertThat(a.lookup("eve")).isNull();
  }

  @Test
  void shouldHoldWithoutTheSilentWhenTheVoteIsClosed() {
    Holding claim = a.claim("bob", ON_A, Set.of(B, C));
    a.granted("bob", claim.stamp(), C);

    assertThat(a.close("bob", claim.stamp())).containsExactly(B);
    assertThat(a.lookup("bob")).isEqualTo(ON_A);
  }

  @Test
  void shouldGiveWayWithTheLaterOfTwoHoldings() {
    Holding ofA = a.claim("bob", ON_A, Set.of());
    Holding ofB = b.claim("bob", ON_B, Set.of());

    assertThat(a.giveWay(List.of(ofB))).isEmpty();
    assertThat(a.claimedBefore(List.of(ofB))).containsExactly(ofA);
    assertThat(b.claimedBefore(List.of(ofA))).isEmpty();
    assertThat(b.giveWay(List.of(ofA))).containsExactly(ofA);
    assertThat(b.lookup("bob")).isNull();
    assertThat(a.lookup("bob")).isEqualTo(ON_A);
  }

  @Test
  void shouldKeepANameForThisPlaceWhateverOthersHold() {
    Holding ofA = a.claim("bob", ON_A, Set.of());
    b.holdHere("bob", ON_B);

    assertThat(b.heldAlone()).isEmpty();
    assertThat(b.giveWay(List.of(ofA))).isEmpty();
    assertThat(b.claimedBefore(List.of(new Holding("bob", ON_A, new Stamp(9, A))))).isEmpty();
    assertThat(b.lookup("bob")).isEqualTo(ON_B);
    assertThat(b.release("bob")).isTrue();
  }

  @Test
  void shouldFreeAName() {
    a.claim("bob", ON_A, Set.of());

    assertThat(a.release("bob")).isTrue();
    assertThat(a.release("bob")).isFalse();
    assertThat(a.all()).isEmpty();
  }
}
