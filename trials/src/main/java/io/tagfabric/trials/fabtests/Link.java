package io.tagfabric.trials.fabtests;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionHandler;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An endpoint of one side and its peer on the other, with calls that wait until a deadline. All
 * entries of its queues pass here, and none may come twice. Thread: one.
 */
final class Link {
  /** What is in a buffer before a message comes. */
  static final byte FILL = (byte) 0xA5;

  private static final Duration LOOK = Duration.ofMillis(5);
  private static final int BATCH = 64;

  private final Side side;
  private final Domain domain;
  private final Endpoint endpoint;
  private final int peer;
  private final CompletionHandler onEntry = this::onEntry;
  private final List<Slot> ended = new ArrayList<>();

  Link(Side side, Domain domain, Endpoint endpoint, int peer) {
    this.side = side;
    this.domain = domain;
    this.endpoint = endpoint;
    this.peer = peer;
  }

  Domain domain() {
    return domain;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /** The other side's endpoint in this one's address vector. */
  int peer() {
    return peer;
  }

  /** The operations that have ended, in this order. */
  List<Slot> ended() {
    return ended;
  }

  // ---- posts ----

  Slot postReceive(int capacity, long tag) {
    return postReceive(capacity, tag, 0, TagSelector.ANY_SOURCE);
  }

  Slot postReceive(int capacity, long tag, long ignore, int source) {
    byte[] bytes = new byte[capacity];
    Arrays.fill(bytes, FILL);
    return repostReceive(new Slot(bytes, true), tag, ignore, source);
  }

  Slot repostReceive(Slot slot, long tag, long ignore, int source) {
    slot.done = null;
    post(
        "a receive",
        () -> endpoint.postReceive(slot.buffer, 0, slot.bytes.length, tag, ignore, source, slot));
    return slot;
  }

  Slot postSend(byte[] message, long tag) {
    return postSend(message, tag, CompletionLevel.INJECT);
  }

  Slot postSend(byte[] message, long tag, CompletionLevel level) {
    return postSendTo(peer, message, tag, level);
  }

  Slot postSendTo(int to, byte[] message, long tag, CompletionLevel level) {
    Slot slot = new Slot(message, false);
    post(
        "a send",
        () ->
            endpoint.post(
                TaggedSend.of(to, slot.buffer, 0, message.length, tag).level(level), slot));
    return slot;
  }

  Slot postSendData(byte[] message, long tag, long data) {
    Slot slot = new Slot(message, false);
    post(
        "a send with data",
        () ->
            endpoint.post(
                TaggedSend.of(peer, slot.buffer, 0, message.length, tag).data(data), slot));
    return slot;
  }

  void inject(byte[] message, long tag) {
    UnsafeBuffer buffer = new UnsafeBuffer(message);
    post("an inject", () -> endpoint.injectTagged(peer, buffer, 0, message.length, tag));
  }

  /** Repeats a post until there is room, reading meanwhile. */
  private void post(String what, Supplier<Posted> call) {
    while (call.get() == Posted.TRY_AGAIN) {
      side.requireTime("room for " + what);
      if (pump() == 0) {
        endpoint.receiveQueue().readBlocking(onEntry, BATCH, LOOK);
      }
    }
  }

  // ---- waits ----

  /** Waits until an operation has ended. */
  Slot await(Slot slot) {
    while (slot.done == null) {
      side.requireTime(slot.isReceive ? "the end of a receive" : "the end of a send");
      var queue = slot.isReceive ? endpoint.receiveQueue() : endpoint.transmitQueue();
      if (pump() == 0 && slot.done == null) {
        queue.readBlocking(onEntry, BATCH, LOOK);
      }
    }
    return slot;
  }

  void awaitAll(List<Slot> slots) {
    slots.forEach(this::await);
  }

  /** Sends and waits for the completion. */
  void send(byte[] message, long tag) {
    await(postSend(message, tag)).sent();
  }

  /** Receives a message and checks it. */
  void expect(byte[] wanted, long tag) {
    await(postReceive(wanted.length, tag)).require(wanted);
  }

  /** Waits until so many messages wait for a receive. */
  void awaitUnexpected(int count) {
    while (side.join(endpoint.futures().matcherState()).unexpectedMessages() < count) {
      side.requireTime(count + " messages that wait");
      domain.await(() -> false, LOOK);
    }
  }

  /** Reads what has ended; returns how much. */
  int pump() {
    int read = endpoint.transmitQueue().read(onEntry, BATCH);
    return endpoint.receiveQueue() == endpoint.transmitQueue()
        ? read
        : read + endpoint.receiveQueue().read(onEntry, BATCH);
  }

  private void onEntry(CompletionEntry entry) {
    Wrong.unless(entry.context() instanceof Slot, () -> "an entry of nobody: " + entry);
    side.sabotage()
        .see(
            (Slot) entry.context(),
            entry.toCompletion(),
            (slot, completion) -> {
              Wrong.unless(slot.done == null, () -> "ended twice, with " + completion);
              slot.done = completion;
              ended.add(slot);
            });
  }

  void close() {
    endpoint.close(Duration.ZERO);
  }
}
