package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
