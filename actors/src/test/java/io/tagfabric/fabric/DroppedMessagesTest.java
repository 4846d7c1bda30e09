package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.endpoint.EndpointBindings;
import io.tagfabric.endpoint.ReceiveContext;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A close says how many messages it drops that have arrived whole. */
class DroppedMessagesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Goes in several packets, unasked. */
  private static final int SEVERAL_PACKETS = 50_000;

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(Endpoint.class);
  private ActorTestKit kit;
  private Domain senders;
  private Domain receivers;
  private Endpoint sender;

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(null);
  }

  private void open(String handOver) {
    kit =
        ActorTestKit.create(
            "dropped",
            ConfigFactory.parseString(
                    "tagfabric.provider.use = [local], tagfabric.progress.hand-over = " + handOver)
                .withFallback(ConfigFactory.load()));
    Fabric fabric = Fabric.get(kit.system());
    senders = fabric.openDomain("senders");
    receivers = fabric.openDomain("receivers");
    sender = senders.openEndpoint("sender");
  }

  private CompletionStage<Completion.Sent> send(
      Endpoint to, int length, long tag, CompletionLevel level) {
    int peer = senders.addressVector().insert(to.address());
    return sender.futures().sendTagged(peer, new UnsafeBuffer(new byte[length]), tag, level);
  }

  private List<String> said() {
    return lines.list.stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.contains("dropped"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "mailbox"})
  void shouldSayWhatACloseDropsThatHadArrivedWhole(String handOver) {
    open(handOver);
    Endpoint receiver = receivers.openEndpoint("receiver");
    Await.get(send(receiver, 8, 6, CompletionLevel.DELIVERY));
    Await.get(receiver.futures().receiveTagged(TagSelector.exact(6)));
    for (int tag = 0x17; tag < 0x20; tag++) {
      Await.get(send(receiver, 8, tag, CompletionLevel.DELIVERY));
    }
    Await.get(send(receiver, SEVERAL_PACKETS, 0x20, CompletionLevel.DELIVERY));
    // waits here: its send fails, which tells the program
    CompletionStage<?> asking = send(receiver, 8, 9, CompletionLevel.MATCH);
    assertThat(
            senders.await(
                () -> Await.get(receiver.futures().waiting()).messages().size() == 11, PATIENCE))
        .isTrue();

    receivers.close(PATIENCE);

    assertThat(said())
        .containsExactly(
            "endpoint ["
                + receiver.address()
                + "] has closed and dropped 10 message(s) that were never received,"
                + " the first with tag 0x17 from ["
                + sender.address()
                + "]");
    assertThat(asking.toCompletableFuture()).failsWithin(PATIENCE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "mailbox"})
  void shouldCountWhatComesWhileItDrains(String handOver) {
    open(handOver);
    Endpoint receiver = receivers.openEndpoint("receiver");
    int back = receivers.addressVector().insert(sender.address());
    CompletionStage<?> draining =
        receiver
            .futures()
            .sendTagged(back, new UnsafeBuffer(new byte[8]), 1, CompletionLevel.MATCH);
    assertThat(
            senders.await(
                () -> Await.get(sender.futures().waiting()).messages().size() == 1, PATIENCE))
        .isTrue();
    CompletionStage<Endpoint.Closed> closed = receiver.close(PATIENCE);
    assertThat(senders.await(() -> !receiver.isOpen(), PATIENCE)).isTrue();
    Await.get(send(receiver, SEVERAL_PACKETS, 3, CompletionLevel.DELIVERY));
    Await.get(send(receiver, 8, 4, CompletionLevel.DELIVERY));

    Await.get(sender.futures().receiveTagged(TagSelector.exact(1)));
    Await.get(draining);
    Await.get(closed);

    assertThat(said())
        .singleElement()
        .asString()
        .contains(" 2 message(s) ", "the first with tag 0x3 from [" + sender.address() + "]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "mailbox"})
  void shouldSayWhatAReceiveContextDrops(String handOver) {
    open(handOver);
    ReceiveContext pool = receivers.openReceiveContext("pool");
    Endpoint receiver =
        receivers.openEndpoint(
            "receiver", EndpointBindings.to(receivers.openCompletionQueue(), pool));
    Await.get(send(receiver, 8, 5, CompletionLevel.DELIVERY));

    receivers.close(PATIENCE);

    assertThat(said())
        .singleElement()
        .asString()
        .startsWith("receive context [pool] has closed and dropped 1 message(s) ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "mailbox"})
  void shouldSayNothingIfAllWasReceived(String handOver) {
    open(handOver);
    Endpoint receiver = receivers.openEndpoint("receiver");
    Await.get(send(receiver, 8, 6, CompletionLevel.DELIVERY));
    Await.get(receiver.futures().receiveTagged(TagSelector.exact(6)));

    receivers.close(PATIENCE);

    assertThat(said()).isEmpty();
  }
}
