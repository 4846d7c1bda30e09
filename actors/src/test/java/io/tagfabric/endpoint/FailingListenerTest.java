package io.tagfabric.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.link.send.SendListener;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Listeners that throw: each costs its own notification. After each test both endpoints still
 * exchange messages, and no slot or place is missing.
 */
class FailingListenerTest {
  private static final TagSelector ANY = TagSelector.any();
  private static final int TIMES = 3;

  private final EndpointPair pair = new EndpointPair();
  private final AtomicInteger told = new AtomicInteger();

  @AfterEach
  void shouldStillExchangeMessages() {
    try {
      pair.fillEveryPlace();
    } finally {
      pair.close();
    }
  }

  private RuntimeException thrown() {
    int number = told.incrementAndGet();
    if (number % TIMES == 0) {
      throw new AssertionError("an error, on purpose");
    } else if (number % TIMES == 1) {
      throw new StackOverflowError("on purpose");
    }
    return new IllegalStateException("an exception, on purpose");
  }

  private final class FailingSend implements SendListener {
    @Override
    public void onSent(Completion.Sent sent) {
      throw thrown();
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      throw thrown();
    }
  }

  private final class FailingReceive implements ReceiveListener {
    @Override
    public void onReceived(TaggedMessage message) {
      throw thrown();
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      throw thrown();
    }
  }

  private void send(int peer, int length) {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
    pair.endpoint
        .ref()
        .tell(
            new Endpoint.SendTagged(
                TaggedSend.of(peer, buffer, 0, length, 1), null, new FailingSend()));
  }

  private void receive(int maxLength, Object context) {
    pair.other
        .matcher()
        .tell(
            new TagMatcher.PostReceive(
                TaggedReceive.of(ANY).atMost(maxLength), context, new FailingReceive()));
  }

  private void awaitTold(int count) {
    Await.until(count + " notifications, there are " + told, () -> told.get() == count);
  }

  @Test
  void shouldGoOnWhenSendsAreToldOf() {
    int[] lengths = {8, 10_000, 90_000};
    for (int length : lengths) {
      for (int i = 0; i < TIMES; i++) {
        send(pair.toOther, length);
        Await.get(pair.other.futures().receiveTagged(ANY));
      }
    }
    awaitTold(TIMES * lengths.length);
  }

  @Test
  void shouldGoOnWhenFailedSendsAreToldOf() {
    for (int i = 0; i < TIMES; i++) {
      send(99, 8);
    }
    awaitTold(TIMES);
  }

  @Test
  void shouldGoOnWhenReceivesAreToldOf() {
    for (int length : List.of(8, 10_000, 90_000)) {
      int before = told.get();
      for (int i = 0; i < TIMES; i++) {
        receive(length, null);
      }
      for (int i = 0; i < TIMES; i++) {
        Await.get(pair.endpoint.futures().sendTagged(pair.toOther, new byte[length], 1));
      }
      awaitTold(before + TIMES);
    }
  }

  @Test
  void shouldGoOnWhenReceivesTakeWaitingMessages() {
    for (int i = 0; i < TIMES; i++) {
      Await.get(pair.endpoint.futures().sendTagged(pair.toOther, new byte[10_000], 1));
    }
    for (int i = 0; i < TIMES; i++) {
      receive(10_000, null);
    }
    awaitTold(TIMES);
  }

  @Test
  void shouldGoOnWhenFailedReceivesAreToldOf() {
    for (int i = 0; i < TIMES; i++) {
      receive(1, "cancelled");
      Await.get(pair.other.futures().cancel("cancelled"));
      receive(1, "truncated");
      Await.get(pair.endpoint.futures().sendTagged(pair.toOther, new byte[10], 1));
    }
    awaitTold(2 * TIMES);
  }

  @Test
  void shouldRunAllCloseActionsWhenOneThrows() {
    Endpoint closed = pair.openEndpoint("closed");
    AtomicInteger ran = new AtomicInteger();
    closed.onClose(
        () -> {
          throw thrown();
        });
    closed.onClose(ran::incrementAndGet);

    Await.get(closed.close(Duration.ZERO));

    assertThat(ran).hasValue(1);
    closed.onClose(
        () -> {
          throw thrown();
        });
    awaitTold(2);
  }
}
