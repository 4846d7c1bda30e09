package io.tagfabric.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.Done;
import akka.actor.testkit.typed.javadsl.LoggingTestKit;
import akka.japi.Pair;
import akka.stream.AbruptStageTerminationException;
import akka.stream.KillSwitches;
import akka.stream.Materializer;
import akka.stream.javadsl.Keep;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.stream.testkit.TestSubscriber;
import akka.stream.testkit.javadsl.TestSink;
import akka.util.ByteString;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.kryo.KryoCodecException;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.stream.SourceControl.Ended;
import io.tagfabric.stream.StreamPair.Order;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of a sink's stream reaches the source of the peer, behind all elements. */
class StreamEndTest {
  private static final long TAG = 7;

  private StreamPair pair = StreamPair.open(ProgressMode.AUTO);

  @AfterEach
  void close() {
    pair.close();
  }

  private static ByteString numbered(int number, int length) {
    byte[] bytes = new byte[length];
    bytes[0] = (byte) (number >> 24);
    bytes[1] = (byte) (number >> 16);
    bytes[2] = (byte) (number >> 8);
    bytes[3] = (byte) number;
    return ByteString.fromArrayUnsafe(bytes);
  }

  private static Source<ByteString, ?> numbers(int from, int count) {
    return count == 0
        ? Source.empty()
        : Source.range(from, from + count - 1).map(number -> numbered(number, 8));
  }

  /** Fails when it is asked for one more. */
  private static Source<ByteString, ?> numbersThatFail(int count, IllegalStateException failure) {
    return Source.range(0, count)
        .map(
            number -> {
              if (number == count) {
                throw failure;
              }
              return numbered(number, 8);
            });
  }

  private static int number(TaggedMessage message) {
    return message.payload().asByteBuffer().getInt();
  }

  private static List<Integer> upTo(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  private Sink<ByteString, CompletionStage<Done>> sink(int window, CompletionLevel level) {
    return TagfabricStreams.sinkWithEnd(pair.sender, pair.toReceiver, TAG, window, level);
  }

  private Sink<ByteString, CompletionStage<Done>> sink() {
    return sink(8, CompletionLevel.INJECT);
  }

  private Source<Integer, SourceControl> source(int window) {
    return TagfabricStreams.sourceWithEnd(pair.receiver, pair.toSender, TAG, window)
        .map(StreamEndTest::number);
  }

  private CompletionStage<List<Integer>> received() {
    return source(8).runWith(Sink.seq(), pair.system());
  }

  private Pair<SourceControl, TestSubscriber.Probe<Integer>> probe(int window) {
    return source(window).toMat(TestSink.create(pair.system()), Keep.both()).run(pair.system());
  }

  private static void requireAborted(Throwable failure, String reason) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            FabricException.class,
            e -> assertThat(e.error()).isEqualTo(FabricError.CONNECTION_ABORTED))
        .hasMessage("the stream of the peer has failed there: " + reason);
  }

  @Test
  void shouldCompleteWithoutElements() {
    CompletionStage<List<Integer>> received = received();

    Await.get(Source.<ByteString>empty().runWith(sink(), pair.system()));

    assertThat(Await.get(received)).isEmpty();
    pair.await("no receive is left", () -> pair.matcher().postedReceives() == 0);
  }

  @Test
  void shouldCompleteBehindTheElementsWhenTheSourceBeginsLater() {
    Await.get(numbers(0, 50).runWith(sink(), pair.system()));

    assertThat(Await.get(received())).isEqualTo(upTo(50));
  }

  @Test
  void shouldCompleteBehindManyElementsThatWaitForCredit() {
    pair.close();
    pair =
        StreamPair.open(
            ProgressMode.AUTO, settings -> settings.withFlow(Credits.of(settings.flow(), 16)));
    var running = probe(4);
    running.second().request(1);
    int count = 300;

    CompletableFuture<Done> sent =
        numbers(0, count).runWith(sink(), pair.system()).toCompletableFuture();
    running.second().expectNext(0);
    pair.await("credit used up", () -> pair.matcher().unexpectedMessages() == 16);
    assertThat(sent).isNotDone();

    for (int i = 1; i < count; i++) {
      running.second().request(1).expectNext(i);
    }
    running.second().expectComplete(); // without a demand
    Await.get(sent);
    assertThat(Await.get(running.first().ended())).isEqualTo(new Ended(count, 0));
  }

  @Test
  void shouldKeepTheOrderOfLongAndShortElementsOfAnyLevel() {
    Random random = new Random(20);
    for (CompletionLevel level : CompletionLevel.values()) {
      int count = random.nextInt(60);
      List<ByteString> elements = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        elements.add(numbered(i, random.nextInt(3) == 0 ? 100_000 : 4 + random.nextInt(3000)));
      }
      CompletionStage<List<Integer>> received =
          source(1 + random.nextInt(20)).runWith(Sink.seq(), pair.system());

      Await.get(Source.from(elements).runWith(sink(1 + random.nextInt(20), level), pair.system()));

      assertThat(Await.get(received)).as(level.toString()).isEqualTo(upTo(count));
    }
  }

  @Test
  void shouldCarryObjects() {
    List<Order> orders = List.of(new Order(1, "bolt"), new Order(2, "nut"));
    CompletionStage<List<Order>> received =
        TagfabricStreams.objectSourceWithEnd(pair.receiver, pair.toSender, TAG, Order.class, 4)
            .runWith(Sink.seq(), pair.system());

    Await.get(
        Source.from(orders)
            .runWith(
                TagfabricStreams.objectSinkWithEnd(pair.sender, pair.toReceiver, TAG, 4),
                pair.system()));

    assertThat(Await.get(received)).isEqualTo(orders);
  }

  @Test
  void shouldTakeAnEmptyMessageOfTheProgramForAnElement() {
    CompletionStage<List<Integer>> received =
        TagfabricStreams.sourceWithEnd(pair.receiver, pair.toSender, TAG, 2)
            .map(message -> message.payload().length())
            .runWith(Sink.seq(), pair.system());

    Await.get(
        Source.from(List.of(ByteString.emptyByteString(), ByteString.emptyByteString()))
            .runWith(sink(), pair.system()));

    assertThat(Await.get(received)).containsExactly(0, 0);
  }

  @Test
  void shouldFailBehindTheElementsWhenTheStreamThereFails() {
    var running = probe(8);
    running.second().request(10);

    IllegalStateException failure = new IllegalStateException("no paper");
    CompletionStage<Done> sent =
        numbersThatFail(3, failure).runWith(sink(1, CompletionLevel.DELIVERY), pair.system());

    assertThat(Await.failure(sent)).isSameAs(failure);
    running.second().expectNext(0, 1, 2);
    requireAborted(running.second().expectError(), "java.lang.IllegalStateException: no paper");
    requireAborted(
        Await.failure(running.first().ended()), "java.lang.IllegalStateException: no paper");
  }

  @Test
  void shouldFailWhenTheStreamThereIsAborted() {
    var running = probe(8);
    running.second().request(1);
    var kill =
        Source.<ByteString>maybe()
            .viaMat(KillSwitches.single(), Keep.right())
            .to(sink())
            .run(pair.system());

    kill.abort(new IllegalStateException("enough"));

    requireAborted(running.second().expectError(), "java.lang.IllegalStateException: enough");
  }

  @Test
  void shouldFailWhenTheMaterializerThereIsShutDown() {
    var running = probe(8);
    running.second().request(1);
    Materializer materializer = Materializer.createMaterializer(pair.system());
    CompletionStage<Done> sent = numbers(0, 1).concat(Source.maybe()).runWith(sink(), materializer);
    running.second().expectNext(0);

    materializer.shutdown();

    requireAborted(running.second().expectError(), "it was stopped before its end");
    assertThat(Await.failure(sent)).isInstanceOf(AbruptStageTerminationException.class);
  }

  @Test
  void shouldFailWhenASendThereFails() {
    CompletionStage<List<Order>> received =
        TagfabricStreams.objectSourceWithEnd(pair.receiver, pair.toSender, TAG, Order.class, 4)
            .runWith(Sink.seq(), pair.system());

    CompletionStage<Done> sent =
        Source.<Object>from(List.of(new Order(1, "bolt"), new Thread()))
            .runWith(
                TagfabricStreams.objectSinkWithEnd(pair.sender, pair.toReceiver, TAG, 4),
                pair.system());

    assertThat(Await.failure(sent)).isInstanceOf(KryoCodecException.class);
    assertThat(Await.failure(received))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("KryoCodecException");
  }

  @Test
  void shouldFailWhenThePeerClosesBeforeTheEnd() {
    var running = probe(8);
    running.second().request(10);
    numbers(0, 2).concat(Source.maybe()).runWith(sink(), pair.system());
    running.second().expectNext(0, 1);

    Await.get(pair.sender.close(Duration.ofSeconds(5)));

    assertThat(running.second().expectError())
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.SHUTDOWN));
  }

  @Test
  void shouldCompleteThoughThePeerHasClosedBehindTheEnd() {
    var running = probe(8);
    running.second().request(1);
    Await.get(numbers(0, 3).runWith(sink(), pair.system()));
    Await.get(pair.sender.close(Duration.ofSeconds(5)));

    running.second().request(10).expectNext(0, 1, 2).expectComplete();
    assertThat(Await.get(running.first().ended())).isEqualTo(new Ended(3, 0));
  }

  @Test
  void shouldCarryOneStreamBehindTheOther() {
    for (int round = 0; round < 20; round++) {
      CompletionStage<List<Integer>> received = received();
      Await.get(numbers(0, round).runWith(sink(), pair.system()));
      assertThat(Await.get(received)).isEqualTo(upTo(round));
    }
  }

  @Test
  void shouldCountWhatAnotherStreamHasSentBehindTheEnd() {
    var running = probe(8);
    running.second().request(1);
    Await.get(numbers(0, 2).runWith(sink(), pair.system()));
    running.second().expectNext(0);
    Await.get(numbers(90, 3).runWith(sink(), pair.system()));
    pair.await("taken", () -> pair.matcher().postedReceives() == 2); // 1, end, 90 to 92, end

    running.second().request(10).expectNext(1).expectComplete();

    assertThat(Await.get(running.first().ended())).isEqualTo(new Ended(2, 3));
  }

  @Test
  void shouldCountWhatIsLeftWhenAStreamFails() {
    var running = probe(8);
    running.second().request(1);
    CompletionStage<Done> failed =
        numbersThatFail(2, new IllegalStateException("no paper")).runWith(sink(), pair.system());
    assertThat(Await.failure(failed)).hasMessage("no paper");
    Await.get(numbers(90, 3).runWith(sink(), pair.system()));
    running.second().expectNext(0);
    pair.await("taken", () -> pair.matcher().postedReceives() == 2);

    LoggingTestKit.warn("[3] received messages of [tag 0x7 from")
        .expect(
            pair.system(),
            () -> {
              running.second().request(10).expectNext(1);
              return running.second().expectError();
            });
    assertThat(Await.failure(running.first().ended())).hasMessageEndingWith("no paper");
    assertThat(pair.matcher().postedReceives()).isZero();
  }

  @Test
  void shouldGoOnWithASourceThatNamesNoPeer() {
    var running =
        TagfabricStreams.source(pair.receiver, TagSelector.exact(TAG), 4)
            .map(StreamEndTest::number)
            .toMat(Sink.seq(), Keep.both())
            .run(pair.system());
    Await.get(numbers(0, 10).runWith(sink(4, CompletionLevel.MATCH), pair.system()));
    Await.get(numbers(10, 10).runWith(sink(4, CompletionLevel.MATCH), pair.system()));
    Await.failure(
        Source.<ByteString>failed(new IllegalStateException("x")).runWith(sink(), pair.system()));
    Await.get(numbers(20, 1).runWith(sink(4, CompletionLevel.MATCH), pair.system()));

    assertThat(Await.get(running.first().drainAndShutdown())).isEqualTo(new Ended(21, 0));
    assertThat(Await.get(running.second())).isEqualTo(upTo(21));
  }

  @Test
  void shouldCompleteTheSinkThoughTheSourceHasStoppedBefore() {
    var running = probe(4);
    running.second().request(10);
    Source<ByteString, CompletableFuture<Optional<ByteString>>> open = Source.maybe();
    var upstream =
        numbers(0, 3)
            .concatMat(open, Keep.right())
            .toMat(sink(4, CompletionLevel.MATCH), Keep.both())
            .run(pair.system());
    running.second().expectNext(0, 1, 2);

    CompletionStage<Ended> ended = running.first().drainAndShutdown();
    running.second().expectComplete();
    assertThat(Await.get(ended)).isEqualTo(new Ended(3, 0));
    upstream.first().complete(Optional.empty());

    Await.get(upstream.second());
    pair.await("the end waits", () -> pair.matcher().unexpectedMessages() == 1);
  }

  @Test
  void shouldLetTheSinkWaitWhenDownstreamOfTheSourceCancels() {
    var running = probe(2);
    running.second().request(1);
    CompletableFuture<Done> sent =
        Source.repeat(numbered(0, 8))
            .runWith(sink(4, CompletionLevel.MATCH), pair.system())
            .toCompletableFuture();
    running.second().expectNext(0);

    running.second().cancel();

    Await.get(running.first().ended());
    pair.await("a window waits", () -> pair.matcher().unexpectedMessages() == 4);
    assertThat(sent).isNotDone();
    Await.get(pair.receiver.close(Duration.ofSeconds(5)));
    assertThat(Await.failure(sent))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.SHUTDOWN));
  }

  @Test
  void shouldRefuseASourceOfAnyPeer() {
    assertThatThrownBy(
            () -> TagfabricStreams.sourceWithEnd(pair.receiver, TagSelector.ANY_SOURCE, TAG, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("peer=-1 < 0, name the peer whose stream it is, or use source");
  }
}
