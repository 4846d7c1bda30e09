package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ExtendedActorSystem;
import akka.actor.Kill;
import akka.actor.PoisonPill;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.dispatch.Envelope;
import akka.dispatch.MessageQueue;
import io.tagfabric.support.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import scala.Option;

class GuardedMailboxTest {
  private static final ActorTestKit KIT = ActorTestKit.create();

  private sealed interface Told {}

  private record Count(ActorRef<Integer> replyTo) implements Told {}

  private record Add(int number) implements Told {}

  private record Hold(CountDownLatch until) implements Told {}

  private record TickLater() implements Told {}

  private record End() implements Told {}

  private final ProgressLoop loop = new ProgressLoop(TimeSource.SYSTEM);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private static Behavior<Told> counter() {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  int[] sum = {0};
                  ActorRef<Long> adapter =
                      context.messageAdapter(Long.class, number -> new Add(number.intValue()));
                  return Behaviors.receive(Told.class)
                      .onMessage(
                          Add.class,
                          add -> {
                            sum[0] += add.number();
                            return Behaviors.same();
                          })
                      .onMessage(
                          TickLater.class,
                          notUsed -> {
                            adapter.tell(10L);
                            timers.startSingleTimer(new Add(100), Duration.ofMillis(1));
                            return Behaviors.same();
                          })
                      .onMessage(
                          Hold.class,
                          hold -> {
                            boolean over = hold.until().await(60, TimeUnit.SECONDS);
                            return over ? Behaviors.same() : Behaviors.stopped();
                          })
                      .onMessage(
                          Count.class,
                          count -> {
                            count.replyTo().tell(sum[0]);
                            return Behaviors.same();
                          })
                      .onMessage(End.class, notUsed -> Behaviors.stopped())
                      .build();
                }));
  }

  private static int countOf(ActorRef<Told> counter) {
    TestProbe<Integer> probe = KIT.createTestProbe();
    counter.tell(new Count(probe.ref()));
    return probe.receiveMessage(Duration.ofSeconds(60));
  }

  private ActorRef<Told> spawn(String name) {
    GuardedMailbox.count(KIT.system(), name, loop);
    return KIT.spawn(counter(), name, GuardedMailbox.props());
  }

  @Test
  void shouldTakeItsOwnMessagesTimersAndAdapters() {
    ActorRef<Told> counter = spawn("own");

    counter.tell(new Add(1));
    counter.tell(new TickLater());

    Await.until("told by its timer and adapter", () -> countOf(counter) == 111);
    Await.until("its mail is taken", () -> loop.mail().isEmpty());
    KIT.stop(counter, Duration.ofSeconds(60));
  }

  @Test
  void shouldDropAndCountWhatWouldEndItsActor() {
    ActorRef<Told> counter = spawn("harmed");
    long before = GuardedMailbox.dropped(KIT.system());
    List<Object> harmful =
        List.of(
            PoisonPill.getInstance(),
            Kill.getInstance(),
            akka.actor.ReceiveTimeout.getInstance(),
            "a text",
            akka.Done.getInstance(),
            new akka.actor.Status.Failure(new IllegalStateException("of a stranger")),
            counter);

    harmful.forEach(message -> Adapter.toClassic(counter).tell(message, null));

    assertThat(GuardedMailbox.dropped(KIT.system()) - before).isEqualTo(harmful.size());
    assertThat(countOf(counter)).isZero();
    KIT.stop(counter, Duration.ofSeconds(60));
  }

  @Test
  void shouldCountTheMailThatWaits() {
    ActorRef<Told> counter = spawn("waits");
    CountDownLatch until = new CountDownLatch(1);
    assertThat(loop.mail().isEmpty()).isTrue();

    counter.tell(new Hold(until));
    counter.tell(new Add(1));
    assertThat(loop.mail().isEmpty()).isFalse();
    until.countDown();

    assertThat(countOf(counter)).isEqualTo(1);
    assertThat(loop.mail().isEmpty()).isTrue();
    KIT.stop(counter, Duration.ofSeconds(60));
  }

  @Test
  void shouldCountNothingForAnActorThatHasEnded() {
    for (int round = 0; round < 50; round++) {
      ActorRef<Told> counter = spawn("ends-" + round);
      List<CompletableFuture<Void>> tellers = new ArrayList<>();
      for (int teller = 0; teller < 2; teller++) {
        tellers.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int i = 0; i < 2_000; i++) {
                    counter.tell(new Add(i));
                  }
                }));
      }
      counter.tell(new End());
      tellers.forEach(Await::get);
      KIT.createTestProbe().expectTerminated(counter, Duration.ofSeconds(60));

      Await.until("the mail of an ended actor is forgotten", () -> loop.mail().isEmpty());
    }
  }

  @Test
  void shouldCountNothingThatComesAfterTheEnd() {
    ExtendedActorSystem system = (ExtendedActorSystem) Adapter.toClassic(KIT.system());
    GuardedMailbox type =
        new GuardedMailbox(
            system.settings(), system.settings().config().getConfig("tagfabric.mailbox"));
    akka.actor.ActorRef owner = Adapter.toClassic(spawn("over"));
    MessageQueue queue = type.create(Option.apply(owner), Option.apply(system));
    MessageQueue deadLetters =
        type.create(Option.apply(system.deadLetters()), Option.apply(system));
    Envelope envelope = Envelope.apply(new Add(1), owner);

    queue.enqueue(owner, envelope);
    assertThat(loop.mail().isEmpty()).isFalse();
    queue.cleanUp(owner, deadLetters);
    assertThat(loop.mail().isEmpty()).isTrue();
    queue.enqueue(owner, envelope);

    assertThat(loop.mail().isEmpty()).isTrue();
    assertThat(queue.hasMessages()).isFalse();
    assertThat(deadLetters.numberOfMessages()).isEqualTo(2);
  }
}
