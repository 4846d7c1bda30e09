package io.tagfabric.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.InvalidMessageException;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.util.ByteString;
import io.tagfabric.address.AddressVector;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.name.NameService;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every wrong argument through every face: it costs the command that has it, at its caller. After
 * each test both endpoints still exchange messages, and no slot of a queue or place of a future is
 * missing.
 */
class WrongArgumentsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int SLOTS = EndpointPair.SLOTS;
  private static final int PLACES = EndpointPair.PLACES;
  private static final int LONGEST = EndpointPair.LONGEST;
  private static final String NULL = "null";
  private static final TagSelector ANY = TagSelector.any();
  private static final CompletionLevel INJECT = CompletionLevel.INJECT;

  private final EndpointPair pair = new EndpointPair();
  private final ActorTestKit kit = pair.kit;
  private final UnsafeBuffer ten = new UnsafeBuffer(new byte[10]);
  private Domain domain;
  private Endpoint endpoint;
  private Endpoint other;
  private EndpointFutures futures;
  private int toOther;
  private int toEndpoint;

  @BeforeEach
  void open() {
    domain = pair.domain;
    endpoint = pair.endpoint;
    other = pair.other;
    futures = endpoint.futures();
    toOther = pair.toOther;
    toEndpoint = pair.toEndpoint;
  }

  @AfterEach
  void shouldStillExchangeMessages() {
    try {
      pair.fillEveryPlace();
    } finally {
      pair.close();
    }
  }

  /** More often than there are slots or places. */
  private static void refused(
      Class<? extends Exception> type, String text, ThrowingCallable... calls) {
    for (int i = 0; i <= PLACES; i++) {
      for (ThrowingCallable call : calls) {
        assertThatThrownBy(call)
            .isInstanceOf(type)
            .message()
            .as("text of the refusal")
            .isNotNull()
            .containsIgnoringCase(text);
      }
    }
  }

  private static void refusedNull(String name, ThrowingCallable... calls) {
    refused(NullPointerException.class, name, calls);
  }

  private static void refusedArgument(String text, ThrowingCallable... calls) {
    refused(IllegalArgumentException.class, text, calls);
  }

  private record SilentSend() implements SendListener {
    @Override
    public void onSent(Completion.Sent sent) {}

    @Override
    public void onFailed(Completion.Failed failure) {}
  }

  private record SilentReceive() implements ReceiveListener {
    @Override
    public void onReceived(TaggedMessage message) {}

    @Override
    public void onFailed(Completion.Failed failure) {}
  }

  private Endpoint.SendTagged told(
      DirectBuffer buffer, int offset, int length, CompletionLevel level) {
    return new Endpoint.SendTagged(
        TaggedSend.of(toOther, buffer, offset, length, 1).level(level), null, new SilentSend());
  }

  private Endpoint.SendTagged told(DirectBuffer buffer, int length, ActorRef<Completion> replyTo) {
    return new Endpoint.SendTagged(
        TaggedSend.of(toOther, buffer, 0, length, 1).level(INJECT), null, replyTo);
  }

  @Test
  void shouldRefuseASendWithoutItsParts() {
    refusedNull(
        "buffer",
        () -> endpoint.sendTagged(toOther, null, 1, null),
        () -> endpoint.sendTagged(toOther, null, 0, 1, 1, null),
        () -> endpoint.post(TaggedSend.of(toOther, null, 0, 1, 1).level(INJECT), null),
        () -> endpoint.post(TaggedSend.of(toOther, null, 0, 1, 1).data(1), null),
        () -> endpoint.injectTagged(toOther, null, 0, 1, 1),
        () -> endpoint.ref().tell(told(null, 0, 1, INJECT)),
        () -> futures.sendTagged(toOther, (ByteBuffer) null, 1));
    refusedNull(
        "bytes",
        () -> futures.sendTagged(toOther, (byte[]) null, 1),
        () -> futures.sendTagged(toOther, (ByteString) null, 1),
        () -> futures.start(TaggedSend.of(toOther, null, 1).level(INJECT)));
    refusedNull(
        "level",
        () -> endpoint.post(TaggedSend.of(toOther, ten, 0, 1, 1).level(null), null),
        () -> endpoint.ref().tell(told(ten, 0, 1, null)));
    refusedNull("options", () -> TaggedSend.of(toOther, ten, 1).with(null));
    refusedNull(
        "listener",
        () ->
            endpoint
                .ref()
                .tell(
                    new Endpoint.SendTagged(
                        TaggedSend.of(toOther, ten, 0, 1, 1).level(INJECT),
                        null,
                        (SendListener) null)));
    refusedNull("replyTo", () -> endpoint.ref().tell(told(ten, 1, null)));
  }

  @Test
  void shouldRefuseASendOfBytesOutsideItsBuffer() {
    int[][] wrong = {{0, 11}, {0, 100}, {-3, 4}, {0, -4}, {5, 6}, {11, 0}, {1, Integer.MAX_VALUE}};
    for (int[] range : wrong) {
      int offset = range[0];
      int length = range[1];
      refusedArgument(
          "do not lie in the buffer, capacity=10",
          () -> endpoint.post(TaggedSend.of(toOther, ten, offset, length, 1).level(INJECT), null),
          () -> endpoint.ref().tell(told(ten, offset, length, INJECT)));
      refusedArgument(
          "lengthBytes=" + length,
          () -> endpoint.injectTagged(toOther, ten, offset, length, 1),
          () -> endpoint.post(TaggedSend.of(toOther, ten, offset, length, 1).data(1), null));
    }
  }

  @Test
  void shouldRefuseAMessageThatIsTooLong() {
    UnsafeBuffer large = new UnsafeBuffer(new byte[LONGEST + 1]);
    String text = "lengthBytes=100001 > maxMessageBytes=100000, raise tagfabric.endpoint.max";
    refusedArgument(
        text,
        () -> endpoint.sendTagged(toOther, large, 0, LONGEST + 1, 1, null),
        () -> endpoint.post(TaggedSend.of(toOther, large, 0, LONGEST + 1, 1).data(1), null),
        () -> futures.start(TaggedSend.of(toOther, large, 1).level(INJECT)),
        () -> futures.sendTagged(toOther, large.byteArray(), 1));
    TestProbe<Completion> probe = kit.createTestProbe();

    endpoint.ref().tell(told(large, LONGEST + 1, probe.ref()));

    Completion.Failed failed = probe.expectMessageClass(Completion.Failed.class, PATIENCE);
    assertThat(failed.error()).isEqualTo(FabricError.MESSAGE_SIZE);
    assertThat(failed.detail()).startsWith(text);
  }

  @Test
  void shouldFailASendToNobody() {
    for (int nobody : new int[] {-1, 2, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      TestProbe<Completion> probe = kit.createTestProbe();
      endpoint.sendTagged(nobody, ten, 0, 10, 1, "queue");
      endpoint
          .ref()
          .tell(
              new Endpoint.SendTagged(
                  TaggedSend.of(nobody, ten, 0, 10, 1).level(INJECT), null, probe.ref()));

      assertThat(endpoint.transmitQueue().readBlocking(PATIENCE))
          .isInstanceOfSatisfying(
              Completion.Failed.class,
              failed -> assertThat(failed.error()).isEqualTo(FabricError.ADDRESS_NOT_AVAILABLE));
      assertThat(probe.expectMessageClass(Completion.Failed.class, PATIENCE).error())
          .isEqualTo(FabricError.ADDRESS_NOT_AVAILABLE);
      assertThat(Await.failure(futures.sendTagged(nobody, new byte[1], 1)))
          .hasMessageContaining("peer=" + nobody);
      assertThat(Await.failure(futures.connect(nobody))).hasMessageContaining("peer=" + nobody);
    }
  }

  @Test
  void shouldRefuseAReceiveWithoutItsParts() {
    refusedNull(
        "buffer",
        () -> endpoint.postReceive(null, 1, 0, null),
        () -> endpoint.postReceive(0, null, 1, 0, null),
        () -> endpoint.postReceive((MutableDirectBuffer) null, 0, 1, 1, 0, 0, null));
    refusedNull(
        "selector",
        () -> futures.receiveTagged(null),
        () -> futures.receiveObject(null, String.class),
        () -> posted(null, 1, new SilentReceive()),
        () ->
            new TagMatcher.PostReceive(
                TaggedReceive.of((TagSelector) null).atMost(1),
                null,
                kit.system().<TagMatcher.ReceiveOutcome>ignoreRef()));
    refusedNull("type", () -> futures.receiveObject(ANY, null));
    refusedNull("listener", () -> posted(ANY, 1, null));
    refusedNull(
        "replyTo",
        () ->
            new TagMatcher.PostReceive(
                TaggedReceive.of(ANY).atMost(1), null, (ActorRef<TagMatcher.ReceiveOutcome>) null));
  }

  private void posted(TagSelector selector, int maxLength, ReceiveListener listener) {
    endpoint
        .matcher()
        .tell(
            new TagMatcher.PostReceive(
                TaggedReceive.of(selector).atMost(maxLength), null, listener));
  }

  @Test
  void shouldRefuseAReceiveOutsideItsBuffer() {
    int[][] wrong = {{0, 11}, {-3, 4}, {0, -4}, {5, 6}, {1, Integer.MAX_VALUE}};
    for (int[] range : wrong) {
      refusedArgument(
          "do not lie in the buffer, capacity=10",
          () -> endpoint.postReceive(ten, range[0], range[1], 1, 0, -1, null),
          () -> TaggedReceive.of(ANY).into(ten, range[0], range[1]));
    }
    refusedArgument(
        "read-only",
        () -> endpoint.postReceive(ByteBuffer.allocate(8).asReadOnlyBuffer(), 1, 0, null));
    refusedArgument("maxLength=-1", () -> posted(ANY, -1, new SilentReceive()));
  }

  @Test
  void shouldRefuseAReceiveFromNobody() {
    for (int source : new int[] {-2, -5, Integer.MIN_VALUE}) {
      refusedArgument(
          "source=" + source,
          () -> endpoint.postReceive(source, ByteBuffer.allocate(8), 1, 0, null),
          () -> endpoint.postReceive(ten, 0, 10, 1, 0, source, null),
          () -> futures.receiveTagged(ANY.from(source)));
    }
  }

  @Test
  void shouldRefuseASubscriptionWithoutItsParts() {
    ActorRef<TaggedMessage> nobody = kit.system().ignoreRef();
    ActorRef<TagMatcher.Subscribed> subscribed = kit.system().ignoreRef();
    ActorRef<TagMatcher.Command> matcher = endpoint.matcher();
    refusedNull(
        "selector",
        () -> futures.subscribe(null, nobody),
        () -> matcher.tell(new TagMatcher.Subscribe(null, 1, nobody, subscribed)));
    refusedNull(
        "subscriber",
        () -> futures.subscribe(ANY, null),
        () -> matcher.tell(new TagMatcher.Subscribe(ANY, 1, null, subscribed)),
        () -> matcher.tell(new TagMatcher.Unsubscribe(null)));
    refusedNull("replyTo", () -> matcher.tell(new TagMatcher.Subscribe(ANY, 1, nobody, null)));
    refusedArgument(
        "maxLength=-1", () -> matcher.tell(new TagMatcher.Subscribe(ANY, -1, nobody, subscribed)));
  }

  @Test
  void shouldRefuseACommandToTheMatcherWithoutItsParts() {
    ActorRef<TagMatcher.Command> matcher = endpoint.matcher();
    refusedNull(
        "replyTo",
        () -> matcher.tell(new TagMatcher.GetState(null)),
        () -> matcher.tell(new TagMatcher.CancelReceive("context", null)));
    refusedNull(
        "context",
        () -> futures.cancel(null),
        () -> matcher.tell(new TagMatcher.CancelReceive(null, kit.system().ignoreRef())));
    refusedNull("arrival", () -> matcher.tell(new TagMatcher.Arrived(null)));
    refusedNull("whenClosed", () -> matcher.tell(new TagMatcher.Close(null)));
    refusedNull("error", () -> matcher.tell(new TagMatcher.PeerLost(0, null, NULL, true)));
    refusedNull(
        "detail", () -> matcher.tell(new TagMatcher.PeerLost(0, FabricError.IO, null, true)));
    refused(InvalidMessageException.class, NULL, () -> matcher.tell(null));
  }

  @Test
  void shouldRefuseACommandToTheEndpointWithoutItsParts() {
    ActorRef<Endpoint.Command> ref = endpoint.ref();
    refusedNull(
        "replyTo",
        () -> ref.tell(new Endpoint.CancelSend("context", null)),
        () -> ref.tell(new Endpoint.Connect(toOther, null)),
        () -> ref.tell(new Endpoint.FixPeers("why", null)),
        () -> ref.tell(new Endpoint.GetFlows(null)),
        () -> ref.tell(new Endpoint.GetAddress(null)),
        () -> ref.tell(new Endpoint.Close(Duration.ZERO, null)));
    refusedNull("context", () -> ref.tell(new Endpoint.CancelSend(null, kit.system().ignoreRef())));
    refusedNull(
        "why",
        () -> futures.fixPeers(null),
        () -> ref.tell(new Endpoint.FixPeers(null, kit.system().ignoreRef())));
    refusedNull("error", () -> ref.tell(new Endpoint.PeerGone(toOther, null, NULL)));
    refusedNull("detail", () -> ref.tell(new Endpoint.PeerGone(toOther, FabricError.IO, null)));
    refusedNull("action", () -> endpoint.onClose(null));
    refused(InvalidMessageException.class, NULL, () -> ref.tell(null));
  }

  @Test
  void shouldRefuseToCloseWithinNoTime() {
    refusedNull(
        "drainTimeout",
        () -> endpoint.close(null),
        () -> endpoint.ref().tell(new Endpoint.Close(null, kit.system().ignoreRef())));
    refusedArgument(
        "drainTimeout=PT-1S",
        () -> endpoint.close(Duration.ofSeconds(-1)),
        () ->
            endpoint
                .ref()
                .tell(new Endpoint.Close(Duration.ofSeconds(-1), kit.system().ignoreRef())));
  }

  @Test
  void shouldCloseWhenTheTimeIsForEver() {
    Endpoint closed = domain.openEndpoint("closed");

    Endpoint.Closed report = Await.get(closed.close(Duration.ofSeconds(Long.MAX_VALUE)));

    assertThat(report).isEqualTo(new Endpoint.Closed(0, 0));
  }

  @Test
  void shouldRefuseAReadWithoutItsParts() {
    CompletionQueue queue = endpoint.receiveQueue();
    endpoint.postReceive(ten, 0, 10, 99, 0, -1, "kept");
    Await.get(other.futures().sendTagged(toEndpoint, new byte[1], 99));
    Await.until("an entry waits", () -> !queue.ring().isEmpty());

    refusedNull(
        "handler",
        () -> queue.read(null, 1),
        () -> queue.readBlocking(null, 1, PATIENCE),
        () -> queue.ring().read(null, 1));
    refusedNull(
        "timeout", () -> queue.readBlocking(null), () -> queue.readBlocking(entry -> {}, 1, null));
    refusedNull("replyTo", () -> queue.ref().tell(new CompletionQueue.ReadEntries(1, null)));
    refusedArgument("limit=-1", () -> queue.read(entry -> {}, -1));
    refusedArgument(
        "limit=0",
        () -> queue.readBlocking(entry -> {}, 0, PATIENCE),
        () -> queue.readBlocking(entry -> {}, 0, Duration.ofSeconds(Long.MIN_VALUE)));

    assertThat(queue.readBlocking(Duration.ofSeconds(Long.MIN_VALUE)).context()).isEqualTo("kept");
    assertThat(queue.readBlocking(Duration.ofSeconds(Long.MIN_VALUE))).isNull();
  }

  @Test
  void shouldRefuseAddressesThatAreNone() {
    AddressVector vector = domain.addressVector();
    EndpointAddress address = other.address();
    int limit = vector.snapshot().limit();
    refusedNull(
        "address",
        () -> vector.insert(null),
        () -> vector.insertAll(Arrays.asList(address, null)),
        () -> vector.ref().tell(new AddressVector.Insert(null, kit.system().ignoreRef())));
    refusedNull(
        "address",
        () ->
            vector
                .ref()
                .tell(
                    new AddressVector.Insert(
                        Arrays.asList(address, null), kit.system().ignoreRef())));
    refusedNull(
        "replyTo",
        () -> vector.ref().tell(new AddressVector.Insert(List.of(), null)),
        () -> vector.ref().tell(new AddressVector.Remove(0, null)),
        () -> vector.ref().tell(new AddressVector.Lookup(0, null)));
    refusedNull("node", () -> vector.ref().tell(new AddressVector.NodeGone(null, 0, NULL)));

    TestProbe<AddressVector.LookupOutcome> probe = kit.createTestProbe();
    vector.ref().tell(new AddressVector.Lookup(toOther, probe.ref()));
    assertThat(probe.receiveMessage(PATIENCE))
        .isEqualTo(new AddressVector.Found(toOther, vector.lookup(toOther)));
    assertThat(vector.snapshot().limit()).isEqualTo(limit);
  }

  @Test
  void shouldRefuseWhatADomainCannotOpen() {
    CompletionQueue queue = domain.openCompletionQueue(1);
    refusedNull(
        "endpointName",
        () -> domain.openEndpoint(null),
        () -> domain.openEndpoint(null, queue, queue));
    refusedNull("transmitQueue", () -> domain.openEndpoint("e", null, queue));
    refusedNull("receiveQueue", () -> domain.openEndpoint("e", queue, null));
    refusedNull("settings", () -> domain.openEndpoint("e", queue, queue, null));
    refusedNull("condition", () -> domain.await(null, PATIENCE));
    refusedNull("timeout", () -> domain.await(() -> true, null));
    refusedArgument("capacity=0", () -> domain.openCompletionQueue(0));
    refusedArgument("capacity=-1", () -> domain.openCompletionQueue(-1));

    assertThat(domain.await(() -> true, Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
    assertThat(domain.await(() -> false, Duration.ofSeconds(Long.MIN_VALUE))).isFalse();
    assertThat(domain.endpoints()).containsExactly(endpoint, other);
  }

  @Test
  void shouldRefuseWhatAFabricCannotDo() {
    Fabric fabric = domain.fabric();
    ActorRef<NameService.Command> names = fabric.names().ref();
    EndpointAddress address = endpoint.address();
    refusedNull(
        "name",
        () -> fabric.openDomain(null),
        () -> fabric.register(null, endpoint),
        () -> fabric.resolve(null),
        () -> fabric.resolve(null, PATIENCE),
        () -> fabric.unregister(null),
        () -> domain.connect(null),
        () -> names.tell(new NameService.Register(null, address, kit.system().ignoreRef())),
        () -> names.tell(new NameService.Unregister(null, kit.system().ignoreRef())));
    refusedNull("progress", () -> fabric.openDomain("odd", (ProgressSettings) null));
    refusedNull("endpoint", () -> fabric.register("name", null));
    refusedNull(
        "address",
        () -> fabric.names().register("name", null),
        () -> names.tell(new NameService.Register("name", null, kit.system().ignoreRef())),
        () -> names.tell(new NameService.UnregisterAll(null)));
    refusedNull(
        "replyTo",
        () -> names.tell(new NameService.Register("name", address, null)),
        () -> names.tell(new NameService.Resolve("name", PATIENCE, null)),
        () -> names.tell(new NameService.Unregister("name", null)));
    refusedNull("timeout", () -> fabric.resolve("name", null));
    refusedNull("listener", () -> fabric.onNodeDeparture(null));
    refusedArgument("must have 1 to 255 characters", () -> fabric.register(" ", endpoint));

    assertThat(Await.failure(fabric.resolve("nobody", Duration.ofSeconds(-1))))
        .hasMessageContaining("no endpoint had the name [nobody]");
    CompletionStage<EndpointAddress> found =
        fabric.resolve("late", Duration.ofSeconds(Long.MAX_VALUE));
    Await.get(fabric.register("late", endpoint));
    assertThat(Await.get(found)).isEqualTo(address);
    assertThat(fabric.openDomain("odd").name()).isEqualTo("odd");
  }

  @Test
  void shouldKeepASlotOutOfAnotherEndpointsQueue() {
    for (int i = 0; i <= SLOTS; i++) {
      other
          .matcher()
          .tell(
              new TagMatcher.PostReceive(
                  PostedReceive.reserve(
                      endpoint.receiveQueue(),
                      TaggedReceive.of(TagSelector.exact(7)).into(ten, 0, 10),
                      Completions.ALL,
                      "misled")));
      Await.get(other.futures().matcherState());
    }

    Await.get(endpoint.futures().sendTagged(toOther, new byte[1], 7));
    Await.get(other.futures().receiveTagged(TagSelector.exact(7)));
  }

  /** What a program does with a buffer that is not its own until the completion. */
  @Test
  void shouldFailOnlyTheSendWhoseBufferWasWrappedAnew() {
    for (int length : new int[] {1_000, 10_000, 90_000}) {
      UnsafeBuffer spoiled = new UnsafeBuffer(new byte[length]);
      TestProbe<Completion> probe = kit.createTestProbe();
      Endpoint.SendTagged send =
          new Endpoint.SendTagged(
              TaggedSend.of(toOther, spoiled, 0, length, 3).level(INJECT), null, probe.ref());
      spoiled.wrap(new byte[1]);

      endpoint.ref().tell(send);
      if (length > 65_536) {
        byte[] buffer = new byte[length];
        other.postReceive(ByteBuffer.wrap(buffer), 3, 0, "asked");
      }

      Completion.Failed failed = probe.expectMessageClass(Completion.Failed.class, PATIENCE);
      assertThat(failed.error()).isEqualTo(FabricError.INVALID);
      assertThat(failed.detail()).contains("capacity=1; leave it alone until the completion");
      if (length > 65_536) {
        assertThat(Await.get(other.futures().cancel("asked"))).isNotNull();
        other.receiveQueue().readBlocking(PATIENCE);
      }
    }
  }

  @Test
  void shouldFailOnlyTheAnnouncedSendWhoseBufferWasWrappedAnew() {
    UnsafeBuffer spoiled = new UnsafeBuffer(new byte[90_000]);
    endpoint.sendTagged(toOther, spoiled, 0, 90_000, 3, "spoiled");
    Await.until(
        "the request waits",
        () -> Await.get(other.futures().matcherState()).unexpectedMessages() > 0);
    spoiled.wrap(new byte[1]);
    other.postReceive(ByteBuffer.allocate(90_000), 3, 0, "asked");

    Completion sent = endpoint.transmitQueue().readBlocking(PATIENCE);
    Completion received = other.receiveQueue().readBlocking(PATIENCE);

    assertThat(((Completion.Failed) sent).error()).isEqualTo(FabricError.INVALID);
    assertThat(((Completion.Failed) received).error()).isEqualTo(FabricError.INVALID);
  }

  @Test
  void shouldFailOnlyTheReceiveWhoseBufferWasWrappedAnew() {
    for (int length : new int[] {16, 10_000, 40_000, 90_000}) {
      UnsafeBuffer spoiled = new UnsafeBuffer(new byte[length]);
      other.postReceive(spoiled, 0, length, 3, 0, -1, "spoiled");
      spoiled.wrap(new byte[1]);

      Await.get(futures.sendTagged(toOther, new byte[length], 3));
      Completion received = other.receiveQueue().readBlocking(PATIENCE);

      assertThat(((Completion.Failed) received).error()).isEqualTo(FabricError.INVALID);
      assertThat(((Completion.Failed) received).detail())
          .contains("lengthBytes=" + length + " do not lie in the buffer any more, capacity=1");
    }
  }
}
