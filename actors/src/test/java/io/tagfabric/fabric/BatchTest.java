package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.link.Posted;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several calls that enter the loop as one. */
class BatchTest {
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString("tagfabric.provider.use = [local]")
              .withFallback(ConfigFactory.load()));
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int BYTES = 8;
  private static final int MANY = 100;

  private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[BYTES]);
  private Domain domain;
  private CompletionQueue queue;
  private Endpoint near;
  private Endpoint far;
  private int toFar;

  private void open(ProgressMode mode) {
    domain = Fabric.get(KIT.system()).openDomain("batch" + NUMBER.incrementAndGet(), mode);
    queue = domain.openCompletionQueue(4 * MANY);
    near = domain.openEndpoint("near", queue, queue, domain.endpointDefaults());
    far = domain.openEndpoint("far", queue, queue, domain.endpointDefaults());
    toFar = domain.addressVector().insert(far.address());
    // The first message sets the flow up.
    far.postReceive(bytes, 0, BYTES, 1, 0, -1, null);
    near.injectTagged(toFar, bytes, 0, BYTES, 1);
    assertThat(queue.readBlocking(PATIENCE)).isInstanceOf(Completion.Received.class);
  }

  @AfterEach
  void close() {
    domain.close(Duration.ZERO);
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private List<Object> read(int count) {
    List<Object> contexts = new ArrayList<>();
    while (contexts.size() < count) {
      assertThat(
              queue.readBlocking(
                  entry -> contexts.add(entry.toCompletion().context()), count, PATIENCE))
          .isPositive();
    }
    return contexts;
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldDoInOrderWhatTheCallsAsk(ProgressMode mode) {
    open(mode);
    List<Object> expected = new ArrayList<>();
    domain.batch(
        () -> {
          for (int i = 0; i < MANY; i++) {
            assertThat(far.postReceive(bytes, 0, BYTES, 7, 0, -1, i)).isEqualTo(Posted.POSTED);
            expected.add(i);
          }
          for (int i = 0; i < MANY; i++) {
            assertThat(near.injectTagged(toFar, bytes, 0, BYTES, 7)).isEqualTo(Posted.POSTED);
          }
        });

    assertThat(read(MANY)).isEqualTo(expected);
    assertThat(domain.loop().isDriving()).isFalse();
  }

  @Test
  void shouldPublishWhatEndsInsideAtItsEnd() {
    open(ProgressMode.MANUAL);
    for (int i = 0; i < 3; i++) {
      near.injectTagged(toFar, bytes, 0, BYTES, 7);
    }
    while (Await.get(far.futures().matcherState()).unexpectedMessages() < 3) {
      domain.loop().advance();
    }
    List<Integer> seen = new ArrayList<>();

    domain.batch(
        () -> {
          for (int i = 0; i < 3; i++) {
            far.postReceive(bytes, 0, BYTES, 7, 0, -1, i);
            seen.add(queue.ring().size());
          }
        });

    assertThat(seen).containsExactly(0, 0, 0);
    assertThat(queue.ring().size()).isEqualTo(3);
    assertThat(read(3)).containsExactly(0, 1, 2);
  }

  @Test
  void shouldTakeOtherCallsAndBatchesInside() {
    open(ProgressMode.MANUAL);
    List<CompletionStage<TaggedMessage>> received = new ArrayList<>();
    List<CompletionStage<Completion.Sent>> sent = new ArrayList<>();
    domain.batch(
        () ->
            domain.batch(
                () -> {
                  received.add(far.futures().receiveTagged(TagSelector.exact(7)));
                  sent.add(near.futures().sendTagged(toFar, new byte[] {42}, 7));
                }));
    domain.batch(() -> {});

    assertThat(Await.get(received.get(0)).payload().array()).containsExactly(42);
    assertThat(Await.get(sent.get(0)).tag()).isEqualTo(7);
  }

  @Test
  void shouldRefuseAWaitInside() {
    open(ProgressMode.MANUAL);

    assertThatIllegalStateException()
        .isThrownBy(() -> domain.batch(() -> queue.readBlocking(PATIENCE)))
        .withMessageContaining("inside a batch");
    assertThatIllegalStateException()
        .isThrownBy(() -> domain.batch(() -> domain.close()))
        .withMessageContaining("inside a batch");
    assertThat(domain.loop().isDriving()).isFalse();
  }

  @Test
  void shouldEndWithWhatACallThrowsAndKeepWhatWasPosted() {
    open(ProgressMode.MANUAL);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                domain.batch(
                    () -> {
                      far.postReceive(bytes, 0, BYTES, 7, 0, -1, "first");
                      throw new IllegalArgumentException("of this test");
                    }))
        .withMessage("of this test");

    near.injectTagged(toFar, bytes, 0, BYTES, 7);
    assertThat(read(1)).containsExactly("first");
  }

  @Test
  void shouldLetEachCallEnterWhereTheLoopIsTaken() throws Exception {
    open(ProgressMode.MANUAL);
    CompletableFuture<Void> taken = new CompletableFuture<>();
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread holder =
        new Thread(
            () -> {
              while (!domain.loop().tryEnter()) {
                Thread.onSpinWait();
              }
              taken.complete(null);
              done.join();
              domain.loop().leave();
            });
    holder.start();
    taken.get(60, TimeUnit.SECONDS);

    domain.batch(() -> far.postReceive(bytes, 0, BYTES, 7, 0, -1, "told"));

    done.complete(null);
    holder.join();
    near.injectTagged(toFar, bytes, 0, BYTES, 7);
    assertThat(read(1)).containsExactly("told");
    assertThat(queue.read(1)).isEqualTo(List.<Completion>of());
  }
}
