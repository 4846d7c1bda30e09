package io.tagfabric.match.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import akka.actor.testkit.typed.Effect;
import akka.actor.testkit.typed.javadsl.BehaviorTestKit;
import akka.actor.testkit.typed.javadsl.TestInbox;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.Arrival;
import io.tagfabric.match.Claim;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.PostedProbe;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.Probe;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.MessageViews;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A matcher as an actor: what it is told, one message at a time, and what it answers. */
class TagMatcherTest {
  private static final int SLOTS = 8;
  private static final int PEER = 3;

  private final ProgressLoop loop = new ProgressLoop(() -> 0);
  private final CompletionQueue queue = queue();
  private final CompletionOutbox outbox = queue.outbox();
  private final ReceiveCore core = new ReceiveCore(4, outbox);
  private final ScriptedOrigin origin = new ScriptedOrigin(PEER);
  private final List<RuntimeException> defects = new ArrayList<>();
  private final List<String> stops = new ArrayList<>();
  private final BehaviorTestKit<TagMatcher.Command> matcher =
      BehaviorTestKit.create(
          TagMatcherActor.create(core, outbox, defects::add, () -> stops.add("stopped")));
  private final TestInbox<TagMatcher.ReceiveOutcome> outcomes = TestInbox.create();
  private final TestInbox<TagMatcher.ProbeOutcome> probes = TestInbox.create();
  private final TestInbox<Completion> many = TestInbox.create();

  private CompletionQueue queue() {
    return CompletionQueue.open(
        SLOTS, loop, ProgressMode.MANUAL, new IdlePolicy(0, 0, 1), behavior -> null);
  }

  private static byte[] bytes(int length, int first) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (first + i);
    }
    return bytes;
  }

  private void arrive(long tag, byte[] payload) {
    MessageView message = MessageViews.of(tag, null, payload);
    matcher.run(new TagMatcher.Arrived(new Arrival.Whole(origin, message)));
  }

  private void arriveUntagged(byte[] payload) {
    MessageView message = MessageViews.of(0, null, payload);
    message.showUntagged();
    matcher.run(new TagMatcher.Arrived(new Arrival.Whole(origin, message)));
  }

  private List<Completion> completions() {
    return queue.read(Integer.MAX_VALUE);
  }

  private TagMatcher.State state() {
    TestInbox<TagMatcher.State> inbox = TestInbox.create();
    matcher.run(new TagMatcher.GetState(inbox.getRef()));
    return inbox.receiveMessage();
  }

  private static byte[] payload(TagMatcher.ReceiveOutcome outcome) {
    return ((TagMatcher.Received) outcome).message().payload().array();
  }

  private static FabricError error(TagMatcher.ProbeOutcome outcome) {
    return ((TagMatcher.NotFound) outcome).failure().error();
  }

  // ---- receives ----

  @Test
  void shouldAnswerTheActorThatPosted() {
    matcher.run(
        new TagMatcher.PostReceive(
            TaggedReceive.of(TagSelector.exact(7)).atMost(4), "context", outcomes.getRef()));
    arrive(7, bytes(4, 1));

    TagMatcher.Received received = (TagMatcher.Received) outcomes.receiveMessage();
    assertThat(received.context()).isEqualTo("context");
    assertThat(received.message().payload().array()).isEqualTo(bytes(4, 1));
    assertThat(outcomes.hasMessages()).isFalse();
  }

  @Test
  void shouldPublishTheCompletionOfAReceiveThatReservedASlot() {
    UnsafeBuffer into = new UnsafeBuffer(new byte[8]);
    matcher.run(
        new TagMatcher.PostReceive(
            PostedReceive.reserve(
                queue,
                TaggedReceive.of(TagSelector.exact(7)).into(into, 2, 4),
                Completions.ALL,
                "reserved")));
    arrive(7, bytes(4, 1));

    Completion.Received received = (Completion.Received) completions().get(0);
    assertThat(received.context()).isEqualTo("reserved");
    assertThat(received.length()).isEqualTo(4);
    assertThat(into.byteArray()).containsExactly(0, 0, 1, 2, 3, 4, 0, 0);
  }

  @Test
  void shouldTellTheActorWhyNoMessageCame() {
    matcher.run(
        new TagMatcher.PostReceive(
            TaggedReceive.of(TagSelector.exact(7)).atMost(4), "late", outcomes.getRef()));
    matcher.run(new TagMatcher.Close(cancelled -> stops.add("cancelled " + cancelled)));

    TagMatcher.NotReceived failed = (TagMatcher.NotReceived) outcomes.receiveMessage();
    assertThat(failed.failure().error()).isEqualTo(FabricError.CANCELED);
    assertThat(failed.failure().context()).isEqualTo("late");
    assertThat(stops).containsExactly("cancelled 1");
  }

  @Test
  void shouldFillSeveralBuffersOneBehindTheOther() {
    UnsafeBuffer first = new UnsafeBuffer(new byte[3]);
    UnsafeBuffer second = new UnsafeBuffer(new byte[4]);
    matcher.run(
        new TagMatcher.PostReceive(
            PostedReceive.reserve(
                queue,
                TaggedReceive.of(TagSelector.exact(7)).into(List.of(first, second)),
                Completions.ALL,
                "vector")));
    arrive(7, bytes(5, 1));

    assertThat(((Completion.Received) completions().get(0)).length()).isEqualTo(5);
    assertThat(first.byteArray()).containsExactly(1, 2, 3);
    assertThat(second.byteArray()).containsExactly(4, 5, 0, 0);
  }

  @Test
  void shouldGiveNoReceiveWhenTheQueueHasNoSlot() {
    UnsafeBuffer into = new UnsafeBuffer(new byte[8]);
    while (queue.ring().tryReserve()) {
      // until it is full
    }

    assertThat(
            PostedReceive.reserve(
                queue,
                TaggedReceive.of(TagSelector.exact(7)).into(into, 0, 8),
                Completions.ALL,
                null))
        .isNull();
    assertThat(
            PostedReceive.reserve(
                queue,
                TaggedReceive.of(TagSelector.exact(7)).into(List.of(into)),
                Completions.ALL,
                null))
        .isNull();
    assertThat(
            PostedReceive.reserve(
                queue, TaggedReceive.of(new Claim()).into(into, 0, 8), Completions.ALL, null))
        .isNull();
    queue.ring().release();
    assertThat(
            PostedReceive.reserve(
                queue,
                TaggedReceive.of(TagSelector.exact(7)).into(into, 0, 8).many(1),
                Completions.ALL,
                null))
        .as("it needs two")
        .isNull();
    assertThat(queue.ring().tryReserve()).as("and gives the first back").isTrue();
  }

  @Test
  void shouldRefuseWhatNoReceiveCanBe() {
    UnsafeBuffer into = new UnsafeBuffer(new byte[8]);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                PostedReceive.reserve(
                    queue,
                    TaggedReceive.of(TagSelector.exact(7)).into(into, 4, 5),
                    Completions.ALL,
                    null));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                PostedReceive.reserve(
                    queue,
                    TaggedReceive.of(TagSelector.exact(7).from(-2)).into(into, 0, 8),
                    Completions.ALL,
                    null));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                PostedReceive.reserve(
                    queue,
                    TaggedReceive.of(TagSelector.exact(7)).into(into, 0, 8).many(9),
                    Completions.ALL,
                    null))
        .withMessageContaining("leastFree=9 is outside 1..8");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                TagMatcher.PostReceive.into(
                    TaggedReceive.of(TagSelector.exact(7)).into(into).many(0),
                    null,
                    many.getRef()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new TagMatcher.PostReceive(
                    TaggedReceive.of(TagSelector.exact(7)).atMost(-1), null, outcomes.getRef()))
        .withMessageContaining("maxLength=-1 < 0");
    assertThatNullPointerException()
        .isThrownBy(
            () ->
                new TagMatcher.PostReceive(
                    TaggedReceive.of(TagSelector.exact(7)).atMost(1), null, noActor()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TagMatcher.PostProbe(Probe.peekUntagged(-2), null, probes.getRef()));
    for (int i = 0; i < SLOTS; i++) {
      assertThat(queue.ring().tryReserve()).as("nothing was reserved").isTrue();
    }
  }

  private static akka.actor.typed.ActorRef<TagMatcher.ReceiveOutcome> noActor() {
    return null;
  }

  @Test
  void shouldBeginWithAReceiveOnceThoughItIsToldTwice() {
    TagMatcher.PostReceive receive =
        new TagMatcher.PostReceive(
            TaggedReceive.of(TagSelector.exact(7)).atMost(4), "once", outcomes.getRef());
    matcher.run(receive);
    matcher.run(receive);

    assertThat(state().postedReceives()).isOne();
  }

  @Test
  void shouldGiveSlotsBackOfReceivesThatAreOfAnotherEndpoint() {
    CompletionQueue other = queue();
    UnsafeBuffer into = new UnsafeBuffer(new byte[8]);
    matcher.run(
        new TagMatcher.PostReceive(
            PostedReceive.reserve(
                other,
                TaggedReceive.of(TagSelector.exact(7)).into(into, 0, 8),
                Completions.ALL,
                null)));
    matcher.run(
        new TagMatcher.PostReceive(
            PostedReceive.reserve(
                other,
                TaggedReceive.of(TagSelector.exact(7)).into(into, 0, 8).many(1),
                Completions.ALL,
                null)));
    other.ring().tryReserve();
    matcher.run(
        new TagMatcher.PostProbe(
            PostedProbe.reserved(other, Probe.peek(TagSelector.exact(7)), "stray")));

    assertThat(state().postedReceives()).isZero();
    for (int i = 0; i < SLOTS; i++) {
      assertThat(other.ring().tryReserve()).as("slot %d", i).isTrue();
    }
    assertThat(completions()).isEmpty();
  }

  @Test
  void shouldCancelByTheContextItself() {
    Object context = new Object();
    TestInbox<TagMatcher.CancelOutcome> answers = TestInbox.create();
    matcher.run(
        new TagMatcher.PostReceive(
            TaggedReceive.of(TagSelector.exact(7)).atMost(4), context, outcomes.getRef()));

    matcher.run(new TagMatcher.CancelReceive(context, answers.getRef()));
    matcher.run(new TagMatcher.CancelReceive(context, answers.getRef()));

    assertThat(answers.getAllReceived())
        .containsExactly(
            new TagMatcher.Cancelled(context), new TagMatcher.CancelOutcome.NotFound(context));
    assertThat(outcomes.receiveMessage()).isInstanceOf(TagMatcher.NotReceived.class);
  }

  @Test
  void shouldKeepMessagesWithoutATagApart() {
    matcher.run(
        new TagMatcher.PostReceive(
            TaggedReceive.untagged(PEER).atMost(8), "untagged", outcomes.getRef()));
    arrive(0, bytes(2, 1));
    assertThat(outcomes.hasMessages()).isFalse();
    arriveUntagged(bytes(2, 5));

    assertThat(payload(outcomes.receiveMessage())).isEqualTo(bytes(2, 5));
    assertThat(state().unexpectedMessages()).isOne();
  }

  // ---- many messages ----

  @Test
  void shouldTellTheActorOfEachMessageInItsBuffer() {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[10]);
    matcher.run(
        TagMatcher.PostReceive.into(
            TaggedReceive.of(TagSelector.exact(7)).into(buffer).many(4), "many", many.getRef()));
    arrive(7, bytes(3, 1));
    arrive(7, bytes(4, 4));

    List<Completion> told = many.getAllReceived();
    assertThat(told).hasSize(3);
    assertThat(((Completion.Received) told.get(1)).offset()).isEqualTo(3);
    assertThat(told.get(2)).isEqualTo(new Completion.Released("many", 7));
    assertThat(buffer.byteArray()).startsWith(1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void shouldTellTheActorWhyABufferTakesNoMore() {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[10]);
    matcher.run(
        TagMatcher.PostReceive.into(
            TaggedReceive.untagged(PEER).into(buffer).many(4), "many", many.getRef()));
    arriveUntagged(bytes(2, 1));
    arrive(0, bytes(2, 1));
    matcher.run(new TagMatcher.PeerLost(PEER, FabricError.CONNECTION_RESET, "it is gone", true));

    List<Completion> told = many.getAllReceived();
    assertThat(told).hasSize(3);
    assertThat(((Completion.Failed) told.get(1)).error()).isEqualTo(FabricError.CONNECTION_RESET);
    assertThat(told.get(2)).isEqualTo(new Completion.Released("many", 2));
  }

  // ---- probes and claims ----

  @Test
  void shouldFindClaimAndDiscardMessages() {
    arrive(7, bytes(2, 1));
    arriveUntagged(bytes(3, 1));
    matcher.run(
        new TagMatcher.PostProbe(Probe.peek(TagSelector.exact(7)), "peek", probes.getRef()));
    matcher.run(new TagMatcher.PostProbe(Probe.peekUntagged(PEER), "untagged", probes.getRef()));
    matcher.run(new TagMatcher.PostProbe(Probe.discardUntagged(PEER), "discard", probes.getRef()));
    matcher.run(new TagMatcher.PostProbe(Probe.peekUntagged(PEER), "gone", probes.getRef()));
    matcher.run(
        new TagMatcher.PostProbe(
            Probe.claim(TagSelector.exact(7), new Claim()), "claim", probes.getRef()));
    matcher.run(
        new TagMatcher.PostProbe(Probe.claimUntagged(PEER, new Claim()), "none", probes.getRef()));

    List<TagMatcher.ProbeOutcome> all = probes.getAllReceived();
    MessageInfo tagged = new MessageInfo(PEER, 7, 2);
    MessageInfo untagged = new MessageInfo(PEER, false, 0, 3, false, 0);
    assertThat(all.subList(0, 3))
        .containsExactly(
            new TagMatcher.Found("peek", tagged),
            new TagMatcher.Found("untagged", untagged),
            new TagMatcher.Found("discard", untagged));
    assertThat(error(all.get(3))).isEqualTo(FabricError.NO_MESSAGE);
    Claim claim = ((TagMatcher.Claimed) all.get(4)).claim();
    assertThat(claim.info()).isEqualTo(tagged);
    assertThat(error(all.get(5))).isEqualTo(FabricError.NO_MESSAGE);
    assertThat(state().claimedMessages()).isOne();

    matcher.run(
        new TagMatcher.PostReceive(
            TaggedReceive.of(claim).atMost(8), "receive", outcomes.getRef()));
    assertThat(payload(outcomes.receiveMessage())).isEqualTo(bytes(2, 1));
    assertThat(state().claimedMessages()).isZero();
  }

  @Test
  void shouldDropTheMessageOfAClaim() {
    arrive(7, bytes(2, 1));
    matcher.run(
        new TagMatcher.PostProbe(
            Probe.claim(TagSelector.exact(7), new Claim()), "claim", probes.getRef()));
    Claim claim = ((TagMatcher.Claimed) probes.receiveMessage()).claim();
    matcher.run(new TagMatcher.PostProbe(Probe.discard(claim), "drop", probes.getRef()));
    matcher.run(new TagMatcher.PostProbe(Probe.discard(claim), "again", probes.getRef()));
    matcher.run(
        new TagMatcher.PostProbe(Probe.discard(TagSelector.exact(7)), "none", probes.getRef()));

    assertThat(probes.receiveMessage())
        .isEqualTo(new TagMatcher.Found("drop", new MessageInfo(PEER, 7, 2)));
    assertThat(error(probes.receiveMessage())).isEqualTo(FabricError.INVALID);
    assertThat(error(probes.receiveMessage())).isEqualTo(FabricError.NO_MESSAGE);
    assertThat(state()).isEqualTo(new TagMatcher.State(0, 0, 0, 2, 0));
  }

  @Test
  void shouldPublishTheCompletionOfAProbeOnce() {
    arrive(7, bytes(2, 1));
    assertThat(queue.ring().tryReserve()).isTrue();
    TagMatcher.PostProbe probe =
        new TagMatcher.PostProbe(
            PostedProbe.reserved(queue, Probe.peek(TagSelector.exact(7)), "peek"));
    matcher.run(probe);
    matcher.run(probe);

    List<Completion> found = completions();
    assertThat(found).hasSize(1);
    assertThat(found.get(0).context()).isEqualTo("peek");
  }

  @Test
  void shouldReceiveTheMessageOfAClaimByTheQueue() {
    arrive(7, bytes(2, 1));
    matcher.run(
        new TagMatcher.PostProbe(
            Probe.claim(TagSelector.exact(7), new Claim()), "claim", probes.getRef()));
    Claim claim = ((TagMatcher.Claimed) probes.receiveMessage()).claim();
    UnsafeBuffer into = new UnsafeBuffer(new byte[2]);
    matcher.run(
        new TagMatcher.PostReceive(
            PostedReceive.reserve(
                queue, TaggedReceive.of(claim).into(into, 0, 2), Completions.ALL, "claimed")));

    assertThat(completions().get(0).context()).isEqualTo("claimed");
    assertThat(into.byteArray()).isEqualTo(bytes(2, 1));
  }

  // ---- subscriptions, lists, losses ----

  @Test
  void shouldDeliverToASubscriberUntilItIsUnsubscribed() {
    TestInbox<TaggedMessage> subscriber = TestInbox.create();
    TestInbox<TagMatcher.Subscribed> answers = TestInbox.create();
    arrive(7, bytes(1, 1));
    matcher.run(
        new TagMatcher.Subscribe(TagSelector.exact(7), 8, subscriber.getRef(), answers.getRef()));
    arrive(7, bytes(1, 2));

    assertThat(answers.receiveMessage()).isEqualTo(new TagMatcher.Subscribed(TagSelector.exact(7)));
    assertThat(subscriber.getAllReceived())
        .extracting(message -> message.payload().array()[0])
        .containsExactly((byte) 1, (byte) 2);
    matcher.run(new TagMatcher.Unsubscribe(subscriber.getRef()));
    arrive(7, bytes(1, 3));
    assertThat(subscriber.hasMessages()).isFalse();
    assertThat(state().unexpectedMessages()).isOne();
    assertThat(matcher.getAllEffects())
        .anyMatch(effect -> effect instanceof Effect.WatchedWith)
        .anyMatch(effect -> effect instanceof Effect.Unwatched);
  }

  @Test
  void shouldListWhatWaits() {
    arrive(7, bytes(2, 1));
    matcher.run(
        new TagMatcher.PostReceive(
            TaggedReceive.of(TagSelector.exact(8)).atMost(4), null, outcomes.getRef()));
    matcher.run(
        new TagMatcher.PostReceive(
            TaggedReceive.untagged(PEER).atMost(4), null, outcomes.getRef()));
    TestInbox<TagMatcher.Waiting> answers = TestInbox.create();
    matcher.run(new TagMatcher.ListWaiting(answers.getRef()));

    TagMatcher.Waiting waiting = answers.receiveMessage();
    assertThat(waiting.messages()).containsExactly(new MessageInfo(PEER, 7, 2));
    assertThat(waiting.receives())
        .extracting(TagMatcher.ReceiveInfo::toString)
        .containsExactly(TagSelector.exact(8).toString(), "untagged from " + PEER);
    assertThat(waiting.receives())
        .extracting(TagMatcher.ReceiveInfo::tagged)
        .containsExactly(true, false);
  }

  @Test
  void shouldDropMessagesThatNobodyWants() {
    arrive(7, bytes(2, 1));
    arrive(8, bytes(2, 1));
    matcher.run(new TagMatcher.Discard(tag -> tag == 7));
    arrive(7, bytes(2, 1));

    assertThat(state().unexpectedMessages()).isOne();
  }

  @Test
  void shouldEndTheMessagesOfAFlowThatIsLost() {
    matcher.run(
        new TagMatcher.PostReceive(
            TaggedReceive.of(TagSelector.exact(7)).atMost(4), "half", outcomes.getRef()));
    MessageView half = MessageViews.of(7, null, bytes(2, 1));
    matcher.run(new TagMatcher.Arrived(new Arrival.First(origin, half, 1, 4)));
    origin.lost = true;
    matcher.run(new TagMatcher.FlowLost(PEER, FabricError.SHUTDOWN, "it has closed"));

    TagMatcher.NotReceived failed = (TagMatcher.NotReceived) outcomes.receiveMessage();
    assertThat(failed.failure().error()).isEqualTo(FabricError.SHUTDOWN);
  }

  @Test
  void shouldRunWhatLeavesAndCountWhatItCancels() {
    matcher.run(new TagMatcher.Leave(() -> stops.add("left")));
    matcher.run(
        new TagMatcher.PostReceive(
            TaggedReceive.of(TagSelector.exact(8)).atMost(4), null, outcomes.getRef()));
    matcher.run(
        new TagMatcher.PostReceive(
            TaggedReceive.of(TagSelector.exact(9)).atMost(4), null, outcomes.getRef()));
    matcher.run(new TagMatcher.Close(cancelled -> stops.add("cancelled " + cancelled)));

    assertThat(stops).containsExactly("left", "cancelled 2");
    assertThat(outcomes.getAllReceived()).hasSize(2);
  }

  @Test
  void shouldEndWhatWasAcceptedWhenItStops() {
    UnsafeBuffer into = new UnsafeBuffer(new byte[8]);
    matcher.run(
        new TagMatcher.PostReceive(
            PostedReceive.reserve(
                queue,
                TaggedReceive.of(TagSelector.exact(7)).into(into, 0, 8),
                Completions.ALL,
                "reserved")));
    matcher.signal(akka.actor.typed.PostStop.instance());

    assertThat(stops).containsExactly("stopped");
    assertThat(((Completion.Failed) completions().get(0)).error()).isEqualTo(FabricError.CANCELED);
  }

  /** A buffer that is broken from a moment on. */
  private static final class BrokenBuffer extends UnsafeBuffer {
    private boolean isBroken;

    BrokenBuffer() {
      super(new byte[8]);
    }

    @Override
    public int capacity() {
      if (isBroken) {
        throw new IllegalStateException("a defect, on purpose");
      }
      return super.capacity();
    }
  }

  @Test
  void shouldTellOfADefectAndFailWhatItWasHandling() {
    BrokenBuffer broken = new BrokenBuffer();
    PostedReceive receive =
        PostedReceive.reserve(
            queue,
            TaggedReceive.of(TagSelector.exact(7)).into(broken, 0, 8),
            Completions.ALL,
            "broken");
    broken.isBroken = true;
    arrive(7, bytes(2, 1));
    matcher.run(new TagMatcher.PostReceive(receive));
    matcher.run(
        new TagMatcher.PostProbe(Probe.peek(TagSelector.exact(7)), "after", probes.getRef()));

    assertThat(defects).singleElement().asString().contains("on purpose");
    assertThat(completions())
        .singleElement()
        .isInstanceOfSatisfying(
            Completion.Failed.class, failed -> assertThat(failed.context()).isEqualTo("broken"));
    assertThat(error(probes.receiveMessage())).isEqualTo(FabricError.CANCELED);
  }
}
