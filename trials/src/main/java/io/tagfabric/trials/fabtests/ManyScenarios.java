package io.tagfabric.trials.fabtests;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.complete.Completion;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;

/** Buffers for many messages, by each face. */
final class ManyScenarios {
  private static final int TRANSFER = ReceiverScenarios.TRANSFER;
  private static final int HALF = 16 * TRANSFER + 500;

  /** Messages that fill buffers to the end. */
  private static final int TOLD = 12 * (HALF / TRANSFER);

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private ManyScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "multi-recv",
            "multi-recv",
            "multi_recv",
            "many messages into two halves of a buffer, by turns",
            side -> multi(side, true)),
        new Scenario(
            "multi-recv-tagged",
            "multi-recv",
            "multi_recv",
            "the same with tags",
            side -> multi(side, false)),
        new Scenario(
            "multi-recv-futures",
            "multi-recv",
            "multi_recv",
            "many messages into one buffer after the other, told to listeners",
            ManyScenarios::multiByFutures),
        new Scenario(
            "multi-recv-actors",
            "multi-recv",
            "multi_recv",
            "the same without tags, told to an actor",
            ManyScenarios::multiByActors));
  }

  private static void multi(Side side, boolean untagged) {
    Link link = side.open(64);
    if (side.isFirst()) {
      for (int i = 0; i < ReceiverScenarios.MANY; i++) {
        UnsafeBuffer bytes = new UnsafeBuffer(Side.bytes(i, TRANSFER));
        ReceiverScenarios.post(
            side,
            "a send",
            () ->
                untagged
                    ? link.endpoint()
                        .post(TaggedSend.untagged(link.peer(), bytes, 0, TRANSFER), bytes)
                    : link.endpoint().sendTagged(link.peer(), bytes, 0, TRANSFER, 9, bytes));
        ReceiverScenarios.next(side, link.endpoint().transmitQueue());
      }
      return;
    }
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[2 * HALF]);
    postHalf(side, link, buffer, 0, untagged);
    postHalf(side, link, buffer, 1, untagged);
    int messages = 0;
    int inHalf = 0;
    int half = 0;
    while (messages < ReceiverScenarios.MANY) {
      Completion next = ReceiverScenarios.next(side, link.endpoint().receiveQueue());
      int now = half;
      if (next instanceof Completion.Released released) {
        int yielded = inHalf;
        Wrong.unless(
            released.context().equals(now) && yielded == HALF / TRANSFER,
            () -> "half " + released.context() + " was released after " + yielded + " messages");
        postHalf(side, link, buffer, half, untagged);
        half = 1 - half;
        inHalf = 0;
        continue;
      }
      Completion.Received came = ReceiverScenarios.received(next);
      int at = inHalf * TRANSFER;
      Wrong.unless(
          came.context().equals(now) && came.offset() == at && came.length() == TRANSFER,
          () -> "not at " + at + " of half " + now + ": " + came);
      ReceiverScenarios.require(Side.bytes(messages, TRANSFER), buffer, (long) half * HALF + at);
      messages++;
      inHalf++;
    }
  }

  private static void multiByFutures(Side side) {
    Link link = side.open();
    if (side.isFirst()) {
      for (int i = 0; i < TOLD; i++) {
        link.send(Side.bytes(i, TRANSFER), 9);
      }
      return;
    }
    for (int messages = 0; messages < TOLD; ) {
      UnsafeBuffer buffer = new UnsafeBuffer(new byte[HALF]);
      Queue<Completion> heard = new ConcurrentLinkedQueue<>();
      Completion.Released released =
          side.join(
              link.endpoint()
                  .futures()
                  .start(
                      TaggedReceive.of(TagSelector.exact(9)).into(buffer).many(TRANSFER),
                      "futures",
                      heard::add));
      messages = requireRow(buffer, heard, released, messages, true);
    }
  }

  /** What lies in a released buffer: messages from this number on. Returns the next number. */
  private static int requireRow(
      UnsafeBuffer buffer,
      Collection<Completion> heard,
      Completion.Released released,
      int first,
      boolean tagged) {
    int at = 0;
    int number = first;
    for (Completion each : heard) {
      Completion.Received came = ReceiverScenarios.received(each);
      int offset = at;
      Wrong.unless(
          came.offset() == offset && came.length() == TRANSFER && came.tagged() == tagged,
          () -> "not at " + offset + ": " + came);
      ReceiverScenarios.require(Side.bytes(number, TRANSFER), buffer, at);
      at += TRANSFER;
      number++;
    }
    int used = at;
    Wrong.unless(
        released.length() == used && used > 0,
        () -> "released after " + used + " bytes: " + released);
    return number;
  }

  private static void multiByActors(Side side) {
    Link link = side.open();
    if (side.isFirst()) {
      for (int i = 0; i < TOLD; i++) {
        UnsafeBuffer bytes = new UnsafeBuffer(Side.bytes(i, TRANSFER));
        side.join(link.endpoint().futures().start(TaggedSend.untagged(link.peer(), bytes)));
      }
      return;
    }
    BlockingQueue<Completion> told = new LinkedBlockingQueue<>();
    for (int messages = 0; messages < TOLD; ) {
      UnsafeBuffer buffer = new UnsafeBuffer(new byte[HALF]);
      ActorRef<Completion> actor = spawn(side, told);
      link.endpoint()
          .matcher()
          .tell(
              TagMatcher.PostReceive.into(
                  TaggedReceive.untagged(link.peer()).into(buffer).many(TRANSFER), "actor", actor));
      List<Completion> heard = new ArrayList<>();
      Completion next = next(side, told);
      while (!(next instanceof Completion.Released)) {
        heard.add(next);
        next = next(side, told);
      }
      messages = requireRow(buffer, heard, (Completion.Released) next, messages, false);
    }
  }

  private static void postHalf(
      Side side, Link link, UnsafeBuffer buffer, int half, boolean untagged) {
    ReceiverScenarios.post(
        side,
        "a receive of many messages",
        () ->
            untagged
                ? link.endpoint()
                    .post(
                        TaggedReceive.untagged(-1).into(buffer, half * HALF, HALF).many(TRANSFER),
                        half)
                : link.endpoint()
                    .post(
                        TaggedReceive.of(TagSelector.exact(9))
                            .into(buffer, half * HALF, HALF)
                            .many(TRANSFER),
                        half));
  }

  /** An actor for one buffer. */
  private static ActorRef<Completion> spawn(Side side, Queue<Completion> told) {
    return side.fabric()
        .system()
        .systemActorOf(
            Behaviors.receiveMessage(
                completion -> {
                  told.add(completion);
                  return completion instanceof Completion.Released
                      ? Behaviors.stopped()
                      : Behaviors.same();
                }),
            "fabtests-many-" + side.index() + "-" + NUMBER.incrementAndGet(),
            Props.empty());
  }

  private static Completion next(Side side, BlockingQueue<Completion> told) {
    while (true) {
      try {
        Completion next = told.poll(ReceiverScenarios.LOOK.toNanos(), TimeUnit.NANOSECONDS);
        if (next != null) {
          return next;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      side.requireTime("a completion");
    }
  }
}
