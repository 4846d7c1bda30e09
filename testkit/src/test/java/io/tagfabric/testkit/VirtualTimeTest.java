package io.tagfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@FabricTest(time = TestTime.VIRTUAL)
class VirtualTimeTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void shouldMoveMessagesWhileTimeStandsStill(TestFabric fabric, TagProbe a, TagProbe b) {
    long beforeNs = fabric.domain().loop().time().nanoTime();
    a.send("b", 1, "one");
    b.expectTagged(1, "one");
    a.send("b", 2, new byte[1 << 20]);
    b.expectTagged(2);

    assertThat(fabric.domain().loop().time().nanoTime()).isEqualTo(beforeNs);
  }

  @ParameterizedTest
  @EnumSource
  void shouldLoseAPeerExactlyWhenItsTimeIsOver(ProgressMode mode) {
    try (TestFabric fabric =
        TestFabric.builder()
            .time(TestTime.VIRTUAL)
            .progress(mode)
            .settings("tagfabric.flow { peer-timeout = 1 h, max-ping = 10 m }")
            .build()) {
      TagProbe a = fabric.probe("a");
      a.send("b", 1, "one");
      fabric.probe("b").expectTagged(1);
      fabric.network().partition("a", "b");
      var sent =
          a.endpoint()
              .futures()
              .start(
                  TaggedSend.of(fabric.peer("b"), new UnsafeBuffer(new byte[8]), 7)
                      .level(CompletionLevel.TRANSMIT));

      fabric.advance(HOUR.minusMinutes(1));
      assertThat(sent.toCompletableFuture()).isNotDone();

      fabric.advance(Duration.ofMinutes(11));
      assertThatThrownBy(() -> fabric.await(sent))
          .isInstanceOfSatisfying(
              FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.TIMED_OUT));
    }
  }

  @Test
  void shouldSendAgainWhatWasLostWhenTimePasses(TestFabric fabric, TagProbe a, TagProbe b) {
    a.send("b", 1, "one");
    b.expectTagged(1);
    fabric.network().partition("a", "b");
    a.send("b", 2, "two");
    b.expectNoMessage(Duration.ofSeconds(5));
    fabric.network().heal();
    fabric.advance(Duration.ofSeconds(1));

    b.expectTagged(2, "two");
  }

  @Test
  void shouldMoveAkkasTimersToo(TestFabric fabric, TagProbe a, TagProbe b) {
    ActorTestKit kit = ActorTestKit.create(fabric.system());
    TestProbe<String> heard = kit.createTestProbe();
    Behavior<String> late =
        Behaviors.withTimers(
            timers -> {
              timers.startSingleTimer("late", Duration.ofMinutes(10));
              return Behaviors.receiveMessage(
                  text -> {
                    heard.ref().tell(text);
                    a.send("b", 1, text);
                    return Behaviors.same();
                  });
            });
    kit.spawn(late);

    b.expectNoMessage(Duration.ofMinutes(9));
    heard.expectNoMessage(Duration.ZERO);
    fabric.advance(Duration.ofMinutes(2));
    heard.expectMessage("late");
    b.expectTagged(1, "late");
  }

  @Test
  void shouldDeliverToAnActor(TestFabric fabric, TagProbe a) {
    ActorTestKit kit = ActorTestKit.create(fabric.system());
    TestProbe<TaggedMessage> heard = kit.createTestProbe();
    fabric.await(fabric.endpoint("b").futures().subscribe(TagSelector.exact(7), heard.ref()));
    a.send("b", 7, "hello");

    assertThat(heard.receiveMessage().payload().length()).isEqualTo(5);
  }

  @FabricTest(time = TestTime.REAL)
  @Test
  void shouldNotMoveRealTime(TestFabric fabric) {
    assertThatIllegalStateException()
        .isThrownBy(() -> fabric.advance(HOUR))
        .withMessage("time=REAL passes by itself, ask for time = VIRTUAL to move it");
  }
}
