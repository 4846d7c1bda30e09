package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.actor.testkit.typed.javadsl.TestInbox;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.Claim;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.Probe;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Every receive and every probe through every door: it does the same, and ends once. */
abstract class ReceiveDoorTests extends RegionDoorTests {
  private static final int TAG = 5;
  private static final int ROOM = 70_100;

  /** A way to have a receive or a probe done; it says how to wait for its end. */
  @FunctionalInterface
  private interface Door<T> {
    Ending begin(T wanted) throws Exception;
  }

  /** Waits for one end, and returns it as a completion. */
  @FunctionalInterface
  private interface Ending {
    Completion await();
  }

  /** Makes a receive of a message, and of one with 200 bytes; and gathers what came. */
  private interface Place {
    TaggedReceive place(TaggedReceive receive);

    byte[] first(int length);
  }

  private int taken;

  ReceiveDoorTests(ContractSystems systems, ProgressMode mode) {
    super(systems, mode);
  }

  private static Map<String, TaggedSend> messages(int peer) {
    Map<String, TaggedSend> all = new LinkedHashMap<>();
    all.put("short", TaggedSend.of(peer, pattern(40, 7), TAG));
    all.put("empty", TaggedSend.of(peer, buffer(0), TAG));
    all.put("data", TaggedSend.of(peer, pattern(40, 9), TAG).data(-9));
    all.put("parts of bytes", TaggedSend.of(peer, pattern(3_000, 4), TAG));
    all.put("long", TaggedSend.of(peer, pattern(70_000, 3), TAG));
    all.put("untagged", TaggedSend.untagged(peer, pattern(40, 2)));
    all.put("untagged long", TaggedSend.untagged(peer, pattern(70_000, 1)));
    return all;
  }

  /** How a program can name the message: by its sender, by any, by a claim of it. */
  private List<TaggedReceive> wants(boolean untagged) {
    return untagged
        ? List.of(TaggedReceive.untagged(fromNear), TaggedReceive.untagged(-1))
        : List.of(
            TaggedReceive.of(TagSelector.exact(TAG).from(fromNear)),
            TaggedReceive.of(TagSelector.masked(0, -1)));
  }

  private Map<String, Place> places() {
    Map<String, Place> all = new LinkedHashMap<>();
    for (boolean direct : new boolean[] {false, true}) {
      UnsafeBuffer whole = direct ? fabric(ROOM + 8) : buffer(ROOM + 8);
      all.put(
          direct ? "fabric memory" : "buffer",
          new Place() {
            @Override
            public TaggedReceive place(TaggedReceive receive) {
              return receive.into(whole, 8, ROOM);
            }

            @Override
            public byte[] first(int length) {
              byte[] bytes = new byte[length];
              whole.getBytes(8, bytes);
              return bytes;
            }
          });
    }
    List<UnsafeBuffer> parts =
        List.of(buffer(7), buffer(0), buffer(30), fabric(60_000), buffer(ROOM - 60_037));
    all.put(
        "parts",
        new Place() {
          @Override
          public TaggedReceive place(TaggedReceive receive) {
            return receive.into(parts);
          }

          @Override
          public byte[] first(int length) {
            UnsafeBuffer whole = buffer(ROOM);
            int at = 0;
            for (UnsafeBuffer part : parts) {
              whole.putBytes(at, part, 0, part.capacity());
              at += part.capacity();
            }
            byte[] bytes = new byte[length];
            whole.getBytes(0, bytes);
            return bytes;
          }
        });
    return all;
  }

  private Map<String, Door<TaggedReceive>> receiveDoors() {
    Map<String, Door<TaggedReceive>> all = new LinkedHashMap<>();
    all.put("post", this::receiveByQueue);
    all.put("start", this::receiveByFuture);
    all.put("tell", this::receiveByActor);
    all.put("defer", this::receiveByCounter);
    return all;
  }

  private Ending receiveByQueue(TaggedReceive receive) {
    Object context = "taken " + taken++;
    assertThat(far.endpoint.post(receive, context)).isEqualTo(Posted.POSTED);
    return () -> receivedFor(context);
  }

  private Completion receivedFor(Object context) {
    List<Completion> found = new ArrayList<>();
    until(
        context + " has ended",
        () -> {
          found.clear();
          far.received.stream().filter(each -> context.equals(each.context())).forEach(found::add);
          return !found.isEmpty();
        });
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private Ending receiveByFuture(TaggedReceive receive) {
    CompletionStage<Completion.Received> stage = far.endpoint.futures().start(receive, "future");
    return () -> ended(stage);
  }

  private Completion ended(CompletionStage<? extends Completion> stage) {
    var future = stage.toCompletableFuture();
    until("the future is done", future::isDone);
    try {
      return future.join();
    } catch (CompletionException e) {
      return failure((FabricException) e.getCause());
    }
  }

  private static Completion.Failed failure(FabricException e) {
    return new Completion.Failed(
        null, e.error(), 0, false, 0, 0, 0, 0, false, 0, Direction.RECEIVE, false, e.getMessage());
  }

  private Ending receiveByActor(TaggedReceive receive) {
    TestInbox<Completion> told = inbox();
    far.endpoint.matcher().tell(TagMatcher.PostReceive.into(receive, "told", told.getRef()));
    return () -> next(told);
  }

  private static <T> TestInbox<T> inbox() {
    return TestInbox.create();
  }

  private <T> T next(TestInbox<T> told) {
    List<T> found = Collections.synchronizedList(new ArrayList<>());
    until(
        "the actor was told",
        () -> {
          if (told.hasMessages()) {
            found.add(told.receiveMessage());
          }
          return !found.isEmpty();
        });
    assertThat(told.hasMessages()).isFalse();
    return found.get(0);
  }

  private Ending receiveByCounter(TaggedReceive receive) {
    Object context = "taken " + taken++;
    Counter trigger = farDomain.openCounter();
    trigger.defer(1, far.endpoint.deferred().receive(receive, context));
    trigger.add(1);
    return () -> receivedFor(context);
  }

  @Test
  void shouldReceiveEveryMessageThroughEveryDoor() throws Exception {
    Map<String, Place> places = places();
    for (Map.Entry<String, TaggedSend> each : messages(toFar).entrySet()) {
      TaggedSend send = each.getValue();
      byte[] expected = new byte[send.length()];
      send.bytes().getBytes(send.offset(), expected);
      for (TaggedReceive wanted : wants(send.isUntagged())) {
        for (Map.Entry<String, Place> place : places.entrySet()) {
          TaggedReceive receive = place.getValue().place(wanted);
          for (Map.Entry<String, Door<TaggedReceive>> door : receiveDoors().entrySet()) {
            String name = each.getKey() + " into " + place.getKey() + " by " + door.getKey();
            for (boolean before : new boolean[] {true, false}) {
              Completion end = exchanged(send, () -> door.getValue().begin(receive), before);

              Completion.Received received = received(name, end);
              assertThat(received.length()).as(name).isEqualTo(send.length());
              assertThat(received.source()).as(name).isEqualTo(fromNear);
              assertThat(received.tagged()).as(name).isNotEqualTo(send.isUntagged());
              assertThat(received.hasData()).as(name).isEqualTo(send.hasData());
              assertThat(received.data()).as(name).isEqualTo(send.data());
              assertThat(place.getValue().first(send.length())).as(name).isEqualTo(expected);
            }
          }
        }
      }
    }
  }

  private static Completion.Received received(String name, Completion end) {
    assertThat(end).as(name).isInstanceOf(Completion.Received.class);
    return (Completion.Received) end;
  }

  /** Sends a message and begins what takes it, before or when it waits. */
  private Completion exchanged(TaggedSend send, BeginReceive begin, boolean before)
      throws Exception {
    Ending ending = before ? begin.begin() : null;
    assertThat(near.endpoint.post(send, null)).isEqualTo(Posted.POSTED);
    if (!before) {
      until("the message waits", () -> waiting() == 1);
      ending = begin.begin();
    }
    return ending.await();
  }

  @FunctionalInterface
  private interface BeginReceive {
    Ending begin() throws Exception;
  }

  private int waiting() {
    return result(far.endpoint.futures().matcherState()).unexpectedMessages();
  }

  @Test
  void shouldTruncateThroughEveryDoor() throws Exception {
    for (int length : new int[] {40, 3_000, 70_000}) {
      TaggedSend send = TaggedSend.of(toFar, pattern(length, 3), TAG);
      for (boolean parts : new boolean[] {false, true}) {
        UnsafeBuffer first = buffer(10);
        UnsafeBuffer second = buffer(17);
        TaggedReceive wanted = TaggedReceive.of(TagSelector.exact(TAG));
        TaggedReceive receive = parts ? wanted.into(List.of(first, second)) : wanted.into(second);
        for (Map.Entry<String, Door<TaggedReceive>> door : receiveDoors().entrySet()) {
          for (boolean before : new boolean[] {true, false}) {
            String name = length + " by " + door.getKey();

            Completion end = exchanged(send, () -> door.getValue().begin(receive), before);

            assertThat(end).as(name).isInstanceOf(Completion.Failed.class);
            assertThat(((Completion.Failed) end).error()).as(name).isEqualTo(FabricError.TRUNCATED);
            byte[] expected = bytes(pattern(length, 3));
            for (int i = 0; i < 17; i++) {
              assertThat(second.getByte(i)).isEqualTo(expected[i + (parts ? 10 : 0)]);
            }
          }
        }
      }
    }
  }

  @Test
  void shouldReceiveAClaimThroughEveryDoor() throws Exception {
    for (int length : new int[] {40, 70_000}) {
      for (Map.Entry<String, Door<TaggedReceive>> door : receiveDoors().entrySet()) {
        Claim claim = new Claim();
        UnsafeBuffer into = buffer(length);
        TaggedSend send = TaggedSend.of(toFar, pattern(length, 3), TAG);
        near.endpoint.post(send, null);
        until("the message waits", () -> waiting() == 1);
        result(far.endpoint.futures().start(Probe.claim(TagSelector.exact(TAG), claim)));

        TaggedReceive receive = TaggedReceive.of(claim).into(into);
        received(door.getKey(), door.getValue().begin(receive).await());

        assertThat(bytes(into)).as(door.getKey()).isEqualTo(bytes(pattern(length, 3)));
        Completion again = door.getValue().begin(receive).await();
        assertThat(((Completion.Failed) again).error()).isEqualTo(FabricError.INVALID);
      }
    }
  }

  @Test
  void shouldReceiveWholeMessagesThroughEveryDoor() throws Exception {
    for (Map.Entry<String, TaggedSend> each : messages(toFar).entrySet()) {
      TaggedSend send = each.getValue();
      for (TaggedReceive receive : wants(send.isUntagged())) {
        TestInbox<TagMatcher.ReceiveOutcome> told = inbox();
        Heard heard = new Heard();
        var future = far.endpoint.futures().receive(receive, "future").toCompletableFuture();
        near.endpoint.post(send, null);
        until("the future is done", future::isDone);
        check(each.getKey(), send, future.join());

        far.endpoint.matcher().tell(new TagMatcher.PostReceive(receive, "told", told.getRef()));
        near.endpoint.post(send, null);
        check(each.getKey(), send, ((TagMatcher.Received) next(told)).message());

        farDomain.loop().execute(() -> far.endpoint.port().receive(receive, heard));
        farDomain.loop().wake();
        near.endpoint.post(send, null);
        until("the listener was told", () -> !heard.messages.isEmpty());
        check(each.getKey(), send, heard.messages.get(0));
      }
    }
  }

  private void check(String name, TaggedSend send, TaggedMessage message) {
    byte[] expected = new byte[send.length()];
    send.bytes().getBytes(send.offset(), expected);
    assertThat(message.payload().array()).as(name).isEqualTo(expected);
    assertThat(message.source()).as(name).isEqualTo(fromNear);
    assertThat(message.hasData()).as(name).isEqualTo(send.hasData());
    assertThat(message.data()).as(name).isEqualTo(send.data());
  }

  private static final class Heard implements ReceiveListener {
    private final List<TaggedMessage> messages = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void onReceived(TaggedMessage message) {
      messages.add(message);
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      throw new AssertionError(failure.detail());
    }
  }

  @Test
  void shouldRefuseALongerMessageThanAReceiveTakes() {
    TaggedReceive receive = TaggedReceive.of(TagSelector.exact(TAG)).atMost(10);
    for (int length : new int[] {11, 70_000}) {
      CompletionStage<TaggedMessage> future = far.endpoint.futures().receive(receive);
      near.endpoint.post(TaggedSend.of(toFar, pattern(length, 1), TAG), null);
      assertThat(failure(future).error()).isEqualTo(FabricError.TRUNCATED);
    }
  }

  @Test
  void shouldTakeManyThroughEveryDoor() {
    for (boolean untagged : new boolean[] {false, true}) {
      for (String door : List.of("post", "start", "tell", "defer")) {
        UnsafeBuffer into = buffer(100);
        TaggedReceive receive =
            (untagged ? TaggedReceive.untagged(fromNear) : TaggedReceive.of(TagSelector.exact(TAG)))
                .into(into)
                .many(50);
        Object context = door + taken++;
        List<Completion> heard = Collections.synchronizedList(new ArrayList<>());
        TestInbox<Completion> told = inbox();
        CompletionStage<Completion.Released> future = null;
        switch (door) {
          case "post" -> assertThat(far.endpoint.post(receive, context)).isEqualTo(Posted.POSTED);
          case "start" -> future = far.endpoint.futures().start(receive, context, heard::add);
          case "tell" ->
              far.endpoint
                  .matcher()
                  .tell(TagMatcher.PostReceive.into(receive, context, told.getRef()));
          default -> {
            Counter trigger = farDomain.openCounter();
            trigger.defer(1, far.endpoint.deferred().receive(receive, context));
            trigger.add(1);
          }
        }
        for (int i = 0; i < 3; i++) {
          UnsafeBuffer bytes = pattern(20, i);
          TaggedSend send =
              untagged ? TaggedSend.untagged(toFar, bytes) : TaggedSend.of(toFar, bytes, TAG);
          near.endpoint.post(send, null);
        }
        until(
            door + " has released its buffer",
            () -> {
              while (told.hasMessages()) {
                heard.add(told.receiveMessage());
              }
              far.received.stream()
                  .filter(each -> context.equals(each.context()) && !heard.contains(each))
                  .forEach(heard::add);
              return heard.size() == (door.equals("start") ? 3 : 4);
            });
        for (int i = 0; i < 3; i++) {
          Completion.Received part = (Completion.Received) heard.get(i);
          assertThat(part.context()).as(door).isEqualTo(context);
          assertThat(part.offset()).as(door).isEqualTo(20L * i);
          byte[] bytes = new byte[20];
          into.getBytes(20 * i, bytes);
          assertThat(bytes).as(door).isEqualTo(bytes(pattern(20, i)));
        }
        Completion last = future == null ? heard.get(3) : result(future);
        assertThat(last).as(door).isEqualTo(new Completion.Released(context, 60));
      }
    }
  }

  @Test
  void shouldFailReceivesThroughEveryDoorWhenTheyAreCancelled() throws Exception {
    TaggedReceive receive = TaggedReceive.of(TagSelector.exact(99)).into(buffer(10));
    TaggedReceive many = TaggedReceive.of(TagSelector.exact(99)).into(buffer(10)).many(1);
    TestInbox<Completion> told = inbox();
    far.endpoint.matcher().tell(TagMatcher.PostReceive.into(receive, "told", told.getRef()));
    CompletionStage<Completion.Received> future = far.endpoint.futures().start(receive, "future");
    CompletionStage<Completion.Released> released =
        far.endpoint.futures().start(many, "many", completion -> {});
    assertThat(far.endpoint.post(receive, "posted")).isEqualTo(Posted.POSTED);
    for (Object context : List.of("told", "future", "many", "posted")) {
      assertThat(result(far.endpoint.futures().cancel(context)))
          .isEqualTo(new TagMatcher.Cancelled(context));
    }

    assertThat(((Completion.Failed) next(told)).error()).isEqualTo(FabricError.CANCELED);
    assertThat(failure(future).error()).isEqualTo(FabricError.CANCELED);
    assertThat(failure(released).error()).isEqualTo(FabricError.CANCELED);
    assertThat(((Completion.Failed) receivedFor("posted")).error()).isEqualTo(FabricError.CANCELED);
  }

  @Test
  void shouldLeaveNoEntryForASuccessThatIsNotTold() throws Exception {
    UnsafeBuffer into = buffer(10);
    TaggedReceive silent =
        TaggedReceive.of(TagSelector.exact(TAG)).into(into).completions(Completions.ERRORS);
    for (Door<TaggedReceive> door :
        List.<Door<TaggedReceive>>of(this::receiveByQueue, this::receiveByCounter)) {
      far.received.clear();
      door.begin(silent);
      near.endpoint.post(TaggedSend.of(toFar, pattern(10, 1), TAG), null);
      near.endpoint.post(TaggedSend.of(toFar, pattern(10, 2), TAG + 1), null);
      received(
          "the next",
          receiveByQueue(TaggedReceive.of(TagSelector.exact(TAG + 1)).into(buffer(10))).await());
      assertThat(far.received).hasSize(1);
      assertThat(bytes(into)).isEqualTo(bytes(pattern(10, 1)));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> far.endpoint.futures().start(silent, null))
        .withMessageContaining("completions=ERRORS");
  }

  @Test
  void shouldRefuseReceivesThatADoorCannotTake() {
    TaggedReceive whole = TaggedReceive.of(TagSelector.any());
    TaggedReceive into = TaggedReceive.of(TagSelector.any()).into(buffer(10));
    TaggedReceive many = TaggedReceive.of(TagSelector.any()).into(buffer(10)).many(1);
    var futures = far.endpoint.futures();
    TestInbox<Completion> completions = inbox();
    TestInbox<TagMatcher.ReceiveOutcome> outcomes = inbox();
    for (Throwable refusal :
        List.of(
            catchThrowable(() -> far.endpoint.post(whole, null)),
            catchThrowable(() -> far.endpoint.deferred().receive(whole, null)),
            catchThrowable(() -> futures.start(whole, null)),
            catchThrowable(() -> TagMatcher.PostReceive.into(whole, null, completions.getRef())),
            catchThrowable(() -> futures.receive(into)),
            catchThrowable(() -> futures.receive(many)),
            catchThrowable(() -> new TagMatcher.PostReceive(into, null, outcomes.getRef())),
            catchThrowable(() -> futures.start(many, null)),
            catchThrowable(() -> futures.start(into, null, completion -> {})),
            catchThrowable(() -> TaggedReceive.of(TagSelector.any()).into(buffer(10)).many(11)),
            catchThrowable(() -> TaggedReceive.of(TagSelector.any()).many(11).into(buffer(10))),
            catchThrowable(() -> TaggedReceive.of(TagSelector.any()).many(0)),
            catchThrowable(() -> TaggedReceive.of(new Claim()).many(1)),
            catchThrowable(
                () -> TaggedReceive.of(TagSelector.any()).into(List.of(buffer(10))).many(1)),
            catchThrowable(() -> TaggedReceive.of(TagSelector.any()).into(buffer(10), 4, 7)),
            catchThrowable(() -> TaggedReceive.of(TagSelector.any()).atMost(-1)),
            catchThrowable(() -> TaggedReceive.of(TagSelector.any()).into(buffer(1)).atMost(1)),
            catchThrowable(() -> TaggedReceive.untagged(-2)))) {
      assertThat(refusal).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(result(futures.matcherState()).postedReceives()).isZero();
  }

  // ---- probes ----

  private Map<String, Door<Probe>> probeDoors() {
    Map<String, Door<Probe>> all = new LinkedHashMap<>();
    all.put("post", this::probeByQueue);
    all.put("start", this::probeByFuture);
    all.put("tell", this::probeByActor);
    return all;
  }

  private Ending probeByQueue(Probe probe) {
    Object context = "probe " + taken++;
    assertThat(far.endpoint.post(probe, context)).isEqualTo(Posted.POSTED);
    return () -> receivedFor(context);
  }

  private Ending probeByFuture(Probe probe) {
    var stage = far.endpoint.futures().start(probe).thenApply(ReceiveDoorTests::completion);
    return () -> ended(stage);
  }

  private static Completion completion(MessageInfo info) {
    return new Completion.Received(
        null,
        info.source(),
        info.tagged(),
        info.tag(),
        0,
        info.lengthBytes(),
        info.hasData(),
        info.data());
  }

  private Ending probeByActor(Probe probe) {
    TestInbox<TagMatcher.ProbeOutcome> told = inbox();
    far.endpoint.matcher().tell(new TagMatcher.PostProbe(probe, "told", told.getRef()));
    return () -> {
      TagMatcher.ProbeOutcome outcome = next(told);
      if (outcome instanceof TagMatcher.Found found) {
        return completion(found.message());
      }
      return outcome instanceof TagMatcher.Claimed claimed
          ? completion(claimed.claim().info())
          : ((TagMatcher.NotFound) outcome).failure();
    };
  }

  @Test
  void shouldProbeThroughEveryDoor() throws Exception {
    for (boolean untagged : new boolean[] {false, true}) {
      TaggedSend send =
          untagged
              ? TaggedSend.untagged(toFar, pattern(70_000, 1)).data(3)
              : TaggedSend.of(toFar, pattern(70_000, 1), TAG).data(3);
      TagSelector exact = TagSelector.exact(TAG);
      Claim claim = new Claim();
      Probe peek = untagged ? Probe.peekUntagged(-1) : Probe.peek(exact);
      Probe claims = untagged ? Probe.claimUntagged(fromNear, claim) : Probe.claim(exact, claim);
      Probe discard = untagged ? Probe.discardUntagged(-1) : Probe.discard(exact);
      for (Map.Entry<String, Door<Probe>> door : probeDoors().entrySet()) {
        for (Probe probe : List.of(peek, claims, discard, Probe.discard(claim))) {
          Completion missed = door.getValue().begin(probe).await();
          assertThat(((Completion.Failed) missed).error())
              .as(door.getKey())
              .isIn(FabricError.NO_MESSAGE, FabricError.INVALID);
        }
        near.endpoint.post(send, null);
        near.endpoint.post(send, null);
        until("the messages wait", () -> waiting() == 2);
        for (Probe probe : List.of(peek, peek, claims, discard, Probe.discard(claim))) {
          Completion.Received found = received(door.getKey(), door.getValue().begin(probe).await());
          assertThat(found.length()).as(door.getKey()).isEqualTo(70_000);
          assertThat(found.tagged()).as(door.getKey()).isNotEqualTo(untagged);
          assertThat(found.data()).as(door.getKey()).isEqualTo(3);
          assertThat(found.source()).as(door.getKey()).isEqualTo(fromNear);
        }
        assertThat(waiting()).as(door.getKey()).isZero();
        assertThat(result(far.endpoint.futures().matcherState()).claimedMessages()).isZero();
      }
    }
  }
}
