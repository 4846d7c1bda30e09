package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.ReceiveContext;
import io.tagfabric.stream.TagfabricStreams;
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

/** A close says how many messages arrived that no receive took. */
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
    logger.setLevel(Level.WARN);
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
    return sender
        .futures()
        .start(TaggedSend.of(peer, new UnsafeBuffer(new byte[length]), tag).level(level));
  }

  private List<String> said() {
    return lines.list.stream()
        .filter(line -> line.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.contains("no receive took"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "mailbox"})
  void shouldSayWhatNoReceiveTook(String handOver) {
    open(handOver);
    Endpoint receiver = receivers.openEndpoint("receiver");
    Await.get(send(receiver, 8, 6, CompletionLevel.DELIVERY));
    Await.get(receiver.futures().receiveTagged(TagSelector.exact(6)));
    for (int tag = 0x17; tag < 0x20; tag++) {
      Await.get(send(receiver, 8, tag, CompletionLevel.DELIVERY));
    }
    Await.get(send(receiver, SEVERAL_PACKETS, 0x20, CompletionLevel.DELIVERY));
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
                + "] closed with messages=11 that arrived and that no receive took, of which 1"
                + " waited at their senders, whose sends fail with SHUTDOWN; the first had tag=0x17"
                + " and lengthBytes=8, from ["
                + sender.address()
                + "]; post receives for them, or have the senders stop before this side closes");
    assertThat(asking.toCompletableFuture())
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .withCauseInstanceOf(FabricException.class)
        .havingCause()
        .extracting(each -> ((FabricException) each).error())
        .isEqualTo(FabricError.SHUTDOWN);
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
            .start(
                TaggedSend.of(back, new UnsafeBuffer(new byte[8]), 1).level(CompletionLevel.MATCH));
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
        .contains(" messages=2 ", " tag=0x3 and lengthBytes=" + SEVERAL_PACKETS + ", from [");
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
    send(receiver, 8, 6, CompletionLevel.MATCH);
    assertThat(
            senders.await(
                () -> Await.get(receiver.futures().waiting()).messages().size() == 2, PATIENCE))
        .isTrue();

    Await.get(receiver.close(PATIENCE));
    assertThat(said()).as("what came whole stays for the others").isEmpty();
    receivers.close(PATIENCE);

    assertThat(said())
        .singleElement()
        .asString()
        .startsWith("receive context [pool] closed with messages=2 ")
        .contains(" of which 1 waited at their senders", " the first had tag=0x5 and ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "mailbox"})
  void shouldSayIfOnlyLongMessagesWait(String handOver) {
    open(handOver);
    Endpoint receiver = receivers.openEndpoint("receiver");
    int length = 3_000_000;
    CompletionStage<?> asking = send(receiver, length, 9, CompletionLevel.INJECT);
    assertThat(
            senders.await(
                () -> Await.get(receiver.futures().waiting()).messages().size() == 1, PATIENCE))
        .isTrue();

    Await.get(receiver.close(PATIENCE));

    assertThat(asking.toCompletableFuture()).failsWithin(PATIENCE);
    assertThat(said())
        .singleElement()
        .asString()
        .contains("messages=1 ", " of which 1 ", " tag=0x9 and lengthBytes=" + length + ",");
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "mailbox"})
  void shouldSayItWhenTheSystemEnds(String handOver) {
    open(handOver);
    Endpoint receiver = receivers.openEndpoint("receiver");
    int peer = senders.addressVector().insert(receiver.address());
    Await.get(sender.futures().start(TaggedSend.untagged(peer, new UnsafeBuffer(new byte[5]))));
    assertThat(
            senders.await(
                () -> Await.get(receiver.futures().waiting()).messages().size() == 1, PATIENCE))
        .isTrue();

    kit.shutdownTestKit();

    assertThat(said()).singleElement().asString().contains(" had no tag and lengthBytes=5, from [");
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

  @ParameterizedTest
  @ValueSource(strings = {"call", "mailbox"})
  void shouldSayNothingOfTheEndOfAStream(String handOver) {
    open(handOver);
    Endpoint receiver = receivers.openEndpoint("receiver");
    int peer = senders.addressVector().insert(receiver.address());
    Await.get(
        Source.<ByteString>empty()
            .runWith(TagfabricStreams.sinkWithEnd(sender, peer, 5, 1), kit.system()));
    Await.failure(
        Source.<ByteString>failed(new IllegalStateException("no paper"))
            .runWith(TagfabricStreams.sinkWithEnd(sender, peer, 5, 1), kit.system()));
    assertThat(
            senders.await(
                () -> Await.get(receiver.futures().waiting()).messages().size() == 2, PATIENCE))
        .isTrue();

    receivers.close(PATIENCE);

    assertThat(said()).isEmpty();
  }
}
