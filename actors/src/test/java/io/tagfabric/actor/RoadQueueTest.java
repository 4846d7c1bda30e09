package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoadQueueTest {
  private int rooms;
  private final RoadQueue queue = new RoadQueue(new RoadQueue.Limits(2, 100, 1000), () -> rooms++);

  @Test
  void shouldRefuseMoreMessagesThanMayWait() {
    assertThat(queue.enter(1)).isTrue();
    assertThat(queue.enter(1)).isTrue();
    assertThat(queue.enter(1)).isFalse();
    assertThat(queue.text(1)).contains("waitingMessages=2 (at most 2)", "queue-messages");

    assertThat(rooms).isZero();
    queue.leave(1);

    assertThat(rooms).isEqualTo(1);
    assertThat(queue.enter(1)).isTrue();
  }

  @Test
  void shouldRefuseMoreBytesThanMayWaitUnlessAMessageIsAlone() {
    assertThat(queue.enter(101)).isTrue();
    assertThat(queue.enter(1)).isFalse();

    queue.leave(101);

    assertThat(queue.enter(60)).isTrue();
    assertThat(queue.enter(41)).isFalse();
    assertThat(queue.enter(40)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8, 3072})
  void shouldLeaveRoomForWhatCannotWait(int most) {
    RoadQueue queue = new RoadQueue(new RoadQueue.Limits(most, 1 << 20, 1 << 10), () -> {});
    int offers = 0;
    while (queue.takesOffers()) {
      assertThat(queue.enter(1)).isTrue();
      offers++;
    }
    assertThat(offers).isEqualTo(most - (most + 7) / 8);
    for (int asks = offers; asks < most; asks++) {
      assertThat(queue.enter(1)).as("an ask").isTrue();
    }
    assertThat(queue.enter(1)).as("one beyond the limit").isFalse();
    for (int left = most; left > 0; left--) {
      queue.leave(1);
    }
    assertThat(queue.takesOffers()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100})
  void shouldTakeAnOfferWhenNothingWaits(int length) {
    RoadQueue queue = new RoadQueue(new RoadQueue.Limits(1, 1, 100), () -> {});
    assertThat(queue.takesOffers()).isTrue();
    assertThat(queue.enter(length)).isTrue();
    assertThat(queue.takesOffers()).isFalse();
  }
}
