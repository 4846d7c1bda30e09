package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.Posted;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A million messages for a receiver that does not post, from a sender that never lets up. */
class UnexpectedFloodTest {
  private static final int MESSAGES = 1_000_000;
  private static final int BYTES = 40;
  private static final int CREDITS = 10_000;
  private static final long BUDGET = 256 * 1024;
  private static final int QUEUE = 4096;
  private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(120);

  /** A sender that is refused for so many passes of both sides has stalled for good. */
  private static final int STALLED_PASSES = 2_000;

  /** A place of the receiver's buffer. Long and short messages do not complete in one order. */
  private static final class Slot {
    final int index;
    int number;

    Slot(int index) {
      this.index = index;
    }
  }

  private final ArrayDeque<Slot> free = new ArrayDeque<>();
  private final List<ActorSystem<Void>> systems = new ArrayList<>();
  private final UnsafeBuffer outgoing = new UnsafeBuffer(new byte[BYTES]);
  private final UnsafeBuffer incoming = new UnsafeBuffer(new byte[QUEUE * BYTES]);
  private int sent;
  private int posted;
  private int received;

  @AfterEach
  void stop() {
    ContractSystems.stop(systems);
  }

  private Domain open(ActorSystem<Void> system, String name) {
    return Fabric.get(system).openDomain(name, ProgressMode.MANUAL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm"})
  void shouldKeepWithinTheBudgetAndTheOrderWhenAMillionMessagesFindNoReceive(String provider) {
    ActorSystem<Void> system =
        ContractSystems.start(
            provider,
            "flood",
            "tagfabric.flow { message-credits = "
                + CREDITS
                + ", eager-credit = 256 KiB, unexpected-budget = "
                + BUDGET
                + " }");
    systems.add(system);
    Domain nearDomain = open(system, "near");
    Domain farDomain = open(system, "far");
    Endpoint near = nearDomain.openEndpoint("near");
    Endpoint far = farDomain.openEndpoint("far");
    int peer = nearDomain.addressVector().insert(far.address());
    long deadlineNs = System.nanoTime() + DEADLINE_NS;

    for (int i = 0; i < QUEUE; i++) {
      free.add(new Slot(i));
    }
    int refusedPasses = 0;
    while (refusedPasses < STALLED_PASSES) {
      refusedPasses = sendMore(near, peer) ? 0 : refusedPasses + 1;
      farDomain.loop().advance();
      assertThat(System.nanoTime() - deadlineNs).as("the sender stalls").isNegative();
    }

    TagMatcher.State flooded = state(far, nearDomain, farDomain);
    assertThat(sent).isBetween(CREDITS, MESSAGES - 1);
    assertThat(flooded.unexpectedMessages()).isEqualTo(CREDITS);
    assertThat(flooded.unexpectedBytes()).isBetween(BUDGET / 2, BUDGET);
    while (received < MESSAGES) {
      sendMore(near, peer);
      postMore(far);
      far.receiveQueue().read(this::onReceived, QUEUE);
      assertThat(System.nanoTime() - deadlineNs).as("received=%d", received).isNegative();
    }
    TagMatcher.State drained = state(far, nearDomain, farDomain);
    assertThat(drained.unexpectedMessages()).isZero();
    assertThat(drained.unexpectedBytes()).isZero();
    assertThat(drained.peakUnexpectedBytes()).isLessThanOrEqualTo(BUDGET);
    nearDomain.close(Duration.ZERO);
    farDomain.close(Duration.ZERO);
  }

  private boolean sendMore(Endpoint near, int peer) {
    int before = sent;
    near.transmitQueue().read(UnexpectedFloodTest::requireSuccess, QUEUE);
    while (sent < MESSAGES) {
      outgoing.putInt(0, sent);
      if (near.injectTagged(peer, outgoing, 0, BYTES, sent & 7) == Posted.TRY_AGAIN) {
        break;
      }
      sent++;
    }
    return sent > before;
  }

  private void postMore(Endpoint far) {
    Slot slot;
    while (posted < MESSAGES && (slot = free.peekLast()) != null) {
      slot.number = posted;
      if (far.postReceive(
              incoming, slot.index * BYTES, BYTES, posted & 7, 0, TagSelector.ANY_SOURCE, slot)
          == Posted.TRY_AGAIN) {
        return;
      }
      free.removeLast();
      posted++;
    }
  }

  private void onReceived(CompletionEntry entry) {
    requireSuccess(entry);
    Slot slot = (Slot) entry.context();
    assertThat(incoming.getInt(slot.index * BYTES)).isEqualTo(slot.number);
    free.addLast(slot);
    received++;
  }

  private static void requireSuccess(CompletionEntry entry) {
    assertThat(entry.kind()).as(entry.detail()).isNotEqualTo(CompletionEntry.Kind.FAILED);
  }

  private static TagMatcher.State state(Endpoint far, Domain nearDomain, Domain farDomain) {
    CompletionStage<TagMatcher.State> asked = far.futures().matcherState();
    farDomain.await(
        () -> {
          nearDomain.loop().advance();
          return asked.toCompletableFuture().isDone();
        },
        Duration.ofSeconds(60));
    return asked.toCompletableFuture().join();
  }
}
