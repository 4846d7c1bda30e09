package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.link.Posted;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests and replies of active messages over shared memory, which need no packet. */
class BareFramesTest extends ActivePair {
  private static final int COUNT = 1_000;

  BareFramesTest() {
    super(ContractSystems.two("shm"), ProgressMode.MANUAL);
  }

  private FlowCounters.Snapshot counters(Side side, int peer) {
    CompletableFuture<FlowCounters.Snapshot> answer =
        side.endpoint.flowCounters(peer).toCompletableFuture();
    await(answer);
    return answer.join();
  }

  private void ask(int first, int count) {
    for (int i = first; i < first + count; i++) {
      assertThat(arguments(result(asking.request(toFar, HANDLER, i)))).containsExactly(i);
    }
  }

  @Test
  void shouldSendNoPacketForARequestAndNoneForItsReplyButForTheCredit() {
    asked.register(HANDLER, ECHO);
    ask(0, 10);
    FlowCounters.Snapshot nearBefore = counters(near, toFar);
    FlowCounters.Snapshot farBefore = counters(far, fromNear);

    ask(10, COUNT);

    FlowCounters.Snapshot nearAfter = counters(near, toFar);
    FlowCounters.Snapshot farAfter = counters(far, fromNear);
    assertThat(nearAfter.bareSent() - nearBefore.bareSent()).isGreaterThan(COUNT * 3 / 4);
    assertThat(farAfter.bareSent() - farBefore.bareSent()).isGreaterThan(COUNT * 3 / 4);
    assertThat(farAfter.bareReceived() - farBefore.bareReceived())
        .isEqualTo(nearAfter.bareSent() - nearBefore.bareSent());
    assertThat(nearAfter.acknowledgementsSent() - nearBefore.acknowledgementsSent())
        .as("credit rides in packets that leave anyway")
        .isLessThan(COUNT / 20);
    assertThat(farAfter.acknowledgementsSent() - farBefore.acknowledgementsSent())
        .isLessThan(COUNT / 20);
  }

  /** The asker makes no progress after the call. */
  @Test
  void shouldSendARequestThatMustLeaveNowBeforeTheCallReturns() {
    asked.register(HANDLER, ECHO);
    AtomicInteger handled = new AtomicInteger();
    asked.register(HANDLER + 1, call -> handled.incrementAndGet());
    ask(0, 10);

    Posted posted = asking.tryRequest(toFar, HANDLER + 1, new int[] {1}, new byte[3], null);

    assertThat(posted).isEqualTo(Posted.POSTED);
    assertThat(far.domain.await(() -> handled.get() == 1, Duration.ofSeconds(60))).isTrue();
  }

  @Test
  void shouldReadWhatAProgramLendsBeforeTheCallReturns() {
    List<String> came = new ArrayList<>();
    asked.register(
        HANDLER, call -> came.add(call.argument(0) + " " + Arrays.toString(call.payload())));
    await(asking.request(toFar, HANDLER, 0).toCompletableFuture());
    int[] arguments = {5};
    byte[] payload = {1, 2, 3};
    int tries = 0;
    while (came.size() < 4 && tries++ < 1_000_000) {
      arguments[0] = 5;
      payload[0] = 1;
      Posted unused = asking.tryRequest(toFar, HANDLER, arguments, payload, null);
      arguments[0] = 6;
      payload[0] = 9;
      far.poll();
      near.poll();
    }
    assertThat(came.subList(1, came.size())).containsOnly("5 [1, 2, 3]");
    assertThat(came).hasSizeGreaterThanOrEqualTo(4);
  }

  /** The first of a burst leaves by itself, the others share packets. */
  @Test
  void shouldGatherWhatFollowsBeforeTheNextFlush() {
    asked.register(HANDLER, ECHO);
    ask(0, 10);
    FlowCounters.Snapshot before = counters(near, toFar);
    List<CompletableFuture<?>> replies = new ArrayList<>();
    near.domain.batch(
        () -> {
          for (int i = 0; i < 16; i++) {
            replies.add(asking.request(toFar, HANDLER, i).toCompletableFuture());
          }
        });
    replies.forEach(this::await);

    FlowCounters.Snapshot after = counters(near, toFar);
    long sent = after.bareSent() + after.packetsSent() - before.bareSent() - before.packetsSent();
    assertThat(sent).as("the first, and packets of the rest").isBetween(2L, 8L);
  }
}
