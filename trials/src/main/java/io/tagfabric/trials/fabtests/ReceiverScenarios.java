package io.tagfabric.trials.fabtests;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.CounterUnit;
import io.tagfabric.complete.DeferredOperation;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.EndpointBindings.Direction;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/** Messages without a tag, counters, and what counters start. */
final class ReceiverScenarios {
  private static final int[] LENGTHS = {0, 1, 64, 1_000, 10_000, 70_000, 300_000};
  private static final List<CompletionLevel> LEVELS = List.of(CompletionLevel.values());
  static final int MANY = 200;
  static final int TRANSFER = 1_000;
  static final Duration LOOK = Duration.ofMillis(5);

  private ReceiverScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "msg",
            "msg",
            "rdm",
            "messages without a tag, beside some with one",
            ReceiverScenarios::untagged),
        new Scenario(
            "msg-stream",
            "msg",
            "rdm_bw",
            "many messages without a tag under way at once",
            ReceiverScenarios::stream),
        new Scenario(
            "msg-cq-data",
            "msg",
            "cq_data",
            "immediate data of messages without a tag",
            ReceiverScenarios::data),
        new Scenario(
            "counter-values",
            "counter",
            "cntr_test",
            "add, set and both numbers of many counters",
            ReceiverScenarios::values),
        new Scenario(
            "counter-pingpong",
            "counter",
            "rdm_cntr_pingpong",
            "messages to and fro by counters alone, in operations and bytes",
            ReceiverScenarios::pingPong),
        new Scenario(
            "capability-limits",
            "env",
            "ubertest",
            "an endpoint that only sends, and one that only receives",
            ReceiverScenarios::limits),
        new Scenario(
            "deferred",
            "trigger",
            "rdm_deferred_wq",
            "sends, receives and counts that counters start, in a chain",
            ReceiverScenarios::deferred));
  }

  static void post(Side side, String what, Supplier<Posted> call) {
    while (call.get() == Posted.TRY_AGAIN) {
      side.requireTime("room for " + what);
      Thread.yield();
    }
  }

  static Completion next(Side side, CompletionQueue queue) {
    while (true) {
      Completion next = queue.readBlocking(LOOK);
      if (next != null) {
        return next;
      }
      side.requireTime("a completion");
    }
  }

  static Completion.Received received(Completion completion) {
    if (completion instanceof Completion.Received received) {
      return received;
    }
    throw new Wrong("a receive ended with " + completion);
  }

  static void require(byte[] wanted, UnsafeBuffer buffer, long at) {
    byte[] found = new byte[wanted.length];
    buffer.getBytes((int) at, found);
    Wrong.unless(
        Arrays.equals(found, wanted), () -> "other bytes came than " + wanted.length + " sent");
  }

  private static void untagged(Side side) {
    Link link = side.open();
    CompletionQueue sends = link.endpoint().transmitQueue();
    CompletionQueue receives = link.endpoint().receiveQueue();
    for (int i = 0; i < LENGTHS.length; i++) {
      byte[] bytes = Side.bytes(i, LENGTHS[i]);
      UnsafeBuffer buffer = new UnsafeBuffer(bytes.clone());
      if (side.isFirst()) {
        link.inject(Side.bytes(77, 8), 0);
        SendOptions options = SendOptions.DEFAULT.at(LEVELS.get(i % LEVELS.size()));
        post(
            side,
            "a send",
            () ->
                link.endpoint()
                    .post(
                        TaggedSend.untagged(link.peer(), buffer, 0, bytes.length).with(options),
                        "untagged"));
        Completion sent = next(side, sends);
        Wrong.unless(
            sent instanceof Completion.Sent ended && !ended.tagged(),
            () -> "a send without a tag ended with " + sent);
      } else {
        UnsafeBuffer into = new UnsafeBuffer(new byte[bytes.length]);
        post(
            side,
            "a receive",
            () ->
                link.endpoint()
                    .post(
                        TaggedReceive.untagged(link.peer()).into(into, 0, bytes.length),
                        "receive"));
        Completion.Received came = received(next(side, receives));
        Wrong.unless(!came.tagged() && came.length() == bytes.length, () -> "came as " + came);
        require(bytes, into, 0);
        link.expect(Side.bytes(77, 8), 0);
      }
    }
  }

  private static void stream(Side side) {
    Link link = side.open(16);
    UnsafeBuffer bytes = new UnsafeBuffer(Side.bytes(5, TRANSFER));
    if (side.isFirst()) {
      SendOptions silent = SendOptions.DEFAULT.silent();
      for (int i = 0; i < MANY; i++) {
        post(
            side,
            "a send",
            () ->
                link.endpoint()
                    .post(
                        TaggedSend.untagged(link.peer(), bytes, 0, TRANSFER).with(silent),
                        "silent"));
      }
      return;
    }
    UnsafeBuffer into = new UnsafeBuffer(new byte[TRANSFER]);
    for (int i = 0; i < MANY; i++) {
      into.setMemory(0, TRANSFER, (byte) 0);
      post(
          side,
          "a receive",
          () ->
              link.endpoint().post(TaggedReceive.untagged(-1).into(into, 0, TRANSFER), "receive"));
      received(next(side, link.endpoint().receiveQueue()));
      require(Side.bytes(5, TRANSFER), into, 0);
    }
  }

  private static void data(Side side) {
    Link link = side.open();
    for (long data : new long[] {0, 1, -1, Long.MIN_VALUE, 0x1122334455667788L}) {
      UnsafeBuffer buffer = new UnsafeBuffer(new byte[100]);
      if (side.isFirst()) {
        post(
            side,
            "a send",
            () ->
                link.endpoint()
                    .post(TaggedSend.untagged(link.peer(), buffer, 0, 100).data(data), "data"));
        next(side, link.endpoint().transmitQueue());
      } else {
        post(
            side,
            "a receive",
            () -> link.endpoint().post(TaggedReceive.untagged(-1).into(buffer, 0, 100), "receive"));
        Completion.Received came = received(next(side, link.endpoint().receiveQueue()));
        Wrong.unless(came.hasData() && came.data() == data, () -> data + " came as " + came);
      }
    }
  }

  private static void values(Side side) {
    for (int i = 0; i < 50; i++) {
      Counter counter = side.domain().openCounter();
      counter.add(i);
      counter.add(3);
      counter.addErrors(i);
      long value = i + 3L;
      Wrong.unless(counter.value() == value, () -> "value=" + counter.value());
      requireErrors(counter, i);
      counter.set(7);
      counter.setErrors(0);
      Wrong.unless(counter.value() == 7 && counter.errors() == 0, () -> "not set");
      Wrong.unless(counter.await(7, Duration.ZERO), () -> "7 of 7 is not reached");
      Wrong.unless(!counter.await(8, Duration.ofMillis(1)), () -> "8 of 7 is reached");
      counter.close();
    }
  }

  private static void requireErrors(Counter counter, long wanted) {
    Wrong.unless(counter.errors() == wanted, () -> "errors=" + counter.errors());
  }

  private static void pingPong(Side side) {
    for (CounterUnit unit : CounterUnit.values()) {
      Domain domain = side.domain();
      Counter sent = domain.openCounter(unit);
      Counter received = domain.openCounter(unit);
      Link link = counting(side, sent, received);
      long size = unit == CounterUnit.BYTES ? TRANSFER : 1;
      UnsafeBuffer into = new UnsafeBuffer(new byte[TRANSFER]);
      for (int i = 0; i < 50; i++) {
        if (side.isFirst()) {
          sendCounted(side, link, i);
          await(side, sent, (i + 1) * size);
        }
        post(
            side,
            "a receive",
            () -> link.endpoint().postReceive(into, 0, TRANSFER, 3, 0, -1, into));
        await(side, received, (i + 1) * size);
        require(Side.bytes(i, TRANSFER), into, 0);
        if (!side.isFirst()) {
          sendCounted(side, link, i);
          await(side, sent, (i + 1) * size);
        }
      }
      Wrong.unless(
          link.endpoint().receiveQueue().read(1).isEmpty()
              && link.endpoint().transmitQueue().read(1).isEmpty(),
          () -> "an entry of an operation that only counts");
    }
  }

  private static Link counting(Side side, Counter sent, Counter received) {
    Domain domain = side.domain();
    return side.connect(
        domain.openEndpoint(
            "fabtests-counting-" + side.index(),
            EndpointBindings.to(domain.openCompletionQueue(8), domain.openCompletionQueue(8))
                .countingSends(sent)
                .countingReceives(received)
                .sends(Completions.ERRORS)
                .receives(Completions.ERRORS)));
  }

  private static void sendCounted(Side side, Link link, int number) {
    UnsafeBuffer bytes = new UnsafeBuffer(Side.bytes(number, TRANSFER));
    post(
        side,
        "a send",
        () -> link.endpoint().sendTagged(link.peer(), bytes, 0, TRANSFER, 3, bytes));
  }

  private static void await(Side side, Counter counter, long threshold) {
    while (!counter.await(threshold, LOOK)) {
      side.requireTime("a counter to reach " + threshold);
    }
  }

  private static void deferred(Side side) {
    Domain domain = side.domain();
    Counter sent = domain.openCounter();
    Counter received = domain.openCounter();
    Counter chain = domain.openCounter();
    Counter go = domain.openCounter();
    Link link = counting(side, sent, received);
    UnsafeBuffer out = new UnsafeBuffer(Side.bytes(side.index(), TRANSFER));
    UnsafeBuffer into = new UnsafeBuffer(new byte[TRANSFER]);
    // Its receive and its send begin by one counter, what they start by those of the endpoint.
    go.defer(
        1,
        link.endpoint()
            .deferred()
            .receive(
                TaggedReceive.of(TagSelector.exact(4))
                    .into(into, 0, TRANSFER)
                    .completions(Completions.ERRORS),
                "deferred receive"));
    go.defer(
        2,
        link.endpoint()
            .deferred()
            .send(
                TaggedSend.of(link.peer(), out, 0, TRANSFER, 4).with(SendOptions.DEFAULT.silent()),
                "deferred send"));
    received.defer(1, DeferredOperation.add(chain, 10));
    chain.defer(10, DeferredOperation.set(chain, 42));
    side.sync();
    Wrong.unless(
        sent.value() == 0 && received.value() == 0 && chain.value() == 0,
        () -> "something has begun before its counter got so far");
    go.add(1);
    Wrong.unless(sent.value() == 0, () -> "a send has begun at 1 of 2");
    side.sync();
    go.add(1);
    await(side, chain, 42);
    require(Side.bytes(1 - side.index(), TRANSFER), into, 0);
    await(side, sent, 1);
    Wrong.unless(
        chain.errors() + sent.errors() + received.errors() == 0, () -> "something has failed");
  }

  private static void limits(Side side) {
    Domain domain = side.domain();
    Direction direction = side.isFirst() ? Direction.SEND : Direction.RECEIVE;
    Link link =
        side.connect(
            domain.openEndpoint(
                "fabtests-limited-" + side.index(),
                EndpointBindings.to(domain.openCompletionQueue(8), domain.openCompletionQueue(8))
                    .only(direction)));
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
    if (side.isFirst()) {
      refused(() -> link.endpoint().postReceive(buffer, 0, 8, 1, 0, -1, "refused"));
      link.send(Side.bytes(1, 100), 1);
    } else {
      refused(() -> link.endpoint().sendTagged(link.peer(), buffer, 0, 8, 1, "refused"));
      link.expect(Side.bytes(1, 100), 1);
    }
  }

  private static void refused(Supplier<Posted> call) {
    try {
      Posted posted = call.get();
      throw new Wrong("an endpoint that does not do this answers " + posted);
    } catch (FabricException e) {
      Wrong.unless(
          e.error() == FabricError.OPERATION_NOT_SUPPORTED, () -> "refused with " + e.error());
    }
  }
}
