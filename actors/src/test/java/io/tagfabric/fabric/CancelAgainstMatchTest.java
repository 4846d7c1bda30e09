package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Receives of all kinds are cancelled while messages come for them: each ends once. */
class CancelAgainstMatchTest {
  private static final ActorTestKit KIT = ActorTestKit.create("cancel", ConfigFactory.load());
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int TIMES = 100_000;
  private static final int BYTES = 8;
  private static final int ROOM = 4 * BYTES;

  private final Domain domain = Fabric.get(KIT.system()).openDomain("cancel", ProgressMode.AUTO);
  private final Endpoint from = domain.openEndpoint("from");
  private final Endpoint to = domain.openEndpoint("to");
  private final int peer = domain.addressVector().insert(to.address());
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicLong sent = new AtomicLong();
  private long received;
  private long cancelled;
  private boolean lastWasCancelled;

  /** What the receiving side has got so far. */
  private final AtomicLong taken = new AtomicLong();

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private void send() {
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[BYTES]);
    SendOptions silent = SendOptions.DEFAULT.silent();
    while (!stopped.get()) {
      boolean tagged = sent.get() % 2 == 0;
      Posted posted =
          tagged
              ? from.post(TaggedSend.of(peer, bytes, 0, BYTES, 1).with(silent), null)
              : from.post(TaggedSend.untagged(peer, bytes, 0, BYTES).with(silent), null);
      if (posted == Posted.POSTED) {
        sent.incrementAndGet();
      }
      // As many as the other side takes, so that some receives wait, and some do not.
      while (!stopped.get() && sent.get() > taken.get() + 2) {
        Thread.onSpinWait();
        Thread.yield();
      }
    }
  }

  @Test
  @Timeout(300)
  void shouldEndEachReceiveOnceWhenItIsCancelledWhileMessagesCome() throws InterruptedException {
    Thread sender = new Thread(this::send, "sender");
    sender.start();
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[ROOM]);
    for (int i = 0; i < TIMES; i++) {
      Object context = new Object();
      boolean many = i % 4 >= 2;
      post(buffer, i % 4, context);
      if (i % 3 == 0) {
        Thread.yield();
      }
      var outcome = to.futures().cancel(context);
      end(context, many);
      // A receive that has ended cannot be cancelled, and one that was has told so.
      boolean told = outcome.toCompletableFuture().join() instanceof TagMatcher.Cancelled;
      assertThat(told).isEqualTo(lastWasCancelled);
      taken.set(received);
    }
    stopped.set(true);
    sender.join();
    drain(buffer);
    assertThat(received).isEqualTo(sent.get());
    assertThat(cancelled).as("some were cancelled, and some not").isBetween(1L, TIMES - 1L);
    assertThat(to.receiveQueue().read(1)).isEmpty();
    domain.close();
  }

  private void post(UnsafeBuffer buffer, int kind, Object context) {
    Posted posted =
        switch (kind) {
          case 0 -> to.postReceive(buffer, 0, BYTES, 1, 0, TagSelector.ANY_SOURCE, context);
          case 1 ->
              to.post(
                  TaggedReceive.untagged(TagSelector.ANY_SOURCE).into(buffer, 0, BYTES), context);
          case 2 ->
              to.post(TaggedReceive.of(TagSelector.any()).into(buffer, 0, ROOM).many(1), context);
          default ->
              to.post(
                  TaggedReceive.untagged(TagSelector.ANY_SOURCE).into(buffer, 0, ROOM).many(1),
                  context);
        };
    assertThat(posted).isEqualTo(Posted.POSTED);
  }

  /** Reads until a receive has ended, and requires that all entries are its own. */
  private void end(Object context, boolean many) {
    lastWasCancelled = false;
    while (true) {
      Completion next = to.receiveQueue().readBlocking(PATIENCE);
      assertThat(next).isNotNull();
      assertThat(next.context()).isSameAs(context);
      if (next instanceof Completion.Received) {
        assertThat(lastWasCancelled).isFalse();
        received++;
      } else if (next instanceof Completion.Failed failed) {
        assertThat(failed.error()).isEqualTo(FabricError.CANCELED);
        assertThat(lastWasCancelled).isFalse();
        lastWasCancelled = true;
        cancelled++;
      }
      if (!many || next instanceof Completion.Released) {
        return;
      }
    }
  }

  private void drain(UnsafeBuffer buffer) {
    while (received < sent.get()) {
      long before = received;
      for (int kind = 0; kind < 2; kind++) {
        Object context = new Object();
        post(buffer, kind, context);
        to.futures().cancel(context);
        end(context, false);
      }
      if (received == before) {
        Thread.yield(); // on its way
      }
    }
  }
}
