package io.tagfabric.fabric;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestInbox;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.CounterUnit;
import io.tagfabric.complete.Deferral;
import io.tagfabric.complete.DeferredOperation;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations that end in counters, or begin by them, whoever drives the domain. */
class BoundCounterTest {
  private static final ActorTestKit KIT = ActorTestKit.create("bound", ConfigFactory.load());
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private Domain domain;
  private Counter sent;
  private Counter received;
  private Endpoint from;
  private Endpoint to;
  private int peer;
  private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[100]);
  private final UnsafeBuffer into = new UnsafeBuffer(new byte[100]);

  private void open(ProgressMode mode, CounterUnit unit, Completions completions) {
    domain = Fabric.get(KIT.system()).openDomain("bound-" + NUMBER.incrementAndGet(), mode);
    sent = domain.openCounter(unit);
    received = domain.openCounter(unit);
    from = domain.openEndpoint("from", bindings(8).countingSends(sent).sends(completions));
    to = domain.openEndpoint("to", bindings(8).countingReceives(received).receives(completions));
    peer = domain.addressVector().insert(to.address());
  }

  private EndpointBindings bindings(int capacity) {
    return EndpointBindings.to(
        domain.openCompletionQueue(capacity), domain.openCompletionQueue(capacity));
  }

  @AfterEach
  void close() {
    domain.close(Duration.ZERO);
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private static void assertFails(FabricError error, ThrowingCallable call) {
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.error()).isEqualTo(error));
  }

  private void send(int length, long tag) {
    assertThat(from.sendTagged(peer, bytes, 0, length, tag, "send " + tag))
        .isEqualTo(Posted.POSTED);
  }

  private void receive(int capacity, long tag) {
    assertThat(to.postReceive(into, 0, capacity, tag, 0, TagSelector.ANY_SOURCE, "receive " + tag))
        .isEqualTo(Posted.POSTED);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldCountWhatLeavesNoEntry(ProgressMode mode) {
    open(mode, CounterUnit.OPERATIONS, Completions.ERRORS);
    for (int i = 1; i <= 30; i++) { // more than the queues have slots
      receive(10, i);
      send(10, i);
      assertThat(received.await(i, PATIENCE)).isTrue();
      assertThat(sent.await(i, PATIENCE)).isTrue();
    }
    assertThat(from.injectTagged(peer, bytes, 0, 5, 99)).isEqualTo(Posted.POSTED);
    assertThat(sent.await(31, PATIENCE)).isTrue();

    assertThat(received.value()).isEqualTo(30);
    assertThat(sent.errors() + received.errors()).isZero();
    assertThat(from.transmitQueue().read(10)).isEmpty();
    assertThat(to.receiveQueue().read(10)).isEmpty();
    assertThat(free(from.transmitQueue())).isEqualTo(8);
    assertThat(free(to.receiveQueue())).isEqualTo(8);
  }

  private static int free(CompletionQueue queue) {
    int free = 0;
    while (queue.ring().tryReserve()) {
      free++;
    }
    return free;
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldCountBytesAndStillTellWhoAsks(ProgressMode mode) {
    open(mode, CounterUnit.BYTES, Completions.ERRORS);
    receive(100, 1);
    from.post(TaggedSend.of(peer, bytes, 0, 70, 1).with(SendOptions.DEFAULT.told()), "told");
    assertThat(received.await(70, PATIENCE)).isTrue();
    assertThat(sent.await(70, PATIENCE)).isTrue();
    assertThat(from.transmitQueue().readBlocking(PATIENCE))
        .isEqualTo(new Completion.Sent("told", peer, 1, 70));

    to.post(
        TaggedReceive.of(TagSelector.exact(2)).into(into, 0, 100).completions(Completions.ALL),
        "told too");
    send(30, 2);
    assertThat(received.await(100, PATIENCE)).isTrue();
    assertThat(to.receiveQueue().readBlocking(PATIENCE).context()).isEqualTo("told too");
    assertThat(received.value()).isEqualTo(100);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldCountAndTellFailures(ProgressMode mode) {
    open(mode, CounterUnit.OPERATIONS, Completions.ERRORS);
    receive(5, 1);
    send(10, 1);
    Completion truncated = to.receiveQueue().readBlocking(PATIENCE);
    assertThat(((Completion.Failed) truncated).error()).isEqualTo(FabricError.TRUNCATED);
    assertThat(received.errors()).isEqualTo(1);

    Object context = new Object();
    to.postReceive(into, 0, 5, 2, 0, TagSelector.ANY_SOURCE, context);
    assertThat(to.futures().cancel(context).toCompletableFuture().join())
        .isEqualTo(new TagMatcher.Cancelled(context));
    assertThat(received.errors()).isEqualTo(2);
    assertThat(to.receiveQueue().readBlocking(PATIENCE).context()).isSameAs(context);
    from.sendTagged(99, bytes, 0, 1, 1, "to nobody");
    assertThat(((Completion.Failed) from.transmitQueue().readBlocking(PATIENCE)).error())
        .isEqualTo(FabricError.ADDRESS_NOT_AVAILABLE);
    assertThat(sent.errors()).isEqualTo(1);
    assertThat(received.value()).isZero();
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldCountFuturesAndActorsAndNothingTwice(ProgressMode mode) {
    open(mode, CounterUnit.OPERATIONS, Completions.ALL);
    CompletableFuture<TaggedMessage> message =
        to.futures().receiveTagged(TagSelector.exact(1)).toCompletableFuture();
    from.futures()
        .start(
            TaggedSend.of(peer, bytes, 1)
                .data(77)
                .with(SendOptions.DEFAULT.at(CompletionLevel.DELIVERY).fence()))
        .toCompletableFuture()
        .join();
    assertThat(message.join().data()).isEqualTo(77);
    assertThat(sent.value()).isEqualTo(1);
    assertThat(received.value()).isEqualTo(1);

    var inbox = TestInbox.<Completion>create();
    from.ref()
        .tell(new Endpoint.SendTagged(TaggedSend.of(peer, bytes, 0, 1, 2), null, inbox.getRef()));
    assertThat(sent.await(2, PATIENCE)).isTrue();
    assertThat(sent.value()).isEqualTo(2);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                from.futures()
                    .start(TaggedSend.of(peer, bytes, 3).with(SendOptions.DEFAULT.silent())))
        .withMessageContaining("never complete");
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldNotBeSetWhileSomethingCounts(ProgressMode mode) {
    open(mode, CounterUnit.OPERATIONS, Completions.ALL);
    receive(10, 1);
    assertFails(FabricError.BUSY, () -> received.set(5));
    assertFails(FabricError.BUSY, () -> received.setErrors(5));
    assertFails(FabricError.BUSY, received::close);
    send(1, 1);
    assertThat(received.await(1, PATIENCE)).isTrue();
    assertThat(domain.await(() -> isIdle(received), PATIENCE)).isTrue();
    assertThat(received.value()).isEqualTo(5);

    to.close(Duration.ZERO).toCompletableFuture().join();
    received.close();
    assertFails(
        FabricError.BAD_STATE,
        () -> domain.openEndpoint("late", bindings(1).countingReceives(received)));
    assertThat(domain.endpoints()).containsExactly(from);
  }

  private static boolean isIdle(Counter counter) {
    try {
      counter.set(5);
      return true;
    } catch (FabricException busy) {
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldRefuseWhatIsOfAnotherDomain(ProgressMode mode) {
    open(mode, CounterUnit.OPERATIONS, Completions.ALL);
    Domain other = Fabric.get(KIT.system()).openDomain("other-" + NUMBER.incrementAndGet(), mode);
    try {
      Counter theirs = other.openCounter();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> domain.openEndpoint("x", bindings(1).countingSends(theirs)))
          .withMessageContaining("DOMAIN");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sent.defer(1, DeferredOperation.add(theirs, 1)))
          .withMessageContaining("DOMAIN");
    } finally {
      other.close(Duration.ZERO);
    }
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldHoldAFencedSendUntilAllBeforeItHaveCompleted(ProgressMode mode) {
    open(mode, CounterUnit.OPERATIONS, Completions.ALL);
    from.post(TaggedSend.of(peer, bytes, 0, 10, 1).level(CompletionLevel.MATCH), "first");
    from.post(TaggedSend.of(peer, bytes, 0, 10, 2).with(SendOptions.DEFAULT.fence()), "fenced");
    from.sendTagged(peer, bytes, 0, 10, 3, "after it");
    waitFor(1);
    settle();
    assertThat(waiting()).containsExactly(1L);
    assertThat(from.transmitQueue().read(9)).isEmpty();

    receive(10, 1);
    List<Object> ended = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ended.add(from.transmitQueue().readBlocking(PATIENCE).context());
    }
    assertThat(ended).containsExactly("first", "fenced", "after it");
    waitFor(2);
    assertThat(waiting()).containsExactly(2L, 3L);
  }

  /** Lets whatever could still arrive do so. */
  private void settle() {
    for (int i = 0; i < 50; i++) {
      from.futures().flows().toCompletableFuture().join();
      to.futures().flows().toCompletableFuture().join();
    }
  }

  private void waitFor(int messages) {
    for (int i = 0; i < 100_000 && waiting().size() < messages; i++) {
      Thread.onSpinWait();
    }
    assertThat(waiting()).hasSizeGreaterThanOrEqualTo(messages);
  }

  private List<Long> waiting() {
    return to.futures().waiting().toCompletableFuture().join().messages().stream()
        .map(each -> each.tag())
        .toList();
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldSendSeveralBuffersAsOneMessageAndDataWithAnyOfThem(ProgressMode mode) {
    open(mode, CounterUnit.OPERATIONS, Completions.ALL);
    UnsafeBuffer one = new UnsafeBuffer("one ".getBytes(UTF_8));
    UnsafeBuffer two = new UnsafeBuffer("two".getBytes(UTF_8));
    from.post(TaggedSend.ofParts(peer, List.of(one, two), 1), "vector");
    one.setMemory(0, 4, (byte) 'x');
    TaggedMessage whole =
        to.futures().receiveTagged(TagSelector.exact(1)).toCompletableFuture().join();
    assertThat(new String(whole.payload().array(), UTF_8)).isEqualTo("one two");

    from.inject(TaggedSend.of(peer, two, 0, 3, 2).data(-5));
    from.post(TaggedSend.of(peer, two, 0, 3, 3).data(-6).level(CompletionLevel.MATCH), "match");
    assertThat(received(2).data()).isEqualTo(-5);
    assertThat(received(2 + 1).data()).isEqualTo(-6);
    UnsafeBuffer kibi = new UnsafeBuffer(new byte[1024]);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                from.post(
                    TaggedSend.ofParts(
                        peer,
                        Collections.nCopies(1 + from.settings().maxMessageBytes() / 1024, kibi),
                        1),
                    null))
        .withMessageContaining("raise tagfabric.endpoint.max-message-size");
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldFillSeveralBuffersWithOneMessage(ProgressMode mode) {
    open(mode, CounterUnit.OPERATIONS, Completions.ALL);
    UnsafeBuffer one = new UnsafeBuffer(new byte[4]);
    UnsafeBuffer none = new UnsafeBuffer(new byte[0]);
    UnsafeBuffer two = new UnsafeBuffer(new byte[50_000]);
    byte[] message = new byte[40_000];
    for (int i = 0; i < message.length; i++) {
      message[i] = (byte) (i * 31);
    }
    for (int length : new int[] {0, 3, 4, 5, 1_000, 40_000}) {
      one.setMemory(0, 4, (byte) 99);
      two.setMemory(0, 50_000, (byte) 99);
      to.post(TaggedReceive.of(TagSelector.exact(length)).into(List.of(one, none, two)), "vector");
      from.sendTagged(peer, new UnsafeBuffer(message), 0, length, length, "send");
      Completion came = to.receiveQueue().readBlocking(PATIENCE);
      from.transmitQueue().readBlocking(PATIENCE);
      assertThat(((Completion.Received) came).length()).isEqualTo(length);
      for (int i = 0; i < 50_004; i++) {
        byte found = i < 4 ? one.getByte(i) : two.getByte(i - 4);
        assertThat(found).isEqualTo(i < length ? message[i] : (byte) 99);
      }
    }
    to.post(TaggedReceive.of(TagSelector.exact(7)).into(List.of(one)), "short");
    from.sendTagged(peer, new UnsafeBuffer(message), 0, 9, 7, "long");
    Completion.Failed truncated = (Completion.Failed) to.receiveQueue().readBlocking(PATIENCE);
    assertThat(truncated.error()).isEqualTo(FabricError.TRUNCATED);
    assertThat(one.getByte(3)).isEqualTo(message[3]);
  }

  private TaggedMessage received(long tag) {
    return to.futures().receiveTagged(TagSelector.exact(tag)).toCompletableFuture().join();
  }

  // ---- deferred ----

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldStartByThresholdThenInTheOrderDeferred(ProgressMode mode) {
    open(mode, CounterUnit.OPERATIONS, Completions.ALL);
    Counter trigger = domain.openCounter();
    long[][] thresholdsAndTags = {{3, 31}, {2, 21}, {3, 32}, {1, 11}, {2, 22}, {9, 91}};
    List<Deferral> deferrals = new ArrayList<>();
    for (long[] each : thresholdsAndTags) {
      deferrals.add(trigger.defer(each[0], deferredSend(each[1])));
    }
    settle();
    assertThat(waiting()).isEmpty();
    assertThat(from.deferred().waitingCount()).isEqualTo(6);
    trigger.addErrors(1); // starts nothing, and ends nothing
    settle();
    assertThat(waiting()).isEmpty();
    trigger.add(3);
    waitFor(5);
    assertThat(waiting()).containsExactly(11L, 21L, 22L, 31L, 32L);
    assertThat(deferrals.get(0).hasStarted()).isTrue();

    Deferral last = deferrals.get(5);
    assertThat(last.isWaiting()).isTrue();
    assertThat(from.deferred().waitingCount()).isEqualTo(1);
    assertThat(last.cancel().toCompletableFuture().join()).isTrue();
    assertThat(last.cancel().toCompletableFuture().join()).isFalse();
    trigger.add(100);
    trigger.defer(50, deferredSend(5)); // reached already
    waitFor(6);
    assertThat(waiting()).endsWith(5L).doesNotContain(91L);
    assertThat(from.deferred().waitingCount()).isZero();
    assertThat(failures(from.transmitQueue())).containsExactly("91 CANCELED");
  }

  private DeferredOperation deferredSend(long tag) {
    return from.deferred().send(TaggedSend.of(peer, bytes, 0, 10, tag), tag);
  }

  private List<String> failures(CompletionQueue queue) {
    List<String> failures = new ArrayList<>();
    Completion next;
    while ((next = queue.readBlocking(Duration.ofMillis(20))) != null) {
      if (next instanceof Completion.Failed failed) {
        failures.add(failed.context() + " " + failed.error());
      }
    }
    return failures;
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldRunChains(ProgressMode mode) {
    open(mode, CounterUnit.OPERATIONS, Completions.ERRORS);
    Counter done = domain.openCounter();
    Counter flag = domain.openCounter();
    // A deferred receive, a send when it is time, and what counts their ends.
    Counter go = domain.openCounter();
    go.defer(
        1,
        to.deferred()
            .receive(
                TaggedReceive.of(TagSelector.exact(7))
                    .into(into, 0, 50)
                    .completions(Completions.ERRORS),
                "r"));
    go.defer(
        2,
        from.deferred()
            .send(TaggedSend.of(peer, bytes, 0, 50, 7).with(SendOptions.DEFAULT.silent()), "s"));
    received.defer(1, DeferredOperation.add(done, 10));
    done.defer(10, DeferredOperation.set(flag, 42));
    go.add(1);
    settle();
    assertThat(received.value()).isZero();
    go.add(1);

    assertThat(flag.await(42, PATIENCE)).isTrue();
    assertThat(done.value()).isEqualTo(10);
    assertThat(received.value()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldCountAnErrorWhereACounterCannotBeSet(ProgressMode mode) {
    open(mode, CounterUnit.OPERATIONS, Completions.ERRORS);
    Counter trigger = domain.openCounter();
    trigger.defer(1, DeferredOperation.set(received, 42));
    trigger.defer(2, DeferredOperation.set(received, 43));
    receive(10, 1); // it will be counted
    trigger.add(1);
    settle();
    assertThat(received.value()).isZero();
    assertThat(received.errors()).isEqualTo(1);

    send(10, 1);
    assertThat(received.await(1, 1, PATIENCE)).isTrue();
    trigger.add(1);
    assertThat(received.await(43, 1, PATIENCE)).isTrue();
    assertThat(received.errors()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldTakeBackWhatWaits(ProgressMode mode) {
    open(mode, CounterUnit.OPERATIONS, Completions.ERRORS);
    Counter never = domain.openCounter();
    for (long tag = 1; tag <= 8; tag++) {
      never.defer(tag, deferredSend(tag));
    }
    assertFails(FabricError.AGAIN, () -> never.defer(1, deferredSend(9)));
    assertThat(domain.flushDeferred().toCompletableFuture().join()).isEqualTo(8);
    assertThat(failures(from.transmitQueue()))
        .hasSize(8)
        .allMatch(failure -> failure.endsWith("CANCELED"));

    DeferredOperation once = deferredSend(10);
    never.defer(1, once);
    assertThatIllegalStateException().isThrownBy(() -> never.defer(1, once));
    List<String> inOrder = new ArrayList<>(List.of("10 CANCELED"));
    for (long tag = 11; tag <= 17; tag++) {
      never.defer(20 - tag, deferredSend(tag));
      inOrder.add(tag + " CANCELED");
    }
    from.close(Duration.ofSeconds(1)).toCompletableFuture().join();
    assertThat(failures(from.transmitQueue())).isEqualTo(inOrder);
    assertThatIllegalStateException().isThrownBy(() -> never.defer(1, deferredSend(18)));

    never.defer(
        1,
        to.deferred()
            .receive(
                TaggedReceive.of(TagSelector.exact(1))
                    .into(into, 0, 1)
                    .completions(Completions.ERRORS),
                "closed with it"));
    never.close();
    assertThat(failures(to.receiveQueue())).containsExactly("closed with it CANCELED");
    assertFails(FabricError.BAD_STATE, () -> never.defer(1, DeferredOperation.add(sent, 1)));
  }
}
