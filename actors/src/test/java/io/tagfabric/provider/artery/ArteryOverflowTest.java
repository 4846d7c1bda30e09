package io.tagfabric.provider.artery;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.Posted;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Artery drops messages when its queue overflows; a flow over it must not. */
class ArteryOverflowTest {
  private static final int MESSAGES = 2_000;
  private static final int MESSAGE_BYTES = 8 * 1024;
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final String TINY_QUEUE =
      """
      akka.loglevel = ERROR
      akka.log-dead-letters = off
      akka.actor.provider = remote
      akka.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
      akka.remote.artery.advanced.outbound-message-queue-size = 4
      tagfabric.provider.use = ["artery"]
      """;

  private ActorSystem<Void> sending;
  private ActorSystem<Void> receiving;

  @BeforeEach
  void start() {
    var config = ConfigFactory.parseString(TINY_QUEUE).withFallback(ConfigFactory.load());
    sending = ActorSystem.create(Behaviors.empty(), "sending", config);
    receiving = ActorSystem.create(Behaviors.empty(), "receiving", config);
  }

  @AfterEach
  void stop() {
    sending.terminate();
    receiving.terminate();
    sending.getWhenTerminated().toCompletableFuture().join();
    receiving.getWhenTerminated().toCompletableFuture().join();
  }

  @Test
  void shouldLoseNothingWhenArterysQueueOverflows() {
    Domain from = Fabric.get(sending).openDomain("from", ProgressMode.AUTO);
    Domain to = Fabric.get(receiving).openDomain("to", ProgressMode.AUTO);
    Endpoint sender = from.openEndpoint("sender");
    Endpoint receiver = to.openEndpoint("receiver");
    int peer = from.addressVector().insert(receiver.address());
    for (int i = 0; i < MESSAGES; i++) {
      UnsafeBuffer buffer = new UnsafeBuffer(new byte[MESSAGE_BYTES]);
      assertThat(receiver.postReceive(buffer, 0, MESSAGE_BYTES, 0, ~0L, -1, buffer))
          .isEqualTo(Posted.POSTED);
    }

    for (int i = 0; i < MESSAGES; i++) {
      UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_BYTES]);
      message.putInt(0, i);
      assertThat(sender.sendTagged(peer, message, 0, MESSAGE_BYTES, i, null))
          .isEqualTo(Posted.POSTED);
    }

    List<Integer> received = new ArrayList<>();
    while (received.size() < MESSAGES) {
      int read =
          receiver
              .receiveQueue()
              .readBlocking(entry -> received.add(numberIn(entry)), MESSAGES, DEADLINE);
      assertThat(read).as("received %s of %s", received.size(), MESSAGES).isPositive();
    }
    assertThat(received).isSorted().doesNotHaveDuplicates().hasSize(MESSAGES);
    var flow = sender.futures().flows().toCompletableFuture().join().flows().get(0);
    assertThat(flow.counters().packetsReplayed()).as("packets Artery dropped").isPositive();
  }

  private static int numberIn(CompletionEntry entry) {
    assertThat(entry.kind()).as(entry.toString()).isEqualTo(CompletionEntry.Kind.RECEIVED);
    int number = ((UnsafeBuffer) entry.context()).getInt(0);
    assertThat(entry.tag()).isEqualTo(number);
    return number;
  }
}
