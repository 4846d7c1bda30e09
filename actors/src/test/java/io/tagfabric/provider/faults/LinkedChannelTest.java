package io.tagfabric.provider.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.wire.Packet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkedChannelTest {
  private static final Links.End A = new Links.End(1, 0);
  private static final Links.End B = new Links.End(1, 1);
  private static final int PACKETS = 10_000;

  private final Links links = new Links(7);
  private final List<Packet> offered = new ArrayList<>();
  private final List<Packet> passed = new ArrayList<>();
  private String closed;
  private int room = Integer.MAX_VALUE;

  private final Channel channel =
      new Channel() {
        @Override
        public boolean offer(Packet packet) {
          if (passed.size() >= room) {
            return false;
          }
          passed.add(packet);
          return true;
        }

        @Override
        public String closedBecause() {
          return closed;
        }
      };
  private final LinkedChannel linked = new LinkedChannel(channel, links, A, B);

  private boolean offer() {
    Packet packet = Packet.received(new byte[1]);
    boolean taken = linked.offer(packet);
    if (taken) {
      offered.add(packet);
    }
    return taken;
  }

  private void assertNothingIsKept() {
    assertThat(offered).as("held by the sender alone").allMatch(packet -> packet.holders() == 1);
    assertThat(links.heldPackets(A, B)).isZero();
  }

  @Test
  void shouldPassWhatIsOpen() {
    offer();
    offer();

    assertThat(passed).isEqualTo(offered);
    assertNothingIsKept();
  }

  @Test
  void shouldLetGoWhatItHoldsBeforeWhatComesLater() {
    links.hold(A, B);
    offer();
    offer();
    assertThat(passed).isEmpty();
    assertThat(links.heldPackets(A, B)).isEqualTo(2);

    links.release(A, B);
    offer();
    assertThat(passed).isEqualTo(offered);
    assertNothingIsKept();
  }

  @Test
  void shouldHoldOneWayAlone() {
    links.hold(B, A);
    offer();

    assertThat(passed).hasSize(1);
  }

  @Test
  void shouldKeepWhatHasNoRoomWhenItIsLetGo() {
    links.hold(A, B);
    offer();
    offer();
    links.release(A, B);
    room = 1;
    assertThat(linked.passHeld()).isFalse();
    assertThat(offer()).as("it would overtake").isFalse();

    room = 10;
    assertThat(linked.passHeld()).isTrue();
    assertThat(passed).isEqualTo(offered);
    assertNothingIsKept();
  }

  @Test
  void shouldDropWhatIsCutAlsoWhatWasHeld() {
    links.hold(A, B);
    offer();
    links.cut(A, B);
    offer();
    links.release(A, B);
    linked.passHeld();
    assertThat(passed).isEmpty();
    assertNothingIsKept();

    links.heal(A, B);
    offer();
    assertThat(passed).containsExactly(offered.get(2));
  }

  @Test
  void shouldHideTheEndOfAPeerBehindACut() {
    closed = "closed";
    assertThat(linked.closedBecause()).isEqualTo("closed");
    links.cut(B, A);
    assertThat(linked.closedBecause()).isNull();
    links.crash(B);
    assertThat(linked.closedBecause()).isNull();

    links.heal(B, A);
    assertThat(linked.closedBecause()).isEqualTo("the peer's node has crashed");
    assertThat(linked.closedWith()).isEqualTo(FabricError.CONNECTION_RESET);
  }

  @Test
  void shouldPassNothingFromOrToWhatHasCrashed() {
    links.crash(A);
    offer();
    assertThat(passed).isEmpty();

    LinkedChannel back = new LinkedChannel(channel, links, B, A);
    assertThat(back.offer(Packet.received(new byte[1]))).isTrue();
    assertThat(passed).isEmpty();
  }

  @Test
  void shouldDropAndDoubleSharesThatFollowFromTheSeed() {
    links.rates(0.2, 0.1);
    for (int i = 0; i < PACKETS; i++) {
      offer();
    }
    int distinct = new HashSet<>(passed).size();
    assertThat(distinct).isCloseTo(PACKETS * 8 / 10, within(PACKETS / 50));
    assertThat(passed.size() - distinct).isCloseTo(PACKETS / 10, within(PACKETS / 50));

    LinkedChannelTest again = new LinkedChannelTest();
    again.links.rates(0.2, 0.1);
    for (int i = 0; i < PACKETS; i++) {
      again.offer();
    }
    assertThat(again.passed).hasSameSizeAs(passed);
    assertThat(again.passed.stream().limit(100).map(again.offered::indexOf).toList())
        .isEqualTo(passed.stream().limit(100).map(offered::indexOf).toList());
  }

  @Test
  void shouldRefuseSharesThatAreNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> links.rates(0.6, 0.6))
        .withMessageContaining("= 120% > 100%");
  }
}
