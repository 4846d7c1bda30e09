package io.tagfabric.match.core;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The subscriptions of an actor that stops. */
class StoppedSubscriberTest {
  private static final long TAG = 7;
  private static final long LAST_WORD = 8;
  private static final TagSelector SELECTOR = TagSelector.exact(TAG);

  private final ActorTestKit kit =
      ActorTestKit.create(
          ConfigFactory.parseString(
                  "tagfabric.provider.use = [local], akka.loglevel = WARNING,"
                      + " akka.log-dead-letters = off")
              .withFallback(ConfigFactory.load()));
  private final Queue<TaggedMessage> first = new ConcurrentLinkedQueue<>();
  private final Queue<TaggedMessage> second = new ConcurrentLinkedQueue<>();
  private Domain domain;
  private Endpoint endpoint;
  private int self;

  @BeforeEach
  void open() {
    domain = Fabric.get(kit.system()).openDomain("subscriptions", ProgressMode.AUTO);
    endpoint = domain.openEndpoint("self");
    self = domain.addressVector().insert(endpoint.address());
  }

  @AfterEach
  void close() {
    domain.close(Duration.ZERO);
    kit.shutdownTestKit();
  }

  /** Keeps what it gets until it gets the last word. */
  private static Behavior<TaggedMessage> keeping(Queue<TaggedMessage> messages) {
    return Behaviors.receiveMessage(
        message -> {
          messages.add(message);
          return message.tag() == LAST_WORD ? Behaviors.stopped() : Behaviors.same();
        });
  }

  private ActorRef<TaggedMessage> subscriber(Queue<TaggedMessage> messages) {
    ActorRef<TaggedMessage> subscriber = kit.spawn(keeping(messages));
    subscribe(SELECTOR, subscriber);
    return subscriber;
  }

  private void subscribe(TagSelector selector, ActorRef<TaggedMessage> subscriber) {
    Await.get(endpoint.futures().subscribe(selector, subscriber));
  }

  private void send(long tag) {
    Await.get(endpoint.futures().sendTagged(self, new byte[1], tag));
  }

  private int waiting() {
    return Await.get(endpoint.futures().matcherState()).unexpectedMessages();
  }

  private void sendUntilOneWaits() {
    Await.until(
        "messages wait",
        () -> {
          send(TAG);
          return waiting() > 0;
        });
  }

  @Test
  void shouldDeliverToTheNextSubscriberWhenTheFirstHasStopped() {
    ActorRef<TaggedMessage> stopping = subscriber(first);
    subscriber(second);
    subscribe(TagSelector.exact(LAST_WORD), stopping);
    send(TAG);
    send(LAST_WORD);

    Await.until(
        "the second gets messages",
        () -> {
          send(TAG);
          return !second.isEmpty();
        });

    assertThat(first).extracting(TaggedMessage::tag).containsExactly(TAG, LAST_WORD);
    assertThat(waiting()).isZero();
  }

  @Test
  void shouldKeepMessagesWhenTheOnlySubscriberHasStopped() {
    ActorRef<TaggedMessage> stopping = subscriber(first);
    subscribe(TagSelector.exact(LAST_WORD), stopping);
    send(LAST_WORD);

    sendUntilOneWaits();
    int waiting = waiting();
    subscriber(second);

    Await.until("they are delivered", () -> second.size() == waiting);
  }

  @Test
  void shouldForgetASubscriberWhenItHasStoppedBefore() {
    ActorRef<TaggedMessage> stopped = kit.spawn(Behaviors.stopped());
    kit.createTestProbe().expectTerminated(stopped, Duration.ofSeconds(20));
    subscribe(SELECTOR, stopped);

    sendUntilOneWaits();
  }

  @Test
  void shouldWatchAgainWhenASubscriberHasComeBack() {
    ActorRef<TaggedMessage> stopping = subscriber(first);
    endpoint.matcher().tell(new TagMatcher.Unsubscribe(stopping));
    subscribe(SELECTOR, stopping);
    subscribe(TagSelector.exact(LAST_WORD), stopping);
    send(LAST_WORD);

    sendUntilOneWaits();
  }
}
