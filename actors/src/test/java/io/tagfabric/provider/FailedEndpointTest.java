package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.Completions;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An endpoint that meets a defect, or whose actor is stopped: what it has accepted ends, its peers
 * are told, and the other endpoints of its domain go on.
 */
class FailedEndpointTest {
  private static final Duration PATIENCE = Duration.ofSeconds(100);
  private static final int LONG = 200_000;
  private static final int POSTED_TAG = 11;
  private static final int WAITING_TAG = 12;
  private static final int BROKEN_TAG = 13;

  enum Cause {
    SEND,
    FLUSH,
    MATCHER,
    ARRIVAL,
    STOPPED,
    MATCHER_STOPPED
  }

  static List<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (Cause cause : Cause.values()) {
      for (String provider : ContractSystems.providers()) {
        cases.add(Arguments.of(cause, provider));
      }
    }
    return cases;
  }

  /** A buffer that is broken from a moment on. */
  private static final class BrokenBuffer extends UnsafeBuffer {
    private volatile boolean broken;

    BrokenBuffer() {
      super(new byte[10_000]);
    }

    @Override
    public int capacity() {
      if (broken) {
        throw new IllegalStateException("a defect, on purpose");
      }
      return super.capacity();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldEndItsOperationsAndTellItsPeers(Cause cause, String provider) {
    ContractSystems systems = ContractSystems.two(provider);
    systems.start();
    try (Sides sides = new Sides(systems)) {
      sides.meet();
      CompletionStage<TaggedMessage> future =
          sides.failing.endpoint.futures().receiveTagged(TagSelector.exact(POSTED_TAG));
      sides.failing.post(8, POSTED_TAG);
      sides.failing.send(sides.farFromNear, new byte[LONG], WAITING_TAG);
      sides.far.post(sides.nearFromFar, 8, POSTED_TAG, 0);
      sides.far.send(sides.nearFromFar, new byte[LONG], WAITING_TAG, CompletionLevel.DELIVERY);
      sides.awaitAnnounced();

      sides.fail(cause);

      Completion told = sides.far.endpoint.receiveQueue().readBlocking(PATIENCE);
      assertThat(((Completion.Failed) told).error()).isEqualTo(FabricError.SHUTDOWN);
      Completion unsent = sides.far.endpoint.transmitQueue().readBlocking(PATIENCE);
      assertThat(((Completion.Failed) unsent).error()).isEqualTo(FabricError.SHUTDOWN);
      Completion.Failed own =
          (Completion.Failed) sides.failing.endpoint.receiveQueue().readBlocking(PATIENCE);
      assertThat(own.error()).isEqualTo(FabricError.CANCELED);
      assertThat(((FabricException) Await.failure(future)).error()).isEqualTo(FabricError.CANCELED);
      Completion ownSend = sides.failing.endpoint.transmitQueue().readBlocking(PATIENCE);
      assertThat(((Completion.Failed) ownSend).error()).isEqualTo(FabricError.CANCELED);
      sides.requireRefusal(cause);
      sides.requireBystandersGoOn();
    } finally {
      systems.stop();
    }
  }

  private static final class Sides implements AutoCloseable {
    final Domain nearDomain;
    final Domain farDomain;
    final Side failing;
    final Side bystander;
    final Side far;
    final Side another;
    final int farFromNear;
    final int nearFromFar;

    Sides(ContractSystems systems) {
      nearDomain = Fabric.get(systems.near()).openDomain("near", ProgressMode.AUTO);
      farDomain = Fabric.get(systems.far()).openDomain("far", ProgressMode.AUTO);
      failing = side(nearDomain, "failing");
      bystander = side(nearDomain, "bystander");
      far = side(farDomain, "far");
      another = side(farDomain, "another");
      farFromNear = failing.indexOf(far);
      nearFromFar = far.indexOf(failing);
    }

    private static Side side(Domain domain, String name) {
      return new Side(domain, name, Side.QUEUE_SIZE, domain.endpointDefaults());
    }

    /** Both know of the flow between them, also over a provider that loses packets. */
    void meet() {
      failing.send(farFromNear, new byte[8], 1, CompletionLevel.DELIVERY);
      assertThat(failing.endpoint.transmitQueue().readBlocking(PATIENCE))
          .isInstanceOf(Completion.Sent.class);
      far.send(nearFromFar, new byte[8], 1, CompletionLevel.DELIVERY);
      assertThat(far.endpoint.transmitQueue().readBlocking(PATIENCE))
          .isInstanceOf(Completion.Sent.class);
    }

    void awaitAnnounced() {
      for (Side side : List.of(failing, far)) {
        Await.until(
            "the long message is announced",
            () -> Await.get(side.endpoint.futures().matcherState()).unexpectedMessages() == 2);
      }
    }

    void fail(Cause cause) {
      switch (cause) {
        case SEND -> tellBrokenSend(farFromNear);
        case FLUSH -> tellBrokenSend(failing.indexOf(another));
        case MATCHER -> tellBrokenReceive(1);
        case ARRIVAL -> {
          tellBrokenReceive(BROKEN_TAG);
          another.send(another.indexOf(failing), new byte[8], BROKEN_TAG);
        }
        case STOPPED -> stop(failing.endpoint.ref());
        case MATCHER_STOPPED -> stop(failing.endpoint.matcher());
      }
    }

    private void tellBrokenSend(int peer) {
      CompletableFuture<Completion> ended = new CompletableFuture<>();
      BrokenBuffer buffer = new BrokenBuffer();
      Endpoint.SendTagged send =
          new Endpoint.SendTagged(TaggedSend.of(peer, buffer, 0, 8, 1), null, listener(ended));
      buffer.broken = true;
      failing.endpoint.ref().tell(send);
      assertThat(Await.get(ended)).isInstanceOf(Completion.Failed.class);
    }

    private static SendListener listener(CompletableFuture<Completion> ended) {
      return new SendListener() {
        @Override
        public void onSent(Completion.Sent sent) {
          ended.complete(sent);
        }

        @Override
        public void onFailed(Completion.Failed failure) {
          ended.complete(failure);
        }
      };
    }

    private void tellBrokenReceive(int tag) {
      BrokenBuffer buffer = new BrokenBuffer();
      PostedReceive receive =
          PostedReceive.reserve(
              failing.endpoint.receiveQueue(),
              TaggedReceive.of(TagSelector.exact(tag)).into(buffer, 0, 8),
              Completions.ALL,
              tag);
      buffer.broken = true;
      failing.endpoint.matcher().tell(new TagMatcher.PostReceive(receive));
    }

    private void stop(ActorRef<?> actor) {
      Adapter.toClassic(nearDomain.fabric().system()).stop(Adapter.toClassic(actor));
    }

    void requireRefusal(Cause cause) {
      Await.until("the endpoint refuses", this::refuses);
      if (cause != Cause.STOPPED) {
        CompletableFuture<Completion> ended = new CompletableFuture<>();
        failing
            .endpoint
            .ref()
            .tell(
                new Endpoint.SendTagged(
                    TaggedSend.of(farFromNear, new UnsafeBuffer(new byte[8]), 0, 8, 1),
                    null,
                    listener(ended)));
        Completion.Failed refused = (Completion.Failed) Await.get(ended);
        assertThat(refused.error()).isEqualTo(FabricError.CANCELED);
        assertThat(refused.detail()).startsWith("the endpoint has failed: ");
        assertThat(Await.get(failing.endpoint.close(Duration.ZERO))).isNotNull();
      }
    }

    private boolean refuses() {
      try {
        return failing.endpoint.futures().receiveTagged(TagSelector.any()) == null;
      } catch (IllegalStateException e) {
        assertThatIllegalStateException()
            .isThrownBy(() -> failing.post(8, 1))
            .withMessageContaining("is closed, open another");
        return true;
      }
    }

    void requireBystandersGoOn() {
      byte[] bytes = Side.pattern(LONG, 5);
      byte[] buffer = another.post(LONG, 5);
      bystander.send(bystander.indexOf(another), bytes, 5);

      assertThat(another.endpoint.receiveQueue().readBlocking(PATIENCE))
          .isInstanceOf(Completion.Received.class);
      assertThat(buffer).isEqualTo(bytes);
    }

    @Override
    public void close() {
      nearDomain.close(Duration.ZERO);
      farDomain.close(Duration.ZERO);
    }
  }
}
