package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import akka.util.ByteString;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.support.Await;
import io.tagfabric.support.TestCluster;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that leaves its cluster in order takes nothing with it that it had accepted. */
class LeavingNodeTest {
  private static final int SENDS = 60;
  private static final int LENGTH = 300_000;
  private static final int LAST = SENDS;

  private final TestCluster cluster = new TestCluster();
  private ActorSystem<?> stays;
  private ActorSystem<?> leaves;
  private Domain receivers;
  private Endpoint receiver;
  private Endpoint sender;
  private int toReceiver;

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void start(String provider) {
    Config config =
        ConfigFactory.parseString(
                "tagfabric.job.key = \"%s\"\ntagfabric.provider.use = [%s]\n"
                    .formatted(UUID.randomUUID(), provider))
            .withFallback(ConfigFactory.defaultApplication());
    stays = cluster.start(config);
    leaves = cluster.start(config);
    cluster.awaitUp();
    receivers = Fabric.get(stays).openDomain("d", ProgressMode.AUTO);
    receiver = receivers.openEndpoint("receiver");
    Domain domain = Fabric.get(leaves).openDomain("d", ProgressMode.AUTO);
    sender = domain.openEndpoint("sender");
    toReceiver = domain.addressVector().insert(receiver.address());
  }

  private CompletionStage<Completion.Sent> send(int number) {
    byte[] bytes = new byte[LENGTH];
    bytes[0] = (byte) number;
    return sender.futures().sendTagged(toReceiver, ByteString.fromArrayUnsafe(bytes), 7);
  }

  private int receive() {
    TaggedMessage message = Await.get(receiver.futures().receiveTagged(TagSelector.exact(7)));
    assertThat(message.payload().array().length).isEqualTo(LENGTH);
    return message.payload().array()[0];
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "artery"})
  void shouldSendWhatItHasAcceptedBeforeItLeaves(String provider) {
    start(provider);
    CompletableFuture<CompletionStage<Completion.Sent>> last = new CompletableFuture<>();
    CoordinatedShutdown.get(leaves)
        .addTask(
            CoordinatedShutdown.PhaseClusterShutdown(),
            "one-more",
            () -> {
              last.complete(send(LAST));
              return CompletableFuture.completedFuture(akka.Done.getInstance());
            });
    List<CompletionStage<Completion.Sent>> sent = new ArrayList<>();
    for (int number = 0; number < SENDS; number++) {
      sent.add(send(number));
    }

    leaves.terminate();

    for (int number = 0; number <= LAST; number++) {
      assertThat(receive()).isEqualTo(number);
    }
    sent.forEach(Await::get);
    Await.get(Await.get(last));
    Await.get(leaves.getWhenTerminated());
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "artery"})
  void shouldEndTheOperationsOfOthersWithItsGoodbye(String provider) {
    start(provider);
    send(0);
    assertThat(receive()).isZero();
    int toSender = receivers.addressVector().insert(sender.address());
    CompletionStage<TaggedMessage> never =
        receiver.futures().receiveTagged(TagSelector.exact(8).from(toSender));

    leaves.terminate();

    assertThat(Await.failure(never)).hasMessageContaining("the peer's endpoint closed");
    Await.get(leaves.getWhenTerminated());
  }
}
