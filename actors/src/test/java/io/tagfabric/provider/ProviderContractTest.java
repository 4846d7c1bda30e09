package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Direction;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.EndpointKind;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.fabric.FabricHints;
import io.tagfabric.flow.FlowState;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.SizeClasses;
import io.tagfabric.kryo.KryoCodecException;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.Claim;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.Probe;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What every provider owes: one sender `near`, one receiver `far`, and whatever the provider and
 * the progress mode, the same outcome. Subclasses say which.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProviderContractTest {
  private static final Duration DRAIN = Duration.ofSeconds(20);
  private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(100);
  private static final long DATAGRAM_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final ContractSystems systems;
  private final ProgressMode mode;
  private final int manyMessages;
  private final List<Domain> domains = new ArrayList<>();
  private Domain nearDomain;
  private Domain farDomain;
  Side near;
  Side far;
  private long replayedPackets;
  int toFar;
  int fromNear;

  ProviderContractTest(ContractSystems systems, ProgressMode mode, int manyMessages) {
    this.systems = systems;
    this.mode = mode;
    this.manyMessages = manyMessages;
  }

  @BeforeAll
  void startSystems() {
    systems.start();
  }

  @AfterAll
  void stopSystems() {
    systems.stop();
    assertThat(replayedPackets > 0 || !systems.losesPackets()).as("packets were lost").isTrue();
  }

  @BeforeEach
  void open() {
    nearDomain = domain(systems.near());
    farDomain = domain(systems.far());
    near = side(nearDomain, "near");
    far = side(farDomain, "far");
    toFar = near.indexOf(far);
    fromNear = far.indexOf(near);
  }

  @AfterEach
  void close() {
    replayedPackets += replayedPackets(near) + replayedPackets(far);
    domains.forEach(domain -> domain.close(Duration.ZERO));
    domains.clear();
  }

  private long replayedPackets(Side side) {
    return result(side.endpoint.futures().flows()).flows().stream()
        .mapToLong(flow -> flow.counters().packetsReplayed())
        .sum();
  }

  private Domain domain(ActorSystem<?> system) {
    Domain domain = Fabric.get(system).openDomain("d" + NUMBER.incrementAndGet(), mode);
    domains.add(domain);
    return domain;
  }

  private static Side side(Domain domain, String name) {
    return new Side(domain, name, Side.QUEUE_SIZE, domain.endpointDefaults());
  }

  /** Lets both sides make progress until the condition holds. */
  void until(String what, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + DEADLINE_NS;
    while (!condition.getAsBoolean()) {
      if (near.poll() + far.poll() == 0) {
        Thread.yield();
      }
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError(
            "waited in vain until "
                + what
                + ": near sent "
                + near.sent.size()
                + " received "
                + near.received.size()
                + ", far sent "
                + far.sent.size()
                + " received "
                + far.received.size());
      }
    }
  }

  private void untilReceived(int count) {
    until(count + " received", () -> far.received.size() >= count);
  }

  private <T> T result(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    until("a future is done", future::isDone);
    return future.join();
  }

  private FabricException failure(CompletionStage<?> stage) throws InterruptedException {
    CompletableFuture<?> future = stage.toCompletableFuture();
    until("a future is done", future::isDone);
    try {
      future.get();
    } catch (ExecutionException e) {
      return (FabricException) e.getCause();
    }
    throw new AssertionError("the future did not fail");
  }

  private TagMatcher.State farState() {
    return result(far.endpoint.futures().matcherState());
  }

  /** Waits until so many messages wait at the far side. */
  private TagMatcher.State untilUnexpected(int count) {
    while (true) {
      TagMatcher.State state = farState();
      if (state.unexpectedMessages() >= count) {
        return state;
      }
    }
  }

  private EndpointSettings settings(int eagerLimit, long eagerCredit, int messageCredits) {
    EndpointSettings defaults = nearDomain.endpointDefaults();
    FlowSettings flow = defaults.flow();
    SizeClasses sizes =
        new SizeClasses(eagerLimit, 0, flow.sizes().windowBytes(), flow.sizes().windows());
    return defaults.withFlow(flow.withSizes(sizes).withCredit(eagerCredit, messageCredits));
  }

  // ---- probes ----

  private static final int LONG = 200_000;

  /** The completion of the last probe or receive of the far side. */
  private Completion farNext(Posted posted) {
    assertThat(posted).isEqualTo(Posted.POSTED);
    int count = far.received.size() + 1;
    untilReceived(count);
    assertThat(far.received).hasSize(count);
    return far.lastReceived();
  }

  private void assertMiss(Completion completion, Object context) {
    assertThat(completion).isInstanceOf(Completion.Failed.class);
    Completion.Failed failed = (Completion.Failed) completion;
    assertThat(failed.error()).isEqualTo(FabricError.NO_MESSAGE);
    assertThat(failed.context()).isEqualTo(context);
  }

  private void assertFound(Completion completion, Object context, long tag, int length) {
    assertThat(completion)
        .isEqualTo(new Completion.Received(context, fromNear, tag, length, false, 0));
  }

  @Test
  void shouldSeeClaimAndDiscardWhatWaitsAndNothingElse() {
    int[] lengths = {8, 0, 3_000, 20_000, LONG, 8, 40, 3_000, LONG, 1};
    for (int i = 0; i < lengths.length; i++) {
      near.send(toFar, Side.pattern(lengths[i], i), 0x900d + i);
    }
    untilUnexpected(lengths.length);
    Endpoint endpoint = far.endpoint;
    Claim claim = new Claim();
    Claim other = new Claim();

    assertMiss(farNext(endpoint.post(Probe.peek(TagSelector.exact(0xbad)), "absent")), "absent");
    assertMiss(
        farNext(endpoint.post(Probe.claim(TagSelector.exact(0xbad), claim), "absent")), "absent");
    assertMiss(farNext(endpoint.post(Probe.discard(TagSelector.exact(0xbad)), "absent")), "absent");

    assertFound(farNext(endpoint.post(Probe.peek(TagSelector.exact(0x900d)), "a")), "a", 0x900d, 8);
    assertFound(
        farNext(endpoint.post(Probe.peek(TagSelector.exact(0x900d).from(fromNear)), "b")),
        "b",
        0x900d,
        8);
    far.post(8, 0x900d);
    assertThat(messageIn(farNext(Posted.POSTED))).isEqualTo(Side.pattern(8, 0));
    assertMiss(farNext(endpoint.post(Probe.peek(TagSelector.exact(0x900d)), "c")), "c");

    for (int i : new int[] {2, 4}) {
      assertFound(
          farNext(endpoint.post(Probe.claim(TagSelector.exact(0x900d + i), claim), "d")),
          "d",
          0x900d + i,
          lengths[i]);
      assertThat(claim.info()).isEqualTo(new MessageInfo(fromNear, 0x900d + i, lengths[i]));
      assertMiss(
          farNext(endpoint.post(Probe.claim(TagSelector.exact(0x900d + i), other), "taken")),
          "taken");
      byte[] buffer = new byte[lengths[i]];
      assertThat(
              messageIn(
                  farNext(
                      endpoint.post(
                          TaggedReceive.of(claim).into(new UnsafeBuffer(buffer), 0, lengths[i]),
                          buffer))))
          .isEqualTo(Side.pattern(lengths[i], i));
    }
    assertFound(
        farNext(endpoint.post(Probe.discard(TagSelector.exact(0x900d + 3)), "e")),
        "e",
        0x900d + 3,
        20_000);
    assertMiss(farNext(endpoint.post(Probe.peek(TagSelector.exact(0x900d + 3)), "f")), "f");
    assertFound(
        farNext(endpoint.post(Probe.claim(TagSelector.exact(0x900d + 8), claim), "g")),
        "g",
        0x900d + 8,
        LONG);
    assertFound(farNext(endpoint.post(Probe.discard(claim), "h")), "h", 0x900d + 8, LONG);
    Completion none = farNext(endpoint.post(Probe.discard(claim), "i"));
    assertThat(((Completion.Failed) none).error()).isEqualTo(FabricError.INVALID);

    assertThat(farState().claimedMessages()).isZero();
    for (int i : new int[] {9, 7, 6, 5, 1}) {
      far.post(lengths[i], 0x900d + i);
      assertThat(messageIn(farNext(Posted.POSTED))).isEqualTo(Side.pattern(lengths[i], i));
    }
    until("all sends have completed", () -> near.sent.size() == lengths.length);
    assertThat(near.sent).allMatch(each -> each instanceof Completion.Sent);
    assertThat(farState().unexpectedBytes()).isZero();
  }

  @Test
  void shouldCompleteSendsOfEveryLevelWhenTheirMessagesAreDiscarded() {
    int[] lengths = {0, 8, 20_000, LONG};
    int count = 0;
    for (CompletionLevel level : CompletionLevel.values()) {
      for (int length : lengths) {
        near.send(toFar, Side.pattern(length, 1), 7, level);
        count++;
      }
    }
    untilUnexpected(count);
    Claim claim = new Claim();
    for (int i = 0; i < count; i++) {
      if (i % 2 == 0) {
        assertFound(
            farNext(far.endpoint.post(Probe.discard(TagSelector.exact(7)), i)),
            i,
            7,
            lengths[i % 4]);
      } else {
        assertFound(
            farNext(far.endpoint.post(Probe.claim(TagSelector.exact(7), claim), i)),
            i,
            7,
            lengths[i % 4]);
        assertFound(farNext(far.endpoint.post(Probe.discard(claim), i)), i, 7, lengths[i % 4]);
      }
    }
    int sends = count;
    until("all sends have completed", () -> near.sent.size() == sends);
    assertThat(near.sent).allMatch(each -> each instanceof Completion.Sent);
    assertMiss(farNext(far.endpoint.post(Probe.peek(TagSelector.masked(0, -1L)), "left")), "left");
  }

  @Test
  void shouldProbeWithFutures() throws InterruptedException {
    TagSelector selector = TagSelector.exact(7);
    assertThat(failure(far.endpoint.futures().start(Probe.peek(selector))).error())
        .isEqualTo(FabricError.NO_MESSAGE);
    byte[] bytes = Side.pattern(LONG, 3);
    near.endpoint.post(TaggedSend.of(toFar, new UnsafeBuffer(bytes), 0, LONG, 7).data(99), "data");
    near.send(toFar, new byte[5], 7);
    untilUnexpected(2);

    MessageInfo info = result(far.endpoint.futures().start(Probe.peek(selector)));
    assertThat(info).isEqualTo(new MessageInfo(fromNear, true, 7, LONG, true, 99));
    Claim claim = new Claim();
    result(far.endpoint.futures().start(Probe.claim(selector, claim)));
    assertThat(claim.info()).isEqualTo(info);
    assertThat(result(far.endpoint.futures().waiting()).messages()).hasSize(2);
    assertThat(result(far.endpoint.futures().start(Probe.discard(selector))).lengthBytes())
        .isEqualTo(5);
    TaggedMessage message = result(far.endpoint.futures().receive(TaggedReceive.of(claim)));
    assertThat(message.payload().array()).isEqualTo(bytes);
    assertThat(message.data()).isEqualTo(99);
    assertThat(failure(far.endpoint.futures().receive(TaggedReceive.of(claim))).error())
        .isEqualTo(FabricError.INVALID);
    assertThat(failure(near.endpoint.futures().start(Probe.discard(claim))).error())
        .isEqualTo(FabricError.INVALID);
  }

  @Test
  void shouldProbeByMessages() {
    Queue<Object> outcomes = new ConcurrentLinkedQueue<>();
    ActorRef<Object> replyTo = recorder(outcomes);
    near.send(toFar, Side.pattern(LONG, 4), 7);
    near.send(toFar, new byte[3], 7);
    untilUnexpected(2);
    TagSelector selector = TagSelector.exact(7);
    ActorRef<TagMatcher.Command> matcher = far.endpoint.matcher();

    matcher.tell(new TagMatcher.PostProbe(Probe.peek(selector), "p", replyTo));
    matcher.tell(new TagMatcher.PostProbe(Probe.claim(selector, new Claim()), "c", replyTo));
    matcher.tell(new TagMatcher.PostProbe(Probe.discard(selector), "d", replyTo));
    matcher.tell(new TagMatcher.PostProbe(Probe.peek(selector), "m", replyTo));
    until("all are answered", () -> outcomes.size() == 4);

    assertThat(outcomes.poll())
        .isEqualTo(new TagMatcher.Found("p", new MessageInfo(fromNear, 7, LONG)));
    TagMatcher.Claimed claimed = (TagMatcher.Claimed) outcomes.poll();
    assertThat(claimed.context()).isEqualTo("c");
    assertThat(outcomes.poll())
        .isEqualTo(new TagMatcher.Found("d", new MessageInfo(fromNear, 7, 3)));
    assertThat(((TagMatcher.NotFound) outcomes.poll()).failure().error())
        .isEqualTo(FabricError.NO_MESSAGE);

    matcher.tell(
        new TagMatcher.PostReceive(TaggedReceive.of(claimed.claim()).atMost(LONG), "r", replyTo));
    until("the claim is received", () -> !outcomes.isEmpty());
    TagMatcher.Received received = (TagMatcher.Received) outcomes.poll();
    assertThat(received.message().payload().array()).isEqualTo(Side.pattern(LONG, 4));
  }

  private void sendUntagged(byte[] bytes) {
    near.endpoint.post(TaggedSend.untagged(toFar, new UnsafeBuffer(bytes), 0, bytes.length), bytes);
  }

  private MessageInfo untagged(int length) {
    return new MessageInfo(fromNear, false, 0, length, false, 0);
  }

  private Completion.Received foundUntagged(Object context, int length) {
    return new Completion.Received(context, fromNear, false, 0, 0, length, false, 0);
  }

  @Test
  void shouldProbeMessagesWithoutATagApartFromThoseWithOne() throws InterruptedException {
    Endpoint endpoint = far.endpoint;
    near.send(toFar, new byte[5], 0);
    untilUnexpected(1);
    Completion miss = farNext(endpoint.post(Probe.peekUntagged(-1), "a"));
    assertMiss(miss, "a");
    assertThat(((Completion.Failed) miss).tagged()).isFalse();
    assertThat(failure(endpoint.futures().start(Probe.peekUntagged(fromNear))).error())
        .isEqualTo(FabricError.NO_MESSAGE);

    int[] lengths = {LONG, 8, LONG, 3_000, 40};
    for (int i = 0; i < lengths.length; i++) {
      sendUntagged(Side.pattern(lengths[i], i));
    }
    untilUnexpected(1 + lengths.length);
    assertThat(farNext(endpoint.post(Probe.peekUntagged(fromNear), "b")))
        .isEqualTo(foundUntagged("b", LONG));
    Claim claim = new Claim();
    assertThat(farNext(endpoint.post(Probe.claimUntagged(-1, claim), "c")))
        .isEqualTo(foundUntagged("c", LONG));
    assertThat(claim.info()).isEqualTo(untagged(LONG));
    assertThat(farNext(endpoint.post(Probe.discardUntagged(-1), "d")))
        .isEqualTo(foundUntagged("d", 8));
    UnsafeBuffer into = new UnsafeBuffer(new byte[LONG]);
    assertThat(farNext(endpoint.post(TaggedReceive.of(claim).into(into, 0, LONG), "e")))
        .isEqualTo(foundUntagged("e", LONG));
    assertThat(into.byteArray()).isEqualTo(Side.pattern(LONG, 0));

    assertThat(result(endpoint.futures().start(Probe.peekUntagged(-1)))).isEqualTo(untagged(LONG));
    Claim second = new Claim();
    result(endpoint.futures().start(Probe.claimUntagged(fromNear, second)));
    assertThat(result(endpoint.futures().start(Probe.discardUntagged(-1))))
        .isEqualTo(untagged(3_000));
    assertThat(result(endpoint.futures().receive(TaggedReceive.of(second))).payload().array())
        .isEqualTo(Side.pattern(LONG, 2));

    Queue<Object> outcomes = new ConcurrentLinkedQueue<>();
    ActorRef<Object> replyTo = recorder(outcomes);
    endpoint.matcher().tell(new TagMatcher.PostProbe(Probe.peekUntagged(-1), "f", replyTo));
    endpoint
        .matcher()
        .tell(new TagMatcher.PostProbe(Probe.claimUntagged(fromNear, new Claim()), "g", replyTo));
    endpoint.matcher().tell(new TagMatcher.PostProbe(Probe.discardUntagged(-1), "h", replyTo));
    until("all are answered", () -> outcomes.size() == 3);
    assertThat(outcomes.poll()).isEqualTo(new TagMatcher.Found("f", untagged(40)));
    Claim third = ((TagMatcher.Claimed) outcomes.poll()).claim();
    TagMatcher.NotFound none = (TagMatcher.NotFound) outcomes.poll();
    assertThat(none.failure().error()).isEqualTo(FabricError.NO_MESSAGE);
    assertThat(none.failure().tagged()).isFalse();
    TagMatcher.Waiting waiting = result(endpoint.futures().waiting());
    assertThat(waiting.messages()).containsExactly(new MessageInfo(fromNear, 0, 5), untagged(40));
    endpoint.matcher().tell(new TagMatcher.PostProbe(Probe.discard(third), "i", replyTo));
    until("the claim is discarded", () -> !outcomes.isEmpty());
    assertThat(outcomes.poll()).isEqualTo(new TagMatcher.Found("i", untagged(40)));
    until("all sends have completed", () -> near.sent.size() == 1 + lengths.length);
    assertThat(near.sent).allMatch(each -> each instanceof Completion.Sent);
  }

  @Test
  void shouldShowReceivesOfMessagesWithoutATagAsSuch() {
    far.endpoint.post(
        TaggedReceive.untagged(fromNear).into(new UnsafeBuffer(new byte[1]), 0, 1), "untagged");
    far.endpoint.postReceive(new UnsafeBuffer(new byte[1]), 0, 1, 7, 0, -1, "tagged");

    assertThat(result(far.endpoint.futures().waiting()).receives())
        .extracting(Object::toString)
        .containsExactly("tag 0x7 from any", "untagged from " + fromNear);
  }

  @Test
  void shouldFailToReceiveALongClaimedMessageWhoseSenderHasClosed() {
    near.send(toFar, Side.pattern(LONG, 1), 7);
    near.send(toFar, Side.pattern(100, 2), 8);
    untilUnexpected(2);
    Claim longer = new Claim();
    Claim shorter = new Claim();
    farNext(far.endpoint.post(Probe.claim(TagSelector.exact(7), longer), "longer"));
    farNext(far.endpoint.post(Probe.claim(TagSelector.exact(8), shorter), "shorter"));
    result(near.endpoint.close(Duration.ZERO));
    until(
        "the far side knows",
        () ->
            farNext(far.endpoint.post(Probe.peek(TagSelector.exact(9).from(fromNear)), "p"))
                    instanceof Completion.Failed failed
                && failed.error() == FabricError.SHUTDOWN);

    byte[] buffer = new byte[LONG];
    Completion lost =
        farNext(
            far.endpoint.post(
                TaggedReceive.of(longer).into(new UnsafeBuffer(buffer), 0, LONG), buffer));
    assertThat(((Completion.Failed) lost).error()).isEqualTo(FabricError.SHUTDOWN);
    byte[] small = new byte[100];
    assertThat(
            messageIn(
                farNext(
                    far.endpoint.post(
                        TaggedReceive.of(shorter).into(new UnsafeBuffer(small), 0, 100), small))))
        .isEqualTo(Side.pattern(100, 2));
  }

  @Test
  void shouldHoldTheSenderWhileItsMessagesAreClaimed() {
    Side thrifty = new Side(farDomain, "thrifty", Side.QUEUE_SIZE, settings(4_096, 65_536, 4));
    int toThrifty = near.indexOf(thrifty);
    for (int i = 0; i < 5; i++) {
      near.send(toThrifty, new byte[] {(byte) i}, i);
    }
    while (result(thrifty.endpoint.futures().matcherState()).unexpectedMessages() < 4) {
      near.poll();
    }
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Claim claim = new Claim();
      result(thrifty.endpoint.futures().start(Probe.claim(TagSelector.exact(i), claim)));
      claims.add(claim);
    }
    TagMatcher.State full = result(thrifty.endpoint.futures().matcherState());
    assertThat(full.unexpectedMessages()).as("the credit is used up").isZero();
    assertThat(full.claimedMessages()).isEqualTo(4);
    assertThat(full.unexpectedBytes()).isEqualTo(4);

    claims.forEach(claim -> result(thrifty.endpoint.futures().start(Probe.discard(claim))));
    while (result(thrifty.endpoint.futures().matcherState()).unexpectedMessages() < 1) {
      near.poll();
    }
    result(thrifty.endpoint.close(Duration.ZERO));
  }

  @Test
  void shouldEndClaimsAndProbesWithTheEndpoint() {
    near.send(toFar, Side.pattern(LONG, 1), 7);
    untilUnexpected(1);
    Claim claim = new Claim();
    result(far.endpoint.futures().start(Probe.claim(TagSelector.exact(7), claim)));
    result(far.endpoint.close(Duration.ZERO));
    assertThatIllegalStateException()
        .isThrownBy(() -> far.endpoint.post(Probe.peek(TagSelector.exact(7)), null));
    assertThatIllegalStateException()
        .isThrownBy(() -> far.endpoint.post(Probe.discard(claim), null));
    assertThatIllegalStateException()
        .isThrownBy(() -> far.endpoint.futures().receive(TaggedReceive.of(claim)));
    until("the sender hears of it", () -> near.sent.size() == 1);
    assertThat(((Completion.Failed) near.sent.get(0)).error()).isEqualTo(FabricError.SHUTDOWN);
  }

  // ---- order and matching ----

  // ---- without a tag, and many into one buffer ----

  @Test
  void shouldKeepMessagesWithAndWithoutATagApart() {
    int[] lengths = {0, 8, 20_000, LONG, 1, 3_000};
    UnsafeBuffer into = new UnsafeBuffer(new byte[LONG]);
    assertThat(far.endpoint.post(TaggedReceive.untagged(fromNear).into(into, 0, LONG), "before"))
        .isEqualTo(Posted.POSTED);
    for (int i = 0; i < lengths.length; i++) {
      near.send(toFar, Side.pattern(lengths[i], 10 + i), 0);
      near.endpoint.post(
          TaggedSend.untagged(toFar, new UnsafeBuffer(Side.pattern(lengths[i], i)), 0, lengths[i])
              .data(100 + i)
              .level(CompletionLevel.DELIVERY),
          "untagged " + i);
    }
    near.endpoint.inject(TaggedSend.untagged(toFar, new UnsafeBuffer(Side.pattern(7, 99)), 0, 7));
    for (int i = 0; i < lengths.length; i++) {
      Completion.Received received =
          (Completion.Received)
              farNext(
                  i == 0
                      ? Posted.POSTED
                      : far.endpoint.post(
                          TaggedReceive.untagged(-1).into(into, 0, LONG), "receive"));
      assertThat(received.tagged()).isFalse();
      assertThat(received.data()).isEqualTo(100 + i);
      assertThat(received.length()).isEqualTo(lengths[i]);
      byte[] bytes = new byte[lengths[i]];
      into.getBytes(0, bytes);
      assertThat(bytes).isEqualTo(Side.pattern(lengths[i], i));
    }
    assertThat(farNext(far.endpoint.post(TaggedReceive.untagged(-1).into(into, 0, 7), "injected")))
        .isEqualTo(new Completion.Received("injected", fromNear, false, 0, 0, 7, false, 0));
    for (int i = 0; i < lengths.length; i++) {
      far.post(lengths[i], 0);
      assertThat(messageIn(farNext(Posted.POSTED))).isEqualTo(Side.pattern(lengths[i], 10 + i));
    }
    until("all sends have completed", () -> near.sent.size() == 2 * lengths.length);
    assertThat(near.sent).filteredOn(each -> !((Completion.Sent) each).tagged()).hasSize(6);
    assertThat(farState().unexpectedMessages()).isZero();
  }

  @Test
  void shouldPutManyMessagesIntoOneBuffer() {
    int[] lengths = {LONG, 8, 0, 20_000, 3, LONG / 2, 12_000};
    int room = 2 * LONG;
    UnsafeBuffer first = new UnsafeBuffer(new byte[room]);
    UnsafeBuffer second = new UnsafeBuffer(new byte[room]);
    TagSelector any = TagSelector.any();
    assertThat(far.endpoint.post(TaggedReceive.of(any).into(first, 0, room).many(80_000), "first"))
        .isEqualTo(Posted.POSTED);
    assertThat(far.endpoint.post(TaggedReceive.of(any).into(second, 0, room).many(1), "second"))
        .isEqualTo(Posted.POSTED);
    for (int i = 0; i < lengths.length; i++) {
      near.send(toFar, Side.pattern(lengths[i], i), i, CompletionLevel.MATCH);
    }
    untilReceived(lengths.length + 1);
    // The first six leave fewer than 80,000 bytes; the last goes into the next buffer.
    int[] at = new int[lengths.length];
    for (int i = 1; i < 6; i++) {
      at[i] = at[i - 1] + lengths[i - 1];
    }
    for (Completion each : far.received) {
      if (each instanceof Completion.Received received) {
        int i = (int) received.tag();
        assertThat(received.context()).isEqualTo(i < 6 ? "first" : "second");
        assertThat(received.offset()).isEqualTo(at[i]);
        assertThat(received.length()).isEqualTo(lengths[i]);
        byte[] bytes = new byte[lengths[i]];
        (i < 6 ? first : second).getBytes(at[i], bytes);
        assertThat(bytes).isEqualTo(Side.pattern(lengths[i], i));
      }
    }
    int used = at[5] + lengths[5];
    assertThat(far.received)
        .filteredOn(each -> each instanceof Completion.Released)
        .containsExactly(new Completion.Released("first", used));
    assertThat(result(far.endpoint.futures().cancel("second")))
        .isEqualTo(new TagMatcher.Cancelled("second"));
    untilReceived(lengths.length + 3);
    List<Completion> last = far.received.subList(lengths.length + 1, lengths.length + 3);
    assertThat(((Completion.Failed) last.get(0)).error()).isEqualTo(FabricError.CANCELED);
    assertThat(last.get(1)).isEqualTo(new Completion.Released("second", lengths[6]));
    until("all sends have completed", () -> near.sent.size() == lengths.length);
  }

  @Test
  void shouldTellListenersAndActorsOfManyMessagesInOneBuffer() throws InterruptedException {
    int[] lengths = {8, LONG, 0, 20_000, 3};
    UnsafeBuffer tagged = new UnsafeBuffer(new byte[lengthOf(lengths)]);
    UnsafeBuffer untagged = new UnsafeBuffer(new byte[lengthOf(lengths)]);
    Queue<Completion> heard = new ConcurrentLinkedQueue<>();
    Queue<Object> told = new ConcurrentLinkedQueue<>();
    CompletableFuture<Completion.Released> released =
        far.endpoint
            .futures()
            .start(
                TaggedReceive.of(TagSelector.exact(7)).into(tagged).many(1), "tagged", heard::add)
            .toCompletableFuture();
    far.endpoint
        .matcher()
        .tell(
            TagMatcher.PostReceive.into(
                TaggedReceive.untagged(fromNear).into(untagged).many(1),
                "untagged",
                recorder(told)));
    for (int i = 0; i < lengths.length; i++) {
      near.send(toFar, Side.pattern(lengths[i], i), 7);
      sendUntagged(Side.pattern(lengths[i], 10 + i));
    }
    assertThat(result(released)).isEqualTo(new Completion.Released("tagged", lengthOf(lengths)));
    until("the actor has heard all", () -> told.size() == lengths.length + 1);
    assertThat(heard).hasSize(lengths.length);
    List<Object> all = new ArrayList<>(told);
    assertThat(all.remove(lengths.length))
        .isEqualTo(new Completion.Released("untagged", lengthOf(lengths)));
    all.addAll(heard);
    assertThat(all)
        .allSatisfy(
            each -> {
              Completion.Received received = (Completion.Received) each;
              int i = indexAt(received.offset(), received.length(), lengths);
              byte[] bytes = new byte[lengths[i]];
              (received.tagged() ? tagged : untagged).getBytes((int) received.offset(), bytes);
              assertThat(bytes).isEqualTo(Side.pattern(lengths[i], received.tagged() ? i : 10 + i));
            });
    assertThat(all).doesNotHaveDuplicates();
    assertThat(far.received).as("nothing goes to the queue").isEmpty();
  }

  private static int lengthOf(int[] lengths) {
    return Arrays.stream(lengths).sum();
  }

  /** Which message of the row lies there. */
  private static int indexAt(long offset, long length, int[] lengths) {
    int at = 0;
    for (int i = 0; i < lengths.length; i++) {
      if (at == offset && lengths[i] == length) {
        return i;
      }
      at += lengths[i];
    }
    throw new AssertionError("no message of " + length + " bytes begins at " + offset);
  }

  @Test
  void shouldEndManyMessagesByFuturesWhenTheyAreCancelledOrTheListenerThrows()
      throws InterruptedException {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[100]);
    Queue<Completion> heard = new ConcurrentLinkedQueue<>();
    CompletableFuture<Completion.Released> released =
        far.endpoint
            .futures()
            .start(
                TaggedReceive.untagged(-1).into(buffer).many(1),
                "many",
                message -> {
                  heard.add(message);
                  throw new IllegalStateException("of this test");
                })
            .toCompletableFuture();
    sendUntagged(Side.pattern(40, 1));
    sendUntagged(Side.pattern(30, 2));
    until("both have come", () -> heard.size() == 2);
    assertThat(released).isNotDone();
    assertThat(result(far.endpoint.futures().cancel("many")))
        .isEqualTo(new TagMatcher.Cancelled("many"));
    assertThat(failure(released).error()).isEqualTo(FabricError.CANCELED);
    assertThat(heard)
        .containsExactly(
            new Completion.Received("many", fromNear, false, 0, 0, 40, false, 0),
            new Completion.Received("many", fromNear, false, 0, 40, 30, false, 0));

    Queue<Object> told = new ConcurrentLinkedQueue<>();
    far.endpoint
        .matcher()
        .tell(
            TagMatcher.PostReceive.into(
                TaggedReceive.of(TagSelector.any()).into(buffer).many(100), "one", recorder(told)));
    near.send(toFar, Side.pattern(101, 3), 7);
    until("the buffer is released", () -> told.size() == 2);
    Completion.Failed truncated = (Completion.Failed) told.poll();
    assertThat(truncated.error()).isEqualTo(FabricError.TRUNCATED);
    assertThat(truncated.overflowLength()).isEqualTo(1);
    assertThat(told.poll()).isEqualTo(new Completion.Released("one", 100));

    far.endpoint
        .matcher()
        .tell(
            TagMatcher.PostReceive.into(
                TaggedReceive.of(TagSelector.any()).into(buffer).many(1), "shut", recorder(told)));
    result(far.endpoint.close(Duration.ZERO));
    until("the close is told", () -> told.size() == 2);
    assertThat(((Completion.Failed) told.poll()).error()).isEqualTo(FabricError.CANCELED);
    assertThat(told.poll()).isEqualTo(new Completion.Released("shut", 0));
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                far.endpoint
                    .futures()
                    .start(TaggedReceive.untagged(-1).into(buffer).many(1), null, heard::add));
  }

  @Test
  void shouldHoldMessagesForAFullQueueAndGoOnWhenItIsRead() {
    CompletionQueue few = farDomain.openCompletionQueue(4);
    Endpoint narrow = farDomain.openEndpoint("narrow", farDomain.openCompletionQueue(4), few);
    int peer = nearDomain.addressVector().insert(narrow.address());
    UnsafeBuffer into = new UnsafeBuffer(new byte[4_000]);
    narrow.post(TaggedReceive.untagged(-1).into(into, 0, 4_000).many(1), "many");
    int count = 100;
    for (int i = 0; i < count; i++) {
      byte[] bytes = Side.pattern(i % 20, i);
      until(
          "there is a slot for send " + i,
          () ->
              near.endpoint.post(
                      TaggedSend.untagged(peer, new UnsafeBuffer(bytes), 0, bytes.length), "s")
                  == Posted.POSTED);
    }
    List<Completion> entries = new ArrayList<>();
    until(
        "all have come through a queue of four",
        () -> {
          entries.addAll(few.read(1));
          return entries.size() == count;
        });
    int at = 0;
    for (int i = 0; i < count; i++) {
      Completion.Received received = (Completion.Received) entries.get(i);
      assertThat(received.offset()).isEqualTo(at);
      assertThat(received.length()).isEqualTo(i % 20);
      byte[] bytes = new byte[i % 20];
      into.getBytes(at, bytes);
      assertThat(bytes).isEqualTo(Side.pattern(i % 20, i));
      at += i % 20;
    }
    result(narrow.close(DRAIN));
    entries.clear();
    until("the close is told", () -> entries.addAll(few.read(4)) && entries.size() >= 2);
    assertThat(((Completion.Failed) entries.get(0)).error()).isEqualTo(FabricError.CANCELED);
    assertThat(entries.get(1)).isEqualTo(new Completion.Released("many", at));
  }

  @Test
  void shouldMatchInTheOrderSentWhenSizesAreMixed() {
    int count = 200;
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(Side.pattern(i % 3 == 0 ? 20_000 + i * 100 : i * 5, i));
      if (i % 2 == 0) {
        far.post(64 * 1024, 7);
      }
      near.send(toFar, messages.get(i), 7);
    }
    for (int i = 0; i < count / 2; i++) {
      far.post(64 * 1024, 7);
    }

    until("all are received", () -> far.received.size() == count && near.sent.size() == count);

    List<byte[]> posted = new ArrayList<>();
    for (Completion each : far.received) {
      posted.add(messageIn(each));
    }
    assertThat(posted).containsExactlyInAnyOrderElementsOf(messages);
    assertThat(near.sent).allMatch(each -> each instanceof Completion.Sent);
  }

  /** The bytes a completed receive has got; its buffer is its context. */
  private static byte[] messageIn(Completion completion) {
    assertThat(completion).isInstanceOf(Completion.Received.class);
    Completion.Received received = (Completion.Received) completion;
    return Arrays.copyOf((byte[]) received.context(), (int) received.length());
  }

  @Test
  void shouldMatchInTheOrderSentWhenCompletionLevelsAreMixed() {
    CompletionLevel[] levels = CompletionLevel.values();
    int[] lengths = {8, 0, 40, 3_000, 1, 70_000, 8};
    int count = levels.length * lengths.length * 4;
    List<byte[]> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = lengths[i % lengths.length];
      byte[] bytes = Side.pattern(length, i);
      if (i % 5 == 0 && length <= near.endpoint.settings().injectBytes()) {
        near.endpoint.injectTagged(toFar, new UnsafeBuffer(bytes), 0, length, 7);
      } else {
        near.send(toFar, bytes, 7, levels[i / lengths.length % levels.length]);
      }
      if (i % 9 == 0) {
        near.poll();
      }
    }
    for (int i = 0; i < count; i++) {
      buffers.add(far.post(lengths[i % lengths.length], 7));
    }
    untilReceived(count);

    for (int i = 0; i < count; i++) {
      assertThat(buffers.get(i))
          .as("message %s", i)
          .isEqualTo(Side.pattern(buffers.get(i).length, i));
    }
  }

  @Test
  void shouldFillReceivesInTheOrderPostedWhenLongMessagesFinishLate() {
    byte[] longer = Side.pattern(500_000, 1);
    byte[] shorter = Side.pattern(50, 2);
    byte[] first = far.post(500_000, 7);
    byte[] second = far.post(500_000, 7);

    near.send(toFar, longer, 7);
    near.send(toFar, shorter, 7);
    untilReceived(2);

    assertThat(first).isEqualTo(longer);
    assertThat(second).startsWith(shorter);
  }

  @Test
  void shouldFindEachMessageWhenReceivesComeLateInReverseTagOrder() {
    int count = 64;
    for (int i = 0; i < count; i++) {
      near.send(toFar, Side.pattern(i * 700, i), 0x100 + i);
    }
    untilUnexpected(count);

    for (int i = count - 1; i >= 0; i--) {
      byte[] buffer = far.post(i * 700, 0x100 + i);
      untilReceived(count - i);
      assertThat(far.lastReceived())
          .isEqualTo(new Completion.Received(buffer, fromNear, 0x100 + i, i * 700L, false, 0));
      assertThat(buffer).isEqualTo(Side.pattern(i * 700, i));
    }
    assertThat(farState()).extracting(TagMatcher.State::unexpectedMessages).isEqualTo(0);
  }

  @Test
  void shouldPreferTheEarlierReceiveWhenWildcardAndDirectedBothFit() {
    byte[] any = far.post(-1, 8, 5, 0);
    byte[] directed = far.post(fromNear, 8, 5, 0);
    byte[] directedFirst = far.post(fromNear, 8, 6, 0);
    byte[] anyTag = far.post(-1, 8, 0, -1L);

    for (int i = 1; i <= 4; i++) {
      near.send(toFar, Side.pattern(8, i), i <= 2 ? 5 : 6);
    }
    untilReceived(4);

    assertThat(any).isEqualTo(Side.pattern(8, 1));
    assertThat(directed).isEqualTo(Side.pattern(8, 2));
    assertThat(directedFirst).isEqualTo(Side.pattern(8, 3));
    assertThat(anyTag).isEqualTo(Side.pattern(8, 4));
  }

  @Test
  void shouldLeaveTheMessageWhenADirectedReceiveNamesAnotherPeer() {
    Side third = side(nearDomain, "third");
    int fromThird = far.indexOf(third);
    byte[] directed = far.post(fromNear, 8, 5, 0);

    third.send(third.indexOf(far), Side.pattern(8, 3), 5);
    untilUnexpected(1);
    near.send(toFar, Side.pattern(8, 1), 5);
    untilReceived(1);
    byte[] any = far.post(8, 5);
    untilReceived(2);

    assertThat(directed).isEqualTo(Side.pattern(8, 1));
    assertThat(any).isEqualTo(Side.pattern(8, 3));
    assertThat(((Completion.Received) far.lastReceived()).source()).isEqualTo(fromThird);
  }

  @Test
  void shouldIgnoreMaskedBitsWhenTagsAreCompared() {
    near.send(toFar, Side.pattern(4, 1), 0x1234);
    byte[] wrong = far.post(-1, 4, 0x2200, 0xFF);
    byte[] right = far.post(-1, 4, 0x1200, 0xFF);

    untilReceived(1);

    assertThat(right).isEqualTo(Side.pattern(4, 1));
    assertThat(wrong).isEqualTo(new byte[4]);
    assertThat(((Completion.Received) far.lastReceived()).tag()).isEqualTo(0x1234);
  }

  // ---- lengths ----

  @Test
  void shouldDeliverEveryByteWhenLengthsAreAroundTheThresholds() {
    int eager = nearDomain.endpointDefaults().flow().eagerLimitBytes();
    int packet = nearDomain.endpointDefaults().packetBytes();
    List<Integer> lengths = new ArrayList<>(List.of(0, 1, 2, 7, 8, 9, 63, 64, 65, 1_000, 2_047));
    for (int around : new int[] {2_048, eager, packet - 128, packet, 2 * packet, 1 << 20}) {
      lengths.addAll(List.of(around - 1, around, around + 1));
    }
    lengths.add(5 * 1024 * 1024);

    for (int i = 0; i < lengths.size(); i++) {
      int length = lengths.get(i);
      boolean isPosted = i % 2 == 0;
      byte[] posted = isPosted ? far.post(length, i) : null;
      near.send(toFar, Side.pattern(length, i), i);
      if (!isPosted) {
        untilUnexpected(1);
        posted = far.post(length, i);
      }
      untilReceived(i + 1);
      assertThat(Arrays.equals(posted, Side.pattern(length, i))).as("length=%d", length).isTrue();
    }
    until("all sends have ended", () -> near.sent.size() == lengths.size());
  }

  @Test
  void shouldFillTheBufferAndSayTheRestWhenAMessageIsTooLong() {
    int tag = 9;
    for (int length : new int[] {100, 300_000}) {
      for (boolean isPosted : new boolean[] {true, false}) {
        int before = far.received.size();
        byte[] buffer = new byte[20];
        if (!isPosted) {
          near.send(toFar, Side.pattern(length, tag), tag);
          untilUnexpected(1);
        }
        assertThat(far.endpoint.postReceive(new UnsafeBuffer(buffer), 5, 10, tag, 0, -1, "short"))
            .isEqualTo(Posted.POSTED);
        if (isPosted) {
          near.send(toFar, Side.pattern(length, tag), tag);
        }
        untilReceived(before + 1);

        assertThat(far.lastReceived())
            .isEqualTo(
                new Completion.Failed(
                    "short",
                    FabricError.TRUNCATED,
                    fromNear,
                    tag,
                    10,
                    length - 10L,
                    Direction.RECEIVE,
                    "messageBytes=" + length + " > bufferBytes=10, post a larger buffer"));
        byte[] expected = new byte[20];
        System.arraycopy(Side.pattern(length, tag), 0, expected, 5, 10);
        assertThat(buffer).isEqualTo(expected);
        tag++;
      }
    }
    until("the sender sees success", () -> near.sent.size() == 4);
    assertThat(near.sent).allMatch(each -> each instanceof Completion.Sent);
  }

  @Test
  void shouldCompleteBothSidesWhenMessagesAreEmpty() {
    far.post(0, 1);
    near.send(toFar, new byte[0], 1, CompletionLevel.MATCH);
    near.send(toFar, new byte[0], 2);
    untilUnexpected(1);
    far.post(0, 2);
    near.send(toFar, Side.pattern(100_000, 1), 3);
    untilUnexpected(1);
    far.post(0, 3);

    until("all ended", () -> near.sent.size() == 3 && far.received.size() == 3);

    assertThat(near.sent).allMatch(each -> each instanceof Completion.Sent);
    assertThat(far.received.subList(0, 2))
        .allMatch(each -> ((Completion.Received) each).length() == 0);
    assertThat(((Completion.Failed) far.received.get(2)).overflowLength()).isEqualTo(100_000);
  }

  @Test
  void shouldReceiveOwnMessagesWhenAnEndpointSendsToItself() {
    int self = near.indexOf(near);
    byte[] posted = near.post(self, 100, 1, 0);
    near.send(self, Side.pattern(100, 1), 1);
    near.send(self, Side.pattern(200_000, 2), 2, CompletionLevel.TRANSMIT);
    near.send(self, Side.pattern(30, 3), 3);
    until("the first", () -> near.received.size() == 1);
    byte[] third = near.post(30, 3);
    byte[] second = near.post(self, 200_000, 2, 0);

    until("all", () -> near.received.size() == 3 && near.sent.size() == 3);

    assertThat(posted).isEqualTo(Side.pattern(100, 1));
    assertThat(second).isEqualTo(Side.pattern(200_000, 2));
    assertThat(third).isEqualTo(Side.pattern(30, 3));
    assertThat(near.received).allMatch(each -> ((Completion.Received) each).source() == self);
  }

  @Test
  void shouldDeliverAllToAllWhenManyEndpointsMeetAtOnce() {
    meetAll(systems.crowd(), 8, 8);
  }

  @Test
  void shouldDeliverLongMessagesWhenTheirRequestsOvertakeTheSetUp() {
    meetAll(Math.min(12, systems.crowd()), 100_000, 4);
  }

  /** Each of so many endpoints in four domains sends one message to each; flows begin here. */
  private void meetAll(int count, int length, int window) {
    List<Domain> homes =
        List.of(nearDomain, farDomain, domain(systems.near()), domain(systems.far()));
    new Crowd(homes, count).meet(length, window);
  }

  // ---- kinds of frames ----

  @Test
  void shouldBringFramesOfAKindThatOnlyTestsRegister() {
    EchoService.Echo echo = EchoService.of(near.endpoint);
    int count = 300;
    for (int i = 0; i < count; i++) {
      echo.ask(nearDomain, toFar, i, i * 37 % 9_000);
      // in between, so that they share packets and flows with messages
      far.post(8, i);
      near.send(toFar, new byte[8], i);
    }
    untilReceived(count);
    until(
        "all answers have come",
        () -> {
          near.poll();
          far.poll();
          return echo.answers().size() == count;
        });

    assertThat(echo.failures()).isEmpty();
    assertThat(echo.answers()).isSorted().startsWith(0L).endsWith(count - 1L);
  }

  @Test
  void shouldEndTheFlowOfAKindThatNobodyTakes() {
    near.send(toFar, new byte[8], 1, CompletionLevel.DELIVERY);
    until("the flow stands", () -> near.poll() + far.poll() >= 0 && near.sent.size() == 1);

    EchoService.of(near.endpoint).sendUnknown(nearDomain, toFar);
    far.post(fromNear, 8, 2, 0);
    untilReceived(1);

    Completion.Failed failure = (Completion.Failed) far.lastReceived();
    assertThat(failure.error()).isEqualTo(FabricError.PROTOCOL);
    assertThat(failure.detail()).contains("not follow the schema of the wire");
    until(
        "the sender is told",
        () -> {
          far.poll();
          near.poll();
          return result(near.endpoint.futures().flows()).flows().get(0).state() == FlowState.LOST;
        });
  }

  // ---- kinds of sends ----

  @Test
  void shouldBringImmediateDataWhenASendHasThem() {
    for (int length : new int[] {0, 10, 100_000}) {
      int before = far.received.size();
      byte[] buffer = far.post(length, 4);
      sendWithData(length);
      requireData(length, buffer, before + 1);
    }
  }

  @Test
  void shouldBringImmediateDataOfAMessageThatWaited() {
    for (int length : new int[] {0, 10, 100_000}) {
      int before = far.received.size();
      sendWithData(length);
      untilUnexpected(1);
      requireData(length, far.post(length, 4), before + 1);
    }
  }

  private void sendWithData(int length) {
    UnsafeBuffer bytes = new UnsafeBuffer(Side.pattern(length, 1));
    near.endpoint.post(
        TaggedSend.of(toFar, bytes, 0, length, 4).data(Long.MIN_VALUE + length), "data");
  }

  private void requireData(int length, byte[] buffer, int received) {
    untilReceived(received);
    assertThat(far.lastReceived())
        .isEqualTo(
            new Completion.Received(buffer, fromNear, 4, length, true, Long.MIN_VALUE + length));
  }

  @Test
  void shouldKeepTheBytesWhenAnInjectedBufferIsOverwrittenAtOnce() {
    int most = near.endpoint.settings().injectBytes();
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[most]);
    for (int i = 0; i < 20; i++) {
      bytes.putBytes(0, Side.pattern(most, i));
      assertThat(near.endpoint.injectTagged(toFar, bytes, 0, most, i)).isEqualTo(Posted.POSTED);
      bytes.setMemory(0, most, (byte) 0x55);
    }
    for (int i = 0; i < 20; i++) {
      byte[] buffer = far.post(most, i);
      untilReceived(i + 1);
      assertThat(buffer).isEqualTo(Side.pattern(most, i));
    }

    assertThat(near.sent).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> near.endpoint.injectTagged(toFar, bytes, 0, most + 1, 0))
        .withMessageContaining("injectBytes=" + most);
    near.endpoint.injectTagged(99, bytes, 0, 1, 5);
    until("the failure", () -> near.sent.size() == 1);
    assertThat(((Completion.Failed) near.sent.get(0)).context()).isNull();
  }

  @Test
  void shouldCompleteNoSoonerThanTheLevelSays() {
    for (int length : new int[] {10, 100_000}) {
      near.sent.clear();
      near.send(toFar, Side.pattern(length, 1), 1, CompletionLevel.MATCH);
      boolean eager = length == 10;
      if (eager) {
        near.send(toFar, Side.pattern(length, 1), 2, CompletionLevel.INJECT);
        near.send(toFar, Side.pattern(length, 1), 3, CompletionLevel.TRANSMIT);
        near.send(toFar, Side.pattern(length, 1), 4, CompletionLevel.DELIVERY);
        until("three levels", () -> near.sent.size() == 3);
      }
      untilUnexpected(eager ? 4 : 1);
      assertThat(near.sent).noneMatch(each -> ((Completion.Sent) each).tag() == 1);

      far.post(length, 1);
      until(
          "matched",
          () -> near.sent.stream().anyMatch(each -> ((Completion.Sent) each).tag() == 1));
      for (int tag = 2; eager && tag <= 4; tag++) {
        far.post(length, tag);
      }
      untilReceived(eager ? 4 : 5);
    }
  }

  // ---- limits ----

  @Test
  void shouldLoseNothingWhenQueuesAreTiny() {
    int count = 100;
    Side sender = new Side(nearDomain, "tiny", 2, nearDomain.endpointDefaults());
    Side receiver = new Side(farDomain, "tiny", 2, farDomain.endpointDefaults());
    int peer = sender.indexOf(receiver);
    int sends = 0;
    int posts = 0;
    int refusals = 0;
    long deadlineNs = System.nanoTime() + DEADLINE_NS;
    while (sender.sent.size() < count || receiver.received.size() < count) {
      Posted sent =
          sends < count
              ? sender.endpoint.sendTagged(
                  peer, new UnsafeBuffer(Side.pattern(300, sends)), 0, 300, sends, sends)
              : Posted.TRY_AGAIN;
      Posted posted = posts < count ? receiver.tryPost(300, posts) : Posted.TRY_AGAIN;
      sends += sent == Posted.POSTED ? 1 : 0;
      posts += posted == Posted.POSTED ? 1 : 0;
      if (sent == Posted.TRY_AGAIN || posted == Posted.TRY_AGAIN) {
        refusals++;
        sender.poll();
        receiver.poll();
      }
      assertThat(System.nanoTime() - deadlineNs).isNegative();
    }

    assertThat(refusals).isPositive();
    assertThat(sender.sent).hasSize(count).allMatch(each -> each instanceof Completion.Sent);
    for (int i = 0; i < count; i++) {
      assertThat(messageIn(receiver.received.get(i))).isEqualTo(Side.pattern(300, i));
    }
  }

  @Test
  void shouldHoldNoMoreThanTheCreditWhenAThousandMessagesAreUnexpected() {
    int count = 1_000;
    EndpointSettings tiny = settings(512, 8 * 1024, 300);
    Side sender = new Side(nearDomain, "many", Side.QUEUE_SIZE, tiny);
    Side receiver = new Side(farDomain, "few", Side.QUEUE_SIZE, tiny);
    int peer = sender.indexOf(receiver);
    for (int i = 0; i < count; i++) {
      sender.send(peer, Side.pattern(256, i), i);
    }
    near = sender;
    far = receiver;
    TagMatcher.State full = untilUnexpected(300);
    assertThat(full.unexpectedMessages()).isEqualTo(300);
    assertThat(full.unexpectedBytes()).isBetween(7_000L, 8_192L);

    for (int i = 0; i < count; i++) {
      receiver.post(256, i);
    }
    until("all", () -> receiver.received.size() == count && sender.sent.size() == count);

    for (int i = 0; i < count; i++) {
      byte[] buffer = messageIn(receiver.received.get(i));
      long tag = ((Completion.Received) receiver.received.get(i)).tag();
      assertThat(buffer).isEqualTo(Side.pattern(256, tag));
    }
    assertThat(farState().peakUnexpectedBytes()).isLessThanOrEqualTo(8_192);
  }

  @Test
  void shouldDeliverAllWhenManyMessagesGoBothWays() {
    int count = manyMessages;
    int window = 256;
    int toNear = fromNear;
    int fromFar = toFar;
    for (int i = 0; i < window; i++) {
      near.post(fromFar, 64, 0, -1L);
      far.post(fromNear, 64, 0, -1L);
    }
    int[] sentTo = new int[2];
    long[] next = new long[2];
    long deadlineNs = System.nanoTime() + DEADLINE_NS;
    while (next[0] < count || next[1] < count) {
      boolean idle = true;
      if (sentTo[0] < count && sentTo[0] - next[0] < window) {
        near.send(toFar, Side.pattern(sentTo[0] % 65, sentTo[0]), sentTo[0]++);
        idle = false;
      }
      if (sentTo[1] < count && sentTo[1] - next[1] < window) {
        far.send(toNear, Side.pattern(sentTo[1] % 65, sentTo[1]), sentTo[1]++);
        idle = false;
      }
      if (idle || sentTo[0] % 16 == 0) {
        near.poll();
        far.poll();
        take(far, next, 0);
        take(near, next, 1);
      }
      assertThat(System.nanoTime() - deadlineNs).isNegative();
    }
    until("all sends have ended", () -> near.sent.size() == count && far.sent.size() == count);
  }

  private static void take(Side side, long[] next, int index) {
    for (Completion each : side.received) {
      Completion.Received received = (Completion.Received) each;
      long number = next[index]++;
      if (received.tag() != number || received.length() != number % 65) {
        throw new AssertionError("expected message " + number + ", got " + received);
      }
      byte[] buffer = (byte[]) received.context();
      byte[] expected = Side.pattern((int) (number % 65), number);
      if (!Arrays.equals(buffer, 0, expected.length, expected, 0, expected.length)) {
        throw new AssertionError("message " + number + " has other bytes");
      }
      side.endpoint.postReceive(new UnsafeBuffer(buffer), 0, 64, 0, -1L, received.source(), buffer);
    }
    side.received.clear();
  }

  /** Sends a datagram again and again until something has happened: a provider may lose it. */
  private void untilOneDoes(String what, Runnable send, BooleanSupplier condition) {
    long[] lastNs = {System.nanoTime() - DATAGRAM_NS};
    until(
        what,
        () -> {
          if (System.nanoTime() - lastNs[0] >= DATAGRAM_NS) {
            lastNs[0] = System.nanoTime();
            send.run();
          }
          return condition.getAsBoolean();
        });
  }

  @Test
  void shouldDeliverDatagramsToReceivesThatArePostedAndCountTheOthers() {
    near = new Side(nearDomain, "near-datagrams", EndpointBindings::sendingDatagrams);
    toFar = near.indexOf(far);
    fromNear = far.indexOf(near);
    byte[] shortOne = Side.pattern(10, 1);
    byte[] buffer = far.post(fromNear, 10, 1, 0);
    untilOneDoes(
        "a short one came", () -> near.send(toFar, shortOne, 1), () -> far.received.size() == 1);
    assertThat(((Completion.Received) far.lastReceived()).context()).isSameAs(buffer);
    assertThat(buffer).isEqualTo(shortOne);

    String provider = result(near.endpoint.futures().flows()).flows().get(0).provider();
    int most =
        (int)
            nearDomain
                .fabric()
                .info(FabricHints.any().withKind(EndpointKind.DGRAM).withProvider(provider))
                .get(0)
                .maxMessageBytes();
    byte[] longest = Side.pattern(most, 2);
    byte[] room = far.post(most + 1, 2);
    untilOneDoes(
        "the longest came", () -> near.send(toFar, longest, 2), () -> far.received.size() == 2);
    assertThat(Arrays.copyOf(room, most)).isEqualTo(longest);

    UnsafeBuffer bytes = new UnsafeBuffer(shortOne);
    byte[] untagged = new byte[10];
    far.endpoint.post(TaggedReceive.untagged(-1).into(new UnsafeBuffer(untagged), 0, 10), untagged);
    untilOneDoes(
        "one without a tag came",
        () -> near.endpoint.post(TaggedSend.untagged(toFar, bytes, 0, 10).data(77), "untagged"),
        () -> far.received.size() == 3);
    Completion.Received withData = (Completion.Received) far.lastReceived();
    assertThat(withData.tagged()).isFalse();
    assertThat(withData.data()).isEqualTo(77);
    assertThat(untagged).isEqualTo(shortOne);

    untilOneDoes(
        "one was dropped",
        () -> near.endpoint.injectTagged(toFar, bytes, 0, 10, 3),
        () -> result(far.endpoint.flowCounters(fromNear)).datagramsDropped() > 0);
    TagMatcher.State state = result(far.endpoint.futures().matcherState());
    assertThat(state.unexpectedMessages()).isZero();
    assertThat(state.peakUnexpectedBytes()).isZero();
    assertThat(far.received).hasSize(3);
  }

  @Test
  void shouldSayWhatADatagramCannotDo() {
    near = new Side(nearDomain, "near-datagrams", EndpointBindings::sendingDatagrams);
    toFar = near.indexOf(far);
    int packet = near.endpoint.settings().packetBytes();
    near.send(toFar, new byte[packet], 1);
    near.send(toFar, new byte[1], 1, CompletionLevel.DELIVERY);
    near.send(toFar, new byte[1], 1, CompletionLevel.TRANSMIT);
    near.send(toFar + 1_000, new byte[1], 1);
    until("all have ended", () -> near.sent.size() == 4);
    List<FabricError> errors = new ArrayList<>();
    for (Completion each : near.sent) {
      if (each instanceof Completion.Failed failed) {
        errors.add(failed.error());
      }
    }
    assertThat(errors)
        .containsExactly(
            FabricError.MESSAGE_SIZE,
            FabricError.OPERATION_NOT_SUPPORTED,
            FabricError.ADDRESS_NOT_AVAILABLE);
    int sends = 200;
    for (int i = 0; i < sends; i++) {
      near.send(toFar, new byte[1], 1);
    }
    until("all have left", () -> near.sent.size() == 4 + sends);
    FlowCounters.Snapshot counters = result(near.endpoint.flowCounters(toFar));
    assertThat(counters.datagramsSent() + counters.datagramsUnsent()).isEqualTo(1L + sends);
  }

  @Test
  void shouldServeAllThreadsWhenEachWaitsForItsOwnEndpoint() throws InterruptedException {
    int rounds = 300;
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    AtomicInteger playing = new AtomicInteger(6);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Side caller = side(nearDomain, "caller-" + i);
      Side echo = side(farDomain, "echo-" + i);
      threads.add(
          player("caller-" + i, caller, caller.indexOf(echo), true, rounds, failures, playing));
      threads.add(
          player("echo-" + i, echo, echo.indexOf(caller), false, rounds, failures, playing));
    }

    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(failures).isEmpty();
  }

  /** Plays ping-pong with blocking reads; then makes progress until all others have done so. */
  private static Thread player(
      String name,
      Side side,
      int peer,
      boolean begins,
      int rounds,
      Queue<String> failures,
      AtomicInteger playing) {
    Duration patience = Duration.ofNanos(DEADLINE_NS);
    Thread thread =
        new Thread(
            () -> {
              for (int i = 0; i < rounds && failures.isEmpty(); i++) {
                play(name, side, peer, begins, i, failures);
              }
              playing.decrementAndGet();
              side.domain.await(() -> playing.get() == 0 || !failures.isEmpty(), patience);
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void play(
      String name, Side side, int peer, boolean begins, int round, Queue<String> failures) {
    Duration patience = Duration.ofNanos(DEADLINE_NS);
    byte[] buffer = side.post(peer, 8, round, 0);
    if (begins) {
      side.send(peer, Side.pattern(8, round), round);
    }
    Completion received = side.endpoint.receiveQueue().readBlocking(patience);
    if (!(received instanceof Completion.Received)
        || !Arrays.equals(buffer, Side.pattern(8, round))) {
      failures.add(name + " got " + received + " in round " + round);
      return;
    }
    if (!begins) {
      side.send(peer, Side.pattern(8, round), round);
    }
    Completion sent = side.endpoint.transmitQueue().readBlocking(patience);
    if (!(sent instanceof Completion.Sent)) {
      failures.add(name + " sent " + sent + " in round " + round);
    }
  }

  @Test
  void shouldLetAMessageGoWhenItsCompletionIsReadAndNothingElse() {
    if (mode == ProgressMode.MANUAL && systems.losesPackets()) {
      return; // not promised: a lost packet needs a sender that makes progress
    }
    far.post(8, 1);
    near.send(toFar, Side.pattern(8, 1), 1);
    untilReceived(1);
    near.poll();
    far.post(8, 2);

    near.send(toFar, Side.pattern(8, 2), 2);
    assertThat(near.endpoint.transmitQueue().readBlocking(Duration.ofNanos(DEADLINE_NS)))
        .isInstanceOf(Completion.Sent.class);

    long deadlineNs = System.nanoTime() + DEADLINE_NS;
    while (far.received.size() < 2) {
      far.poll();
      Thread.yield();
      assertThat(System.nanoTime() - deadlineNs).isNegative();
    }
  }

  // ---- cancel, close, failures ----

  @Test
  void shouldEndOnlyTheCancelledReceiveWhenTwoWait() {
    Object first = "A";
    Object second = "B";
    byte[] buffer = new byte[8];
    far.endpoint.postReceive(new UnsafeBuffer(new byte[8]), 0, 8, 1, 0, -1, first);
    far.endpoint.postReceive(new UnsafeBuffer(buffer), 0, 8, 2, 0, -1, second);

    assertThat(result(far.endpoint.futures().cancel(first)))
        .isEqualTo(new TagMatcher.Cancelled(first));
    untilReceived(1);
    assertThat(far.received)
        .containsExactly(
            new Completion.Failed(
                first, FabricError.CANCELED, -1, 1, 0, 0, Direction.RECEIVE, "cancelled"));

    near.send(toFar, Side.pattern(8, 1), 1);
    near.send(toFar, Side.pattern(8, 2), 2);
    untilReceived(2);
    assertThat(far.lastReceived().context()).isSameAs(second);
    assertThat(buffer).isEqualTo(Side.pattern(8, 2));
    byte[] again = far.post(8, 1);
    untilReceived(3);
    assertThat(again).isEqualTo(Side.pattern(8, 1));
    assertThat(result(far.endpoint.futures().cancel(second)))
        .isEqualTo(new TagMatcher.CancelOutcome.NotFound(second));
    assertThat(far.received).hasSize(3);
  }

  /** A number beyond 127, a text and a record are other objects each time. */
  @Test
  void shouldCancelTheOldestWithAnEqualContext() {
    record Slot(int number) {}
    for (Supplier<Object> context :
        List.<Supplier<Object>>of(
            () -> Integer.valueOf(5000), () -> new String("slot"), () -> new Slot(7))) {
      far.received.clear();
      near.sent.clear();
      far.endpoint.postReceive(buffer(8), 0, 8, 1, 0, -1, context.get());
      far.endpoint.postReceive(buffer(8), 0, 8, 2, 0, -1, context.get());
      assertThat(result(far.endpoint.futures().cancel(context.get())))
          .isEqualTo(new TagMatcher.Cancelled(context.get()));
      untilReceived(1);
      assertThat(far.received.get(0)).isInstanceOf(Completion.Failed.class);
      assertThat(((Completion.Failed) far.received.get(0)).tag()).isEqualTo(1);
      assertThat(result(far.endpoint.futures().cancel("another")))
          .isEqualTo(new TagMatcher.CancelOutcome.NotFound("another"));
      near.send(toFar, Side.pattern(8, 2), 2);
      untilReceived(2);

      // Nobody receives it, so its bytes are left.
      int length = 1_000_000;
      near.sent.clear();
      near.endpoint.sendTagged(toFar, buffer(length), 0, length, 3, context.get());
      assertThat(result(near.endpoint.futures().cancel(context.get())))
          .isEqualTo(new TagMatcher.Cancelled(context.get()));
      until(
          "the send has ended",
          () -> near.sent.stream().anyMatch(Completion.Failed.class::isInstance));
    }
  }

  private static UnsafeBuffer buffer(int bytes) {
    return new UnsafeBuffer(new byte[bytes]);
  }

  @Test
  void shouldNameThePeerWhenItsEndpointHasClosed() {
    near.send(toFar, Side.pattern(8, 1), 1);
    far.send(fromNear, Side.pattern(8, 2), 2);
    near.post(toFar, 8, 3, 0);
    near.post(-1, 8, 4, 0);
    untilUnexpected(1);

    CompletableFuture<Endpoint.Closed> closing = far.endpoint.close(DRAIN).toCompletableFuture();
    until("the far side is closed", closing::isDone);
    until("the directed receive fails", () -> near.received.size() == 1);
    near.sent.clear();
    near.send(toFar, Side.pattern(8, 1), 5);
    until("the later send fails", () -> near.sent.size() == 1);
    byte[] before = near.post(toFar, 8, 2, 0);
    near.post(toFar, 8, 6, 0);
    until("what came before is received", () -> near.received.size() == 3);

    Completion.Failed receive = (Completion.Failed) near.received.get(0);
    assertThat(receive.error()).isEqualTo(FabricError.SHUTDOWN);
    assertThat(receive.peer()).isEqualTo(toFar);
    assertThat(receive.detail()).contains(far.endpoint.address().toString(), "closed");
    Completion.Failed send = (Completion.Failed) near.sent.get(0);
    assertThat(send.error()).isEqualTo(FabricError.SHUTDOWN);
    assertThat(send.peer()).isEqualTo(toFar);
    assertThat(send.detail()).contains(far.endpoint.address().toString());
    assertThat(before).isEqualTo(Side.pattern(8, 2));
    assertThat(((Completion.Failed) near.received.get(2)).error()).isEqualTo(FabricError.SHUTDOWN);
    assertThat(result(near.endpoint.futures().matcherState()).postedReceives()).isEqualTo(1);
    assertThat(closing.join()).isEqualTo(new Endpoint.Closed(0, 0));
  }

  @Test
  void shouldDeliverWhatWasSentWhenTheSenderClosesAtOnce() {
    int count = 300;
    for (int i = 0; i < count; i++) {
      near.send(toFar, Side.pattern(3_000, i), i);
    }
    CompletableFuture<Endpoint.Closed> closing = near.endpoint.close(DRAIN).toCompletableFuture();
    for (int i = 0; i < count; i++) {
      far.post(-1, 3_000, i, 0);
    }
    until("closed and received", () -> closing.isDone() && far.received.size() == count);

    assertThat(closing.join()).isEqualTo(new Endpoint.Closed(0, 0));
    for (int i = 0; i < count; i++) {
      assertThat(messageIn(far.received.get(i))).isEqualTo(Side.pattern(3_000, i));
    }
  }

  @Test
  void shouldEndAllWhenAMessageClosesTheEndpointAndMoreFollow() {
    int count = 60;
    CompletableFuture<Endpoint.Closed> closing =
        far.endpoint
            .futures()
            .receiveTagged(TagSelector.exact(7))
            .thenCompose(message -> far.endpoint.close(Duration.ZERO))
            .toCompletableFuture();
    for (int i = 0; i < count; i++) {
      near.send(toFar, Side.pattern(i % 3 == 0 ? LONG : 64, i), 7);
    }
    until("closed and sent", () -> closing.isDone() && near.sent.size() == count);

    assertThat(closing.join()).isEqualTo(new Endpoint.Closed(0, 0));
    assertThat(near.sent)
        .allMatch(
            each ->
                each instanceof Completion.Sent
                    || ((Completion.Failed) each).error() == FabricError.SHUTDOWN);
    assertThat(near.sent).anyMatch(each -> each instanceof Completion.Failed);
  }

  @Test
  void shouldReportWhatWasNotDeliveredWhenClosed() {
    near.send(toFar, Side.pattern(1 << 20, 1), 1);
    near.post(8, 1);
    near.post(toFar, 8, 2, 0);
    untilUnexpected(1);

    Endpoint.Closed closed = result(near.endpoint.close(Duration.ZERO));
    until("all ended", () -> near.sent.size() == 1 && near.received.size() == 2);

    assertThat(closed).isEqualTo(new Endpoint.Closed(1, 2));
    assertThat(((Completion.Failed) near.sent.get(0)).error()).isEqualTo(FabricError.CANCELED);
    assertThat(near.received)
        .allMatch(each -> ((Completion.Failed) each).error() == FabricError.CANCELED);
    assertThat(result(near.endpoint.close(Duration.ZERO))).isEqualTo(closed);
    assertThatIllegalStateException()
        .isThrownBy(() -> near.send(toFar, new byte[1], 1))
        .withMessageContaining("is closed");
    assertThatIllegalStateException().isThrownBy(() -> near.post(1, 1));
    assertThatIllegalStateException()
        .isThrownBy(() -> near.endpoint.futures().receiveTagged(TagSelector.any()));
  }

  @Test
  void shouldFailWhenThePeerIsUnknown() {
    near.send(99, new byte[1], 3);
    near.send(-1, new byte[1], 4);

    until("both failed", () -> near.sent.size() == 2);

    assertThat(near.sent.get(0))
        .isEqualTo(
            new Completion.Failed(
                3L,
                FabricError.ADDRESS_NOT_AVAILABLE,
                99,
                3,
                0,
                0,
                Direction.SEND,
                "peer=99 is not in the address vector, insert its address first"));
    assertThat(((Completion.Failed) near.sent.get(1)).error())
        .isEqualTo(FabricError.ADDRESS_NOT_AVAILABLE);
  }

  @Test
  void shouldTransferBothWaysWhenAPeerWasRemovedAndInsertedAgain() {
    near.send(toFar, Side.pattern(8, 1), 1);
    far.post(fromNear, 8, 1, 0);
    untilReceived(1);

    assertThat(nearDomain.addressVector().remove(toFar)).isTrue();
    near.send(toFar, Side.pattern(8, 2), 2);
    until("the send to the removed peer fails", () -> near.sent.size() == 2);
    int again = near.indexOf(far);
    assertThat(again).isNotEqualTo(toFar);
    byte[] directed = near.post(again, 8, 4, 0);
    far.send(fromNear, Side.pattern(8, 4), 4);
    until("the far side reaches it", () -> near.received.size() == 1);
    near.send(again, Side.pattern(100_000, 3), 3);
    byte[] buffer = far.post(fromNear, 100_000, 3, 0);
    untilReceived(2);

    assertThat(((Completion.Failed) near.sent.get(1)).error())
        .isEqualTo(FabricError.ADDRESS_NOT_AVAILABLE);
    assertThat(directed).isEqualTo(Side.pattern(8, 4));
    assertThat(buffer).isEqualTo(Side.pattern(100_000, 3));
  }

  // ---- actors and futures ----

  private <T> ActorRef<T> recorder(Queue<T> messages) {
    return systems
        .far()
        .systemActorOf(
            Behaviors.<T>receive(
                (context, message) -> {
                  messages.add(message);
                  return Behaviors.same();
                }),
            "recorder-" + NUMBER.incrementAndGet(),
            Props.empty());
  }

  @Test
  void shouldDeliverInOrderWhenARouteStands() {
    Queue<TaggedMessage> messages = new ConcurrentLinkedQueue<>();
    near.send(toFar, Side.pattern(150_000, 0), 0x70);
    near.send(toFar, Side.pattern(10, 1), 0x71);
    untilUnexpected(2);

    TagSelector selector = TagSelector.masked(0x70, 0xF);
    result(far.endpoint.futures().subscribe(selector, recorder(messages)));
    for (int i = 2; i < 40; i++) {
      near.send(toFar, Side.pattern(i % 5 == 0 ? 60_000 : i, i), 0x70 + i % 16);
    }
    until("all are delivered", () -> messages.size() == 40);

    int i = 0;
    for (TaggedMessage message : messages) {
      int length = i == 0 ? 150_000 : i == 1 ? 10 : i % 5 == 0 ? 60_000 : i;
      assertThat(message.tag()).isEqualTo(0x70 + i % 16);
      assertThat(message.source()).isEqualTo(fromNear);
      assertThat(message.payload().array()).isEqualTo(Side.pattern(length, i));
      i++;
    }
  }

  @Test
  void shouldCompleteFuturesWhenMessagesAndObjectsCome() throws Exception {
    CompletionStage<TaggedMessage> message =
        far.endpoint.futures().receiveTagged(TagSelector.exact(1).from(fromNear));
    CompletionStage<List<?>> object = objects();
    near.endpoint.futures().sendTagged(toFar, Side.pattern(70_000, 1), 1);
    CompletionStage<Completion.Sent> sent =
        near.endpoint.futures().sendObject(toFar, List.of("a", 7), 2);

    assertThat(result(message).payload().array()).isEqualTo(Side.pattern(70_000, 1));
    assertThat(result(object)).isEqualTo(List.of("a", 7));
    assertThat(result(sent).peer()).isEqualTo(toFar);
    assertThatExceptionOfType(KryoCodecException.class)
        .isThrownBy(() -> near.endpoint.futures().sendObject(toFar, this, 3))
        .withMessageContaining("tagfabric.kryo.registrations");

    CompletionStage<Integer> wrong =
        far.endpoint.futures().receiveObject(TagSelector.exact(4), Integer.class);
    near.endpoint.futures().sendObject(toFar, "text", 4);
    assertThat(failure(wrong).error()).isEqualTo(FabricError.INVALID);
    CompletionStage<String> garbage =
        far.endpoint.futures().receiveObject(TagSelector.exact(5), String.class);
    near.endpoint.futures().sendTagged(toFar, new byte[] {-1, -1, -1}, 5);
    assertThat(failure(garbage).error()).isEqualTo(FabricError.INVALID);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private CompletionStage<List<?>> objects() {
    return (CompletionStage) far.endpoint.futures().receiveObject(TagSelector.exact(2), List.class);
  }

  @Test
  void shouldAnswerActorsWhenTheyReadEntries() {
    Queue<CompletionQueue.Entries> answers = new ConcurrentLinkedQueue<>();
    ActorRef<CompletionQueue.Entries> reader = recorder(answers);
    CompletionQueue queue = near.endpoint.transmitQueue();
    queue.ref().tell(new CompletionQueue.ReadEntries(1, reader));
    queue.ref().tell(new CompletionQueue.ReadEntries(5, reader));

    for (int i = 0; i < 3; i++) {
      near.send(toFar, Side.pattern(8, i), i);
    }
    // Whoever drives a side reads its queue too, so actor and thread share the entries.
    until(
        "all sends ended",
        () ->
            near.sent.size() + answers.stream().mapToInt(each -> each.completions().size()).sum()
                == 3);
    near.sent.addAll(answers.stream().flatMap(each -> each.completions().stream()).toList());

    assertThat(near.sent)
        .extracting(each -> ((Completion.Sent) each).tag())
        .containsExactlyInAnyOrder(0L, 1L, 2L);
  }

  @Test
  void shouldEndAWaitWhenTheSignalCameBefore() {
    CompletionQueue queue = near.endpoint.receiveQueue();
    queue.signal();

    assertThat(queue.readBlocking(Duration.ofSeconds(90))).isNull();

    Queue<CompletionQueue.Entries> answers = new ConcurrentLinkedQueue<>();
    queue.signal();
    queue.ref().tell(new CompletionQueue.ReadEntries(1, recorder(answers)));
    until("the actor is told", () -> !answers.isEmpty());
    assertThat(answers).containsExactly(new CompletionQueue.Entries(List.of()));
  }
}
