package io.tagfabric.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.Done;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.kryo.KryoCodecException;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.stream.StreamPair.Order;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TaggedSinkTest {
  private static final long TAG = 11;
  private static final ByteString BYTES = ByteString.fromString("payload");

  private StreamPair pair;

  @BeforeEach
  void open() {
    pair = StreamPair.open(ProgressMode.AUTO);
  }

  @AfterEach
  void close() {
    pair.close();
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  private static FabricError errorOf(CompletionStage<?> failed) {
    Throwable cause = catchThrowable(() -> join(failed)).getCause();
    assertThat(cause).isInstanceOf(FabricException.class);
    return ((FabricException) cause).error();
  }

  @Test
  void shouldHaveAtMostAWindowOfSendsUnderWay() {
    CompletableFuture<Done> sent =
        Source.repeat(BYTES)
            .take(10)
            .runWith(
                TagfabricStreams.sink(pair.sender, pair.toReceiver, TAG, 3, CompletionLevel.MATCH),
                pair.system())
            .toCompletableFuture();
    pair.await("three announced", () -> pair.matcher().unexpectedMessages() == 3);

    assertThat(pair.sent().requestsSent()).isEqualTo(3);
    assertThat(sent).isNotDone();

    for (int i = 0; i < 10; i++) {
      assertThat(
              join(pair.receiver.futures().receiveTagged(TagSelector.exact(TAG))).payload().array())
          .isEqualTo(BYTES.toArrayUnsafe());
    }
    join(sent);
  }

  @Test
  void shouldFailWhenThePeerIsUnknown() {
    CompletionStage<Done> sent =
        Source.repeat(BYTES).runWith(TagfabricStreams.sink(pair.sender, 99, TAG, 4), pair.system());

    assertThat(errorOf(sent)).isEqualTo(FabricError.ADDRESS_NOT_AVAILABLE);
  }

  @Test
  void shouldFailWhenThePeerCloses() {
    CompletionStage<Done> sent =
        Source.repeat(BYTES)
            .runWith(
                TagfabricStreams.sink(pair.sender, pair.toReceiver, TAG, 4, CompletionLevel.MATCH),
                pair.system());
    pair.await("announced", () -> pair.matcher().unexpectedMessages() == 4);

    join(pair.receiver.close(Duration.ofSeconds(5)));

    assertThat(errorOf(sent)).isEqualTo(FabricError.SHUTDOWN);
  }

  @Test
  void shouldFailWhenItsEndpointIsClosed() {
    join(pair.sender.close(Duration.ofSeconds(5)));

    CompletionStage<Done> sent =
        Source.repeat(BYTES)
            .runWith(TagfabricStreams.sink(pair.sender, pair.toReceiver, TAG, 4), pair.system());

    assertThat(errorOf(sent)).isEqualTo(FabricError.SHUTDOWN);
  }

  @Test
  void shouldSendEachMessageWhereItSaysAndEmitCompletionsInOrder() {
    int self = pair.left.addressVector().insert(pair.sender.address());
    List<OutgoingMessage> messages =
        List.of(
            new OutgoingMessage(pair.toReceiver, 1, ByteString.fromString("a")),
            new OutgoingMessage(self, 2, ByteString.fromString("bc")),
            new OutgoingMessage(pair.toReceiver, 3, ByteString.emptyByteString()));

    CompletionStage<List<Completion.Sent>> sent =
        Source.from(messages)
            .via(TagfabricStreams.flow(pair.sender, 8))
            .runWith(Sink.seq(), pair.system());

    assertThat(join(sent))
        .containsExactly(
            new Completion.Sent(null, pair.toReceiver, 1, 1),
            new Completion.Sent(null, self, 2, 2),
            new Completion.Sent(null, pair.toReceiver, 3, 0));
    assertThat(join(pair.receiver.futures().receiveTagged(TagSelector.exact(3))).payload().length())
        .isZero();
    assertThat(join(pair.sender.futures().receiveTagged(TagSelector.exact(2))).payload().array())
        .asString()
        .isEqualTo("bc");
  }

  @Test
  void shouldCarryObjects() {
    List<Order> orders = List.of(new Order(1, "bolt"), new Order(2, "nut"), new Order(3, ""));
    CompletionStage<List<Order>> received =
        TagfabricStreams.objectSource(pair.receiver, TagSelector.exact(TAG), Order.class, 2)
            .take(3)
            .runWith(Sink.seq(), pair.system());

    join(
        Source.from(orders)
            .runWith(
                TagfabricStreams.objectSink(pair.sender, pair.toReceiver, TAG, 2), pair.system()));

    assertThat(join(received)).isEqualTo(orders);
  }

  @Test
  void shouldCompleteByDefaultThoughNoReceiveHasTakenAnything() {
    join(
        Source.repeat(BYTES)
            .take(10)
            .runWith(TagfabricStreams.sink(pair.sender, pair.toReceiver, TAG, 4), pair.system()));

    pair.await("all have arrived", () -> pair.matcher().unexpectedMessages() == 10);
  }

  @Test
  void shouldCompleteWithObjectsWhenTheirReceiverHasTakenThem() {
    List<Order> orders = List.of(new Order(1, "bolt"), new Order(2, "nut"), new Order(3, ""));
    CompletionStage<Done> sent =
        Source.from(orders)
            .runWith(
                TagfabricStreams.objectSink(
                    pair.sender, pair.toReceiver, TAG, 3, CompletionLevel.MATCH),
                pair.system());
    pair.await("all have arrived", () -> pair.matcher().unexpectedMessages() == 3);
    assertThat(sent.toCompletableFuture()).isNotDone();

    CompletionStage<List<Order>> received =
        TagfabricStreams.objectSource(pair.receiver, TagSelector.exact(TAG), Order.class, 2)
            .take(3)
            .runWith(Sink.seq(), pair.system());

    join(sent);
    assertThat(join(received)).isEqualTo(orders);
  }

  @Test
  void shouldFailTheSourceWhenAnObjectIsOfAnotherClass() {
    CompletionStage<List<Order>> received =
        TagfabricStreams.objectSource(pair.receiver, TagSelector.exact(TAG), Order.class, 2)
            .runWith(Sink.seq(), pair.system());

    join(pair.sender.futures().sendObject(pair.toReceiver, "no order", TAG));

    assertThat(errorOf(received)).isEqualTo(FabricError.INVALID);
    pair.await("receives cancelled", () -> pair.matcher().postedReceives() == 0);
  }

  @Test
  void shouldFailTheSinkWhenAClassIsNotRegistered() {
    CompletionStage<Done> sent =
        Source.single(new Thread())
            .runWith(
                TagfabricStreams.objectSink(pair.sender, pair.toReceiver, TAG, 2), pair.system());

    assertThat(catchThrowable(() -> join(sent))).hasCauseInstanceOf(KryoCodecException.class);
  }
}
