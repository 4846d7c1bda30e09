package io.tagfabric.provider.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.local.LocalProvider;
import io.tagfabric.wire.Packet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FaultyChannelTest {
  private static final int PACKETS = 20_000;
  private static final long DELAY_NS = 1_000;

  private long nowNs;
  private final ProgressLoop loop = new ProgressLoop(() -> nowNs);
  private final List<Packet> passed = new ArrayList<>();
  private final List<Packet> offered = new ArrayList<>();
  private String closed;

  private final Channel channel =
      new Channel() {
        @Override
        public boolean offer(Packet packet) {
          passed.add(packet);
          return true;
        }

        @Override
        public String closedBecause() {
          return closed;
        }
      };

  private void run(FaultSettings faults) {
    FaultyChannel faulty = new FaultyChannel(channel, loop, faults, new SplittableRandom(7));
    for (int i = 0; i < PACKETS; i++) {
      Packet packet = Packet.received(new byte[1]);
      offered.add(packet);
      assertThat(faulty.offer(packet)).isTrue();
      nowNs += 100;
      loop.timers().poll(nowNs);
    }
    nowNs += 10 * DELAY_NS;
    loop.timers().poll(nowNs);
    assertThat(offered).as("held by the sender alone").allMatch(packet -> packet.holders() == 1);
  }

  private long doubled() {
    return (long) passed.size() - new HashSet<>(passed).size();
  }

  private long outOfOrder() {
    long count = 0;
    for (int i = 0; i < passed.size(); i++) {
      count += i < offered.size() && passed.get(i) != offered.get(i) ? 1 : 0;
    }
    return count;
  }

  @Test
  void shouldDropItsShare() {
    run(new FaultSettings(0.1, 0, 0, 0, DELAY_NS, 1));

    assertThat(passed.size()).isCloseTo(PACKETS * 9 / 10, within(PACKETS / 50));
    assertThat(doubled()).isZero();
  }

  @Test
  void shouldDoubleItsShare() {
    run(new FaultSettings(0, 0.1, 0, 0, DELAY_NS, 1));

    assertThat(doubled()).isCloseTo(PACKETS / 10, within(PACKETS / 50L));
    assertThat(new HashSet<>(passed)).hasSize(PACKETS);
  }

  @Test
  void shouldLetLaterPacketsOvertakeTheDelayedAndLoseNone() {
    run(new FaultSettings(0, 0, 0.1, 0, DELAY_NS, 1));

    assertThat(passed).hasSize(PACKETS).doesNotHaveDuplicates();
    assertThat(outOfOrder()).isPositive();
  }

  @Test
  void shouldLetOnePacketPassTheHeldAndLoseNone() {
    run(new FaultSettings(0, 0, 0, 0.1, DELAY_NS, 1));

    assertThat(passed).hasSize(PACKETS).doesNotHaveDuplicates();
    assertThat(outOfOrder()).isBetween(PACKETS / 10L, PACKETS / 4L);
  }

  @Test
  void shouldDoTheSameWithTheSameSeed() {
    FaultSettings faults = new FaultSettings(0.1, 0.1, 0, 0.1, DELAY_NS, 1);
    run(faults);
    FaultyChannelTest again = new FaultyChannelTest();
    again.run(faults);

    List<Integer> first = passed.stream().map(offered::indexOf).limit(2_000).toList();
    List<Integer> second = again.passed.stream().map(again.offered::indexOf).limit(2_000).toList();
    assertThat(first).isEqualTo(second);
  }

  @Test
  void shouldReleaseWhatItHoldsWhenTheChannelHasClosed() {
    closed = "gone";
    run(new FaultSettings(0, 0, 1, 0, DELAY_NS, 1));

    assertThat(passed).isEmpty();
  }

  @Test
  void shouldDecorateOnlyWhenThereAreFaults() {
    LocalProvider local = new LocalProvider();
    assertThat(FaultyProvider.decorate(local, new FaultSettings(0, 0, 0, 0, 1, 1))).isSameAs(local);

    var faulty = FaultyProvider.decorate(local, new FaultSettings(0, 0.01, 0, 0, 1, 1));
    assertThat(faulty.name()).isEqualTo("local");
    assertThat(faulty.capabilities().reliable()).isFalse();
    assertThat(faulty.capabilities().reaches()).isEqualTo("same JVM");
  }

  @Test
  void shouldRefuseSharesThatAreNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FaultSettings(1.5, 0, 0, 0, 1, 1))
        .withMessage("drop=1.5 is not within 0 to 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FaultSettings(0.5, 0.3, 0.3, 0, 1, 1))
        .withMessageContaining("= 110% > 100%");
  }
}
