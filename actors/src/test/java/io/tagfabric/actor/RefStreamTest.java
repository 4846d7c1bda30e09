package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Behaviors;
import akka.stream.javadsl.Keep;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.stream.typed.javadsl.ActorFlow;
import akka.stream.typed.javadsl.ActorSink;
import io.tagfabric.support.Await;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Akka's streams with an actor of another node at their end, or in their middle. */
class RefStreamTest extends PatternSystems {
  private static final int COUNT = 300;
  private static final int AT_A_TIME = 4;
  private static final Reply NEXT = new Reply("next");

  private static List<String> texts() {
    return IntStream.range(0, COUNT).mapToObj(i -> "text " + i).toList();
  }

  @ParameterizedTest
  @EnumSource
  void shouldAskNoMoreThanAFewAtATime(Kind kind) {
    start(kind);
    ActorRef<Ask> target = spawnFar(echo(), "echo");

    // #ask
    CompletionStage<List<String>> answers =
        Source.from(texts())
            .via(ActorFlow.<String, Ask, Reply>ask(AT_A_TIME, target, LONG, Ask::new))
            .map(Reply::text)
            .runWith(Sink.seq(), near);
    // #ask

    assertThat(Await.get(answers))
        .isEqualTo(texts().stream().map(text -> "answer to " + text).toList());
    requireSent(near, COUNT);
    requireSent(far, COUNT);
  }

  @ParameterizedTest
  @EnumSource
  void shouldSendTheNextWhenTheActorWantsIt(Kind kind) {
    start(kind);
    TestProbe<Ask> target = TestProbe.create(far);
    AtomicInteger taken = new AtomicInteger();
    CompletionStage<Done> ended = stream(reach(near, far, target.getRef()), taken);
    target.receiveMessage(LONG).replyTo().tell(NEXT); // it was asked whether it is ready

    for (String text : texts()) {
      Ask next = target.receiveMessage(LONG);
      assertThat(next.text()).isEqualTo(text);
      next.replyTo().tell(NEXT);
    }

    assertThat(target.receiveMessage(LONG).text()).isEqualTo("over");
    Await.get(ended);
    assertThat(taken).hasValue(COUNT);
  }

  /** A source that is asked for no more while the actor has not taken what it was sent. */
  private CompletionStage<Done> stream(ActorRef<Ask> target, AtomicInteger taken) {
    // #sink
    Sink<String, ?> sink =
        ActorSink.<String, Ask, Reply>actorRefWithBackpressure(
            target,
            (replyTo, text) -> new Ask(text, replyTo),
            replyTo -> new Ask("are you ready?", replyTo),
            NEXT,
            new Ask("over", near.ignoreRef()),
            failure -> new Ask(failure.toString(), near.ignoreRef()));
    // #sink
    return Source.from(texts())
        .wireTap(text -> taken.incrementAndGet())
        .watchTermination(Keep.right())
        .to(sink)
        .run(near);
  }

  @ParameterizedTest
  @EnumSource
  void shouldHoldTheSourceWhileTheActorIsSlow(Kind kind) {
    start(kind);
    TestProbe<Ask> slow = TestProbe.create(far);
    AtomicInteger taken = new AtomicInteger();
    stream(reach(near, far, slow.getRef()), taken);
    slow.receiveMessage(LONG).replyTo().tell(NEXT);

    slow.receiveMessage(LONG);
    slow.expectNoMessage();

    assertThat(taken.get()).as("what the source has given").isLessThan(COUNT / 2);
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndWithTheActor(Kind kind) {
    start(kind);
    ActorRef<Ask> mortal =
        spawn(
            far,
            Behaviors.receiveMessage(
                ask -> {
                  ask.replyTo().tell(NEXT);
                  return ask.text().equals("text 7") ? Behaviors.stopped() : Behaviors.same();
                }),
            "mortal");

    CompletionStage<Done> ended = stream(reach(near, far, mortal), new AtomicInteger());

    Await.until("the stream has ended", () -> ended.toCompletableFuture().isDone());
  }
}
