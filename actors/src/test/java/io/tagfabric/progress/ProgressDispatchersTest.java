package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.support.Await;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class ProgressDispatchersTest {
  private static final ActorTestKit KIT = ActorTestKit.create();

  private static final ProgressDispatchers DISPATCHERS = new ProgressDispatchers(KIT.system());

  private final List<String> heard = new ArrayList<>();
  private final ProgressLoop first = new ProgressLoop(TimeSource.SYSTEM);
  private final ProgressLoop second = new ProgressLoop(TimeSource.SYSTEM);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private ActorRef<String> spawnOn(ProgressDispatcher dispatcher) {
    return KIT.spawn(
        Behaviors.receive(String.class)
            .onMessageEquals("end", Behaviors::stopped)
            .onAnyMessage(
                text -> {
                  heard.add(text);
                  return Behaviors.same();
                })
            .build(),
        DispatcherSelector.fromConfig(dispatcher.id()));
  }

  private void drive(ProgressLoop loop, String until) {
    Await.until(
        until,
        () -> {
          loop.advance();
          return heard.contains(until);
        });
  }

  private void endOn(ProgressLoop loop, ActorRef<String> actor, ProgressDispatcher dispatcher) {
    actor.tell("end");
    Await.until(
        "the actor has ended",
        () -> {
          loop.advance();
          return dispatcher.isEmpty();
        });
  }

  @Test
  void shouldTakeOneAgainOnceItsActorsHaveEnded() {
    ProgressDispatcher dispatcher = DISPATCHERS.take(first);
    ActorRef<String> actor = spawnOn(dispatcher);
    actor.tell("one");
    drive(first, "one");

    DISPATCHERS.giveBack(dispatcher);
    ProgressDispatcher other = DISPATCHERS.take(second);
    assertThat(other.id()).as("an actor is still on the first").isNotEqualTo(dispatcher.id());
    actor.tell("two");
    drive(first, "two");
    endOn(first, actor, dispatcher);

    ProgressLoop third = new ProgressLoop(TimeSource.SYSTEM);
    assertThat(DISPATCHERS.take(third)).isSameAs(dispatcher);
    ActorRef<String> next = spawnOn(dispatcher);
    next.tell("three");
    drive(third, "three");
    endOn(third, next, dispatcher);
    assertThat(heard).containsExactly("one", "two", "three");
  }

  @Test
  void shouldGiveEachDomainItsOwn() {
    ProgressDispatcher one = DISPATCHERS.take(first);
    ProgressDispatcher two = DISPATCHERS.take(second);
    ActorRef<String> slow = spawnOn(one);
    ActorRef<String> quick = spawnOn(two);

    slow.tell("later");
    quick.tell("now");
    drive(second, "now");
    assertThat(heard).as("the first loop has not run").containsExactly("now");
    drive(first, "later");
    endOn(first, slow, one);
    endOn(second, quick, two);
  }
}
