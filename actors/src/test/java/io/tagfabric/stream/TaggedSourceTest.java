package io.tagfabric.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.japi.Pair;
import akka.stream.javadsl.Keep;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.stream.testkit.TestSubscriber;
import akka.stream.testkit.javadsl.TestSink;
import akka.util.ByteString;
import io.tagfabric.endpoint.EndpointFutures;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.stream.SourceControl.Ended;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaggedSourceTest {
  private static final long TAG = 7;
  private static final int LONG_MESSAGE = 100_000;

  private StreamPair pair;

  private void open() {
    pair = StreamPair.open(ProgressMode.AUTO);
  }

  @AfterEach
  void close() {
    pair.close();
  }

  private Pair<SourceControl, TestSubscriber.Probe<Integer>> probe(
      TagSelector selector, int window) {
    return TagfabricStreams.source(pair.receiver, selector, window)
        .map(TaggedSourceTest::number)
        .toMat(TestSink.create(pair.system()), Keep.both())
        .run(pair.system());
  }

  private static int number(TaggedMessage message) {
    return message.payload().asByteBuffer().getInt();
  }

  private static byte[] message(int number, int length) {
    byte[] bytes = new byte[length];
    bytes[0] = (byte) (number >> 24);
    bytes[1] = (byte) (number >> 16);
    bytes[2] = (byte) (number >> 8);
    bytes[3] = (byte) number;
    return bytes;
  }

  private CompletionStage<?> send(int number, int length) {
    return pair.sender.futures().sendTagged(pair.toReceiver, message(number, length), TAG);
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Test
  void shouldEmitInTheOrderSentWhenLongAndShortMessagesMix() {
    open();
    CompletionStage<List<Integer>> received =
        TagfabricStreams.source(pair.receiver, TagSelector.exact(TAG), 8)
            .map(TaggedSourceTest::number)
            .take(100)
            .runWith(Sink.seq(), pair.system());

    IntStream.range(0, 100).forEach(i -> send(i, i % 3 == 0 ? LONG_MESSAGE : 4));

    assertThat(join(received)).isEqualTo(IntStream.range(0, 100).boxed().toList());
  }

  @Test
  void shouldDeliverTenThousandMessagesFromSinkToSource() {
    open();
    int count = 10_000;
    CompletionStage<List<Integer>> received =
        TagfabricStreams.source(pair.receiver, TagSelector.exact(TAG).from(pair.toSender), 64)
            .map(TaggedSourceTest::number)
            .take(count)
            .runWith(Sink.seq(), pair.system());

    CompletionStage<?> sent =
        Source.range(0, count - 1)
            .map(i -> ByteString.fromArrayUnsafe(message(i, 32)))
            .runWith(TagfabricStreams.sink(pair.sender, pair.toReceiver, TAG, 64), pair.system());

    join(sent);
    assertThat(join(received)).isEqualTo(IntStream.range(0, count).boxed().toList());
  }

  @Test
  void shouldStallTheSenderAndLoseNothingWhenTheConsumerIsSlow() {
    int credits = 16;
    pair =
        StreamPair.open(
            ProgressMode.AUTO, settings -> settings.withFlow(Credits.of(settings.flow(), credits)));
    var probe = probe(TagSelector.exact(TAG), 4).second();
    probe.request(1);
    int count = 200;

    CompletableFuture<?> sent =
        Source.range(0, count - 1)
            .map(i -> ByteString.fromArrayUnsafe(message(i, 8)))
            .runWith(TagfabricStreams.sink(pair.sender, pair.toReceiver, TAG, 8), pair.system())
            .toCompletableFuture();

    probe.expectNext(0);
    pair.await("credit used up", () -> pair.matcher().unexpectedMessages() == credits);
    pair.await("a send waits", () -> pair.sent().creditStalls() > 0);
    // One emitted, four held by the stage, sixteen at the matcher: no more can have left.
    assertThat(pair.sent().eagerMessagesSent()).isEqualTo(1 + 4 + credits);
    assertThat(sent).isNotDone();

    probe.request(count);
    for (int i = 1; i < count; i++) {
      probe.expectNext(i);
    }
    join(sent);
  }

  @Test
  void shouldPostNoMoreReceivesThanTheWindow() {
    open();
    var probe = probe(TagSelector.exact(TAG), 3).second();
    assertThat(pair.matcher().postedReceives()).as("before demand").isZero();

    probe.request(10);

    pair.await("posted", () -> pair.matcher().postedReceives() == 3);
    send(1, 4);
    probe.expectNext(1);
    pair.await("posted again", () -> pair.matcher().postedReceives() == 3);
  }

  @Test
  void shouldCancelItsReceivesWhenDownstreamCancels() {
    open();
    var running = probe(TagSelector.exact(TAG), 5);
    running.second().request(1);
    pair.await("posted", () -> pair.matcher().postedReceives() == 5);

    running.second().cancel();

    assertThat(join(running.first().ended())).isEqualTo(new Ended(0, 0));
    assertThat(pair.matcher().postedReceives()).isZero();
    join(send(9, 4));
    pair.await("kept", () -> pair.matcher().unexpectedMessages() == 1);
  }

  @Test
  void shouldCountMatchedMessagesThatNobodyTookWhenDownstreamCancels() {
    open();
    var running = probe(TagSelector.exact(TAG), 5);
    running.second().request(1);
    IntStream.range(0, 3).forEach(i -> join(send(i, 4)));
    running.second().expectNext(0);
    pair.await("matched", () -> pair.matcher().postedReceives() == 3);

    running.second().cancel();

    assertThat(join(running.first().ended())).isEqualTo(new Ended(1, 2));
  }

  @Test
  void shouldEmitMatchedMessagesBeforeItCompletesWhenDrained() {
    open();
    var running = probe(TagSelector.exact(TAG), 4);
    running.second().request(1);
    IntStream.range(0, 6).forEach(i -> join(send(i, 4)));
    running.second().expectNext(0);
    pair.await("held", () -> pair.matcher().unexpectedMessages() == 1);

    CompletionStage<Ended> ended = running.first().drainAndShutdown();

    running.second().expectNoMessage(Duration.ofMillis(50));
    running.second().request(10).expectNext(1, 2, 3, 4).expectComplete();
    assertThat(join(ended)).isEqualTo(new Ended(5, 0));
    assertThat(pair.matcher().unexpectedMessages()).as("never matched, so kept").isEqualTo(1);
  }

  @Test
  void shouldFailAfterWhatCameBeforeWhenTheNamedPeerCloses() {
    open();
    var running = probe(TagSelector.exact(TAG).from(pair.toSender), 4);
    running.second().request(1);
    IntStream.range(0, 2).forEach(i -> join(send(i, 4)));
    running.second().expectNext(0);

    join(pair.sender.close(Duration.ofSeconds(5)));
    pair.await("receives failed", () -> pair.matcher().postedReceives() == 0);

    running.second().request(10).expectNext(1);
    assertThat(running.second().expectError())
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.SHUTDOWN))
        .hasMessageContaining("sender@");
    assertThat(catchThrowable(() -> join(running.first().ended())))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(FabricException.class);
  }

  @Test
  void shouldGoOnWhenAPeerClosesThatIsNotNamed() {
    open();
    var running = probe(TagSelector.exact(TAG), 4);
    running.second().request(10);
    join(send(0, 4));
    running.second().expectNext(0);

    join(pair.sender.close(Duration.ofSeconds(5)));
    int self = pair.right.addressVector().insert(pair.receiver.address());
    join(pair.receiver.futures().sendTagged(self, message(1, 4), TAG));

    running.second().expectNext(1);
  }

  @Test
  void shouldFailWhenItsEndpointCloses() {
    open();
    var running = probe(TagSelector.exact(TAG), 4);
    running.second().request(1);
    pair.await("posted", () -> pair.matcher().postedReceives() == 4);

    join(pair.receiver.close(Duration.ofSeconds(5)));

    assertThat(running.second().expectError())
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.CANCELED));
  }

  @Test
  void shouldLiveOnWhenASenderIsRefusedForTheLengthOfItsMessage() {
    pair = StreamPair.open(ProgressMode.AUTO, Credits::withShortMessages);
    var running = probe(TagSelector.exact(TAG), 2);
    running.second().request(1);

    EndpointFutures patient = pair.left.openEndpoint("patient").futures();
    assertThat(
            Await.failure(
                patient.sendTagged(pair.toReceiver, new byte[Credits.SHORT_MESSAGE + 1], TAG)))
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> {
              assertThat(e.error()).isEqualTo(FabricError.MESSAGE_SIZE);
              assertThat(e).hasMessageContaining("of the peer, raise it there or send less");
            });

    patient.sendTagged(pair.toReceiver, message(7, Credits.SHORT_MESSAGE), TAG);
    assertThat(running.second().expectNext()).isEqualTo(7);
  }

  @Test
  void shouldRunInManualProgressWhileAThreadDrives() {
    pair = StreamPair.open(ProgressMode.MANUAL);
    CompletableFuture<List<Integer>> received =
        TagfabricStreams.source(pair.receiver, TagSelector.exact(TAG), 2)
            .map(TaggedSourceTest::number)
            .take(20)
            .runWith(Sink.seq(), pair.system())
            .toCompletableFuture();
    IntStream.range(0, 20).forEach(i -> send(i, LONG_MESSAGE));

    pair.await(
        "received",
        () -> {
          pair.left.loop().advance();
          return received.isDone();
        });

    assertThat(received.join()).isEqualTo(IntStream.range(0, 20).boxed().toList());
  }

  @Test
  void shouldRefuseAWindowWithoutRoom() {
    open();

    assertThatThrownBy(() -> TagfabricStreams.source(pair.receiver, TagSelector.any(), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("window=0 < 1, pass how many operations may be under way");
  }
}
