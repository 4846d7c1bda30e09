package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.DeadLetter;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.SpawnProtocol;
import akka.actor.typed.delivery.ConsumerController;
import akka.actor.typed.delivery.ProducerController;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.pattern.StatusReply;
import io.tagfabric.support.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The patterns of interaction that Akka documents, between actors of several systems: with Akka's
 * own references, with twins, and with Akka's own of applications that have a {@link FabricSetup}.
 */
class RefPatternsTest extends PatternSystems {
  private <T> ActorRef<T> relay(TestProbe<String> probe, String name) {
    return spawn(
        near,
        Behaviors.receiveMessage(
            message -> {
              probe.getRef().tell(String.valueOf(message));
              return Behaviors.same();
            }),
        name);
  }

  @ParameterizedTest
  @EnumSource
  void shouldAnswerARequest(Kind kind) {
    start(kind);
    TestProbe<String> probe = TestProbe.create(near);
    ActorRef<Reply> asker = relay(probe, "asker");
    ActorRef<Ask> target = spawnFar(echo(), "echo");

    target.tell(new Ask("one", asker));
    target.tell(new Ask("two", asker));

    probe.expectMessage(LONG, "Reply[text=answer to one]");
    probe.expectMessage(LONG, "Reply[text=answer to two]");
    requireSent(near, 2);
    requireSent(far, 2);
  }

  @ParameterizedTest
  @EnumSource
  void shouldAnswerARequestOfASerializerThatUsesAkkasResolver(Kind kind) {
    start(kind);
    TestProbe<String> probe = TestProbe.create(near);
    ActorRef<TextSerializer.Answer> asker = relay(probe, "asker");
    ActorRef<TextSerializer.Question> target =
        spawnFar(
            Behaviors.<TextSerializer.Question>receiveMessage(
                question -> {
                  question.replyTo().tell(new TextSerializer.Answer("to " + question.text()));
                  return Behaviors.same();
                }),
            "words");

    target.tell(new TextSerializer.Question("one", asker));

    probe.expectMessage(LONG, "Answer[text=to one]");
    requireSent(near, 1);
    requireSent(far, kind == Kind.SETUP ? 1 : 0); // without the setup it is Akka's reference
  }

  @ParameterizedTest
  @EnumSource
  void shouldAnswerWhoAsks(Kind kind) {
    start(kind);
    ActorRef<Ask> target = spawnFar(echo(), "echo");

    for (int i = 1; i <= 200; i++) {
      String text = "question " + i;
      Reply reply =
          Await.get(
              AskPattern.ask(
                  target,
                  (ActorRef<Reply> replyTo) -> new Ask(text, replyTo),
                  LONG,
                  near.scheduler()));
      assertThat(reply.text()).isEqualTo("answer to " + text);
      requireSent(near, i);
      requireSent(far, i); // who has an answer finds it counted
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndAnAskInTimeAndMakeALateAnswerADeadLetter(Kind kind) {
    start(kind);
    TestProbe<DeadLetter> dead = TwoSystems.deadLetters(near);
    TestProbe<Ask> asked = TestProbe.create(far);
    ActorRef<Ask> mute =
        spawnFar(
            Behaviors.<Ask>receiveMessage(
                ask -> {
                  asked.getRef().tell(ask);
                  return Behaviors.same();
                }),
            "mute");

    Throwable failure =
        Await.failure(
            AskPattern.ask(
                mute,
                (ActorRef<Reply> replyTo) -> new Ask("hello", replyTo),
                Duration.ofMillis(300),
                near.scheduler()));
    asked.receiveMessage(LONG).replyTo().tell(new Reply("late"));

    assertThat(failure)
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("Ask timed out on [" + mute + "] after [300 ms]");
    DeadLetter letter = dead.receiveMessage(LONG);
    assertThat(letter.message()).isEqualTo(new Reply("late"));
    // A request that comes when the time is over finds nobody of that name any more.
    assertThat(letter.recipient().path().toStringWithoutAddress()).matches("/temp/.*|/deadLetters");
  }

  /** Asks by its context and tells what it gets. */
  private static Behavior<Object> asking(ActorRef<StatusAsk> target, ActorRef<String> results) {
    return Behaviors.setup(
        (ActorContext<Object> context) -> {
          for (String text : List.of("good", "bad")) {
            context.askWithStatus(
                Reply.class,
                target,
                LONG,
                replyTo -> new StatusAsk(text, replyTo),
                (reply, failure) ->
                    reply != null ? reply.text() : failure.getClass().getSimpleName() + failure);
          }
          return Behaviors.receiveMessage(
              result -> {
                results.tell(result.toString());
                return Behaviors.same();
              });
        });
  }

  @ParameterizedTest
  @EnumSource
  void shouldAnswerAnActorThatAsksWithStatus(Kind kind) {
    start(kind);
    TestProbe<String> probe = TestProbe.create(near);
    ActorRef<StatusAsk> target =
        spawnFar(
            Behaviors.<StatusAsk>receiveMessage(
                ask -> {
                  ask.replyTo()
                      .tell(
                          ask.text().equals("good")
                              ? StatusReply.success(new Reply("well"))
                              : StatusReply.error("it is " + ask.text()));
                  return Behaviors.same();
                }),
            "judge");

    spawn(near, asking(target, probe.getRef()), "asking");

    assertThat(List.of(probe.receiveMessage(LONG), probe.receiveMessage(LONG)))
        .containsExactlyInAnyOrder("well", "ErrorMessageit is bad");
    requireSent(near, 2);
    requireSent(far, 2);
  }

  @ParameterizedTest
  @EnumSource
  void shouldPipeAnAnswerToTheActorItself(Kind kind) {
    start(kind);
    TestProbe<String> probe = TestProbe.create(near);
    ActorRef<Ask> target = spawnFar(echo(), "echo");

    spawn(
        near,
        Behaviors.setup(
            (ActorContext<String> context) -> {
              context.pipeToSelf(
                  AskPattern.ask(
                      target,
                      (ActorRef<Reply> replyTo) -> new Ask("pipe", replyTo),
                      LONG,
                      near.scheduler()),
                  (reply, failure) -> failure == null ? reply.text() : failure.toString());
              return Behaviors.receiveMessage(
                  text -> {
                    probe.getRef().tell(text);
                    return Behaviors.same();
                  });
            }),
        "piping");

    probe.expectMessage(LONG, "answer to pipe");
    requireSent(near, 1);
    requireSent(far, 1);
  }

  @ParameterizedTest
  @EnumSource
  void shouldAnswerByAChildForEachSession(Kind kind) {
    start(kind);
    ActorRef<Ask> left = spawn(near, echo(), "left");
    ActorRef<Ask> right = spawn(near, echo(), "right");
    ActorRef<Ask> target =
        spawnFar(sessions(reach(far, near, left), reach(far, near, right)), "sessions");

    for (int i = 0; i < 5; i++) {
      String text = "s" + i;
      Reply reply =
          Await.get(
              AskPattern.ask(
                  target,
                  (ActorRef<Reply> replyTo) -> new Ask(text, replyTo),
                  LONG,
                  near.scheduler()));
      assertThat(reply.text())
          .isEqualTo("answer to " + text + " left, answer to " + text + " right");
    }
    requireSent(far, 15); // two questions and an answer each
    requireSent(near, 15);
  }

  /** Asks all, and tells the sum of answers once, or what there is by then. */
  private static Behavior<Object> gather(
      List<ActorRef<Ask>> targets, int wanted, ActorRef<String> result) {
    return Behaviors.setup(
        (ActorContext<Object> context) -> {
          ActorRef<Reply> adapter = context.messageAdapter(Reply.class, reply -> reply);
          targets.forEach(target -> target.tell(new Ask("price", adapter)));
          List<String> got = new ArrayList<>();
          return Behaviors.receive(Object.class)
              .onMessage(
                  Reply.class,
                  reply -> {
                    got.add(reply.text());
                    if (got.size() < wanted) {
                      return Behaviors.same();
                    }
                    result.tell(String.join(", ", got.stream().sorted().toList()));
                    return Behaviors.stopped();
                  })
              .build();
        });
  }

  private static Behavior<Ask> priced(int price) {
    return Behaviors.receiveMessage(
        ask -> {
          ask.replyTo().tell(new Reply(ask.text() + ' ' + price));
          return Behaviors.same();
        });
  }

  @ParameterizedTest
  @EnumSource
  void shouldAggregateAnswersOfTwoNodes(Kind kind) {
    start(kind);
    ActorSystem<SpawnProtocol.Command> third = system("third");
    TestProbe<String> probe = TestProbe.create(near);
    ActorRef<Ask> one = spawnFar(priced(1), "one");
    ActorRef<Ask> two = reach(near, third, spawn(third, priced(2), "two"));

    spawn(near, gather(List.of(one, two), 2, probe.getRef()), "aggregator");

    probe.expectMessage(LONG, "price 1, price 2");
    requireSent(near, 2);
    requireSent(far, 1);
    requireSent(third, 1);
  }

  @ParameterizedTest
  @EnumSource
  void shouldTakeTheFirstOfScatteredRequests(Kind kind) {
    start(kind);
    TestProbe<String> probe = TestProbe.create(near);
    ActorRef<Ask> quick = spawnFar(priced(7), "quick");
    ActorRef<Ask> never = spawnFar(Behaviors.ignore(), "never");

    spawn(near, gather(List.of(never, quick), 1, probe.getRef()), "first");

    probe.expectMessage(LONG, "price 7");
    requireSent(near, 2);
    requireSent(far, 1);
  }

  @ParameterizedTest
  @EnumSource
  void shouldAnswerFromAThirdNodeThatARequestWasForwardedTo(Kind kind) {
    start(kind);
    ActorSystem<SpawnProtocol.Command> third = system("third");
    ActorRef<Ask> last = reach(far, third, spawn(third, echo(), "last"));
    ActorRef<Ask> target =
        spawnFar(
            Behaviors.<Ask>receiveMessage(
                ask -> {
                  last.tell(ask);
                  return Behaviors.same();
                }),
            "forwarder");
    TestProbe<String> probe = TestProbe.create(near);
    ActorRef<Reply> asker = relay(probe, "asker");

    target.tell(new Ask("far away", asker));
    Reply asked =
        Await.get(
            AskPattern.ask(
                target,
                (ActorRef<Reply> replyTo) -> new Ask("asked", replyTo),
                LONG,
                near.scheduler()));

    probe.expectMessage(LONG, "Reply[text=answer to far away]");
    assertThat(asked.text()).isEqualTo("answer to asked");
    requireSent(near, 2);
    requireSent(far, 2);
    requireSent(third, 2);
  }

  /** Sends as many as it is asked for, up to a count. */
  private static Behavior<ProducerController.RequestNext<Reply>> producer(int count) {
    return Behaviors.setup(
        context -> {
          int[] sent = {0};
          return Behaviors.receiveMessage(
              next -> {
                if (sent[0] < count) {
                  next.sendNextTo().tell(new Reply("job " + sent[0]++));
                }
                return Behaviors.same();
              });
        });
  }

  @ParameterizedTest
  @EnumSource
  void shouldDeliverByAProducerAndAConsumerController(Kind kind) {
    start(kind);
    int count = 200;
    TestProbe<String> done = TestProbe.create(far);
    ActorRef<ConsumerController.Command<Reply>> consumers =
        spawn(far, ConsumerController.create(), "consumer-controller");
    Behavior<ConsumerController.Delivery<Reply>> consumer =
        Behaviors.receiveMessage(
            delivery -> {
              done.getRef().tell(delivery.message().text());
              delivery.confirmTo().tell(ConsumerController.confirmed());
              return Behaviors.same();
            });
    consumers.tell(new ConsumerController.Start<>(spawn(far, consumer, "consumer")));
    ActorRef<ProducerController.Command<Reply>> producers =
        spawn(
            near,
            ProducerController.create(Reply.class, "jobs", Optional.empty()),
            "producer-controller");

    producers.tell(new ProducerController.Start<>(spawn(near, producer(count), "producer")));
    producers.tell(new ProducerController.RegisterConsumer<>(reach(near, far, consumers)));

    for (int i = 0; i < count; i++) {
      done.expectMessage(LONG, "job " + i);
    }
    if (kind.isFabric()) {
      assertThat(FabricActors.get(near).counters())
          .matches(counters -> counters.byArtery() == 0 && counters.sent() >= count);
    }
    if (kind == Kind.SETUP) { // else what Akka's serializer reads is its own references
      assertThat(FabricActors.get(far).counters())
          .matches(counters -> counters.byArtery() == 0 && counters.sent() > 0);
    }
  }
}
