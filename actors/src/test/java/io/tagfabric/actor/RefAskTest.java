package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.pattern.StatusReply;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.support.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Asks whose answers take no way over other threads. */
class RefAskTest extends TwoSystems {
  private static final Duration SHORT = Duration.ofMillis(200);

  /** A question, for the reference that takes its answer. */
  private record Question(String text, ActorRef<String> answers) {}

  private record Checked(String text, ActorRef<StatusReply<String>> answers) {}

  /** An actor of this system that answers near questions with what the far one says. */
  private Behavior<Question> relay(ActorRef<String> far) {
    return Behaviors.setup(
        context ->
            Behaviors.receiveMessage(
                question -> {
                  far.tell(question.text());
                  question.answers().tell("to " + question.text());
                  return Behaviors.same();
                }));
  }

  @ParameterizedTest
  @EnumSource
  void shouldBringTheAnswerToTheActor(Kind kind) {
    TestProbe<String> heard = TestProbe.create(far);
    ActorRef<Question> target =
        near.systemActorOf(relay(reach(kind, heard.getRef())), "relay", Props.empty());
    TestProbe<String> results = TestProbe.create(near);

    near.systemActorOf(
        Behaviors.<String>setup(
            context -> {
              ask(context, target);
              return Behaviors.receiveMessage(
                  text -> {
                    results.getRef().tell(text + " in " + context.getSelf().path().name());
                    return Behaviors.same();
                  });
            }),
        "asker",
        Props.empty());

    results.expectMessage(LONG, "answer: to be in asker");
    heard.expectMessage(LONG, "be");
  }

  private static void ask(ActorContext<String> context, ActorRef<Question> target) {
    // #ask
    FabricActors.ask(
        context,
        String.class,
        target,
        LONG,
        (ActorRef<String> answers) -> new Question("be", answers),
        (answer, failure) -> failure == null ? "answer: " + answer : "failed: " + failure);
    // #ask
  }

  @Test
  void shouldGiveTheActorItsAnswerOnTheThreadThatBringsIt() {
    TestProbe<Question> target = TestProbe.create(near);
    List<Thread> threads = new CopyOnWriteArrayList<>();
    ActorRef<String> asker =
        near.systemActorOf(
            Behaviors.<String>setup(
                context ->
                    Behaviors.receiveMessage(
                        text -> {
                          if (text.equals("ask")) {
                            ask(context, target.getRef());
                          } else {
                            threads.add(Thread.currentThread());
                          }
                          return Behaviors.same();
                        })),
            "asker",
            DispatcherSelector.fromConfig("akka.test.calling-thread-dispatcher"));

    Await.until(
        "an answer comes while no other thread is busy with the actor",
        () -> {
          asker.tell("ask");
          target.receiveMessage(LONG).answers().tell("yes");
          return threads.contains(Thread.currentThread());
        });
  }

  @Test
  void shouldTellTheActorThatNoAnswerCame() {
    TestProbe<Question> silent = TestProbe.create(near);
    TestProbe<Throwable> failures = TestProbe.create(near);

    near.systemActorOf(
        Behaviors.<Throwable>setup(
            context -> {
              FabricActors.ask(
                  context,
                  String.class,
                  silent.getRef(),
                  SHORT,
                  (ActorRef<String> answers) -> new Question("anybody?", answers),
                  (answer, failure) -> failure);
              return Behaviors.receiveMessage(
                  failure -> {
                    failures.getRef().tell(failure);
                    return Behaviors.same();
                  });
            }),
        "asker",
        Props.empty());

    assertThat(failures.receiveMessage(LONG)).isInstanceOf(TimeoutException.class);
  }

  @Test
  void shouldTellWhatAnErrorReplySays() {
    ActorRef<Checked> target =
        near.systemActorOf(
            Behaviors.receiveMessage(
                question -> {
                  question
                      .answers()
                      .tell(
                          question.text().isEmpty()
                              ? StatusReply.error("nothing was asked")
                              : StatusReply.success("yes"));
                  return Behaviors.same();
                }),
            "checks",
            Props.empty());
    TestProbe<String> results = TestProbe.create(near);

    near.systemActorOf(
        Behaviors.<String>setup(
            context -> {
              for (String text : List.of("", "is it?")) {
                FabricActors.askWithStatus(
                    context,
                    String.class,
                    target,
                    LONG,
                    (ActorRef<StatusReply<String>> answers) -> new Checked(text, answers),
                    (answer, failure) -> failure == null ? answer : failure.getMessage());
              }
              return Behaviors.receiveMessage(
                  text -> {
                    results.getRef().tell(text);
                    return Behaviors.same();
                  });
            }),
        "asker",
        Props.empty());

    results.expectMessage(LONG, "nothing was asked");
    results.expectMessage(LONG, "yes");
  }

  private CompletionStage<String> askBySystem(ActorRef<Question> target, Duration timeout) {
    return AskPattern.ask(
        target,
        (ActorRef<String> answers) -> new Question("be", answers),
        timeout,
        near.scheduler());
  }

  @Test
  void shouldWaitForAStage() {
    TestProbe<String> heard = TestProbe.create(far);
    ActorRef<Question> target =
        near.systemActorOf(relay(reach(Kind.TWINS, heard.getRef())), "relay", Props.empty());

    assertThat(nearActors.await(askBySystem(target, LONG), LONG)).isEqualTo("to be");
  }

  @Test
  void shouldFailAsTheStageDoes() {
    TestProbe<Question> silent = TestProbe.create(near);

    assertThatThrownBy(() -> nearActors.await(askBySystem(silent.getRef(), SHORT), LONG))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> nearActors.await(new CompletableFuture<>(), SHORT))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.TIMED_OUT));
  }
}
