package io.tagfabric.stream;

import akka.Done;
import akka.NotUsed;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Keep;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tagged messages of an endpoint as Akka Streams with back-pressure from end to end: a slow
 * consumer posts no receives, its peers run out of credit, their sends wait, and their streams ask
 * for no further elements. Nothing is dropped on the way.
 *
 * <p>A {@code window} is how many operations of one stream are under way at most. One moves a
 * message in a round trip; 16 to 256 keep a connection busy. A source holds at most that many
 * messages whole, so choose it small where messages are long.
 *
 * <p>A stream does not make progress by itself. In AUTO mode the domain's progress thread does. In
 * MANUAL mode the application must drive the domain while streams run, for instance with {@link
 * io.tagfabric.fabric.Domain#await}, on a thread that is not the stream's.
 *
 * <p>Every method returns a blueprint that can be run any number of times. Streams, futures and
 * direct calls may share an endpoint; where selectors overlap, a message goes to the receive posted
 * first.
 *
 * @source Reactive Streams 1.0.4, §1.1 (no more than demanded); libfabric fi_tagged(3)
 */
public final class TagfabricStreams {
  private TagfabricStreams() {}

  /**
   * Messages that fit a selector, in the order matched.
   *
   * <p>Posts nothing before the first demand. Fails with a {@link FabricException}: CANCELED when
   * the endpoint closes, TRUNCATED when a message is longer than the endpoint's maximum, and, if
   * the selector names a peer, with that peer's error when it is lost; what came before is emitted
   * first. If it names none, a message whose sender is lost half way is skipped and counted.
   *
   * <p>It takes the messages of any number of streams one after the other. The end of one that is
   * sent by {@link #sinkWithEnd} is not emitted; its failure is logged.
   *
   * <p>A cancel from downstream cancels the receives that wait. Messages they had matched by then
   * have no taker: they are counted in {@link SourceControl#ended} and logged. Use {@link
   * SourceControl#drainAndShutdown} to end without losing any.
   *
   * @throws IllegalArgumentException if {@code window < 1}
   */
  public static Source<TaggedMessage, SourceControl> source(
      Endpoint endpoint, TagSelector selector, int window) {
    requireWindow(window);
    return Source.fromGraph(new TaggedSource(endpoint, selector, window, false));
  }

  /**
   * The stream that a peer sends by {@link #sinkWithEnd}: completes behind the last element when
   * the stream there has completed, without a demand for it, and fails with CONNECTION_ABORTED and
   * the reason, behind what came before, when it has failed or was stopped there. Otherwise as
   * {@link #source} of that tag and peer, whose loss fails it.
   *
   * <p>Give each stream between two endpoints a tag of its own, or begin the next one when this
   * source has completed. Of two streams with one tag the first end is that of both, and what a
   * receive of this source then gets has no taker, which is counted and logged.
   *
   * <p>A cancel from downstream does not travel: the sink there goes on until credit is used up,
   * and then waits.
   *
   * @param peer index in the domain's address vector
   * @throws IllegalArgumentException if {@code window < 1}, or {@code peer} is negative: there is
   *     no end of any peer
   */
  public static Source<TaggedMessage, SourceControl> sourceWithEnd(
      Endpoint endpoint, int peer, long tag, int window) {
    requireWindow(window);
    if (peer < 0) {
      throw new IllegalArgumentException(
          "peer=" + peer + " < 0, name the peer whose stream it is, or use source");
    }
    return Source.fromGraph(
        new TaggedSource(endpoint, TagSelector.exact(tag).from(peer), window, true));
  }

  /**
   * Objects of registered classes. As {@link #source}; bytes that are no object and objects of
   * another class fail it with INVALID.
   */
  public static <T> Source<T, SourceControl> objectSource(
      Endpoint endpoint, TagSelector selector, Class<T> type, int window) {
    return source(endpoint, selector, window)
        .map(message -> endpoint.futures().decode(message, type));
  }

  /** The objects that a peer sends by {@link #objectSinkWithEnd}. As {@link #sourceWithEnd}. */
  public static <T> Source<T, SourceControl> objectSourceWithEnd(
      Endpoint endpoint, int peer, long tag, Class<T> type, int window) {
    return sourceWithEnd(endpoint, peer, tag, window)
        .map(message -> endpoint.futures().decode(message, type));
  }

  /**
   * Sends every element to one peer with one tag; completes when the last has left. The peer may
   * not have taken it then, nor as many before it as its credit allows.
   */
  public static Sink<ByteString, CompletionStage<Done>> sink(
      Endpoint endpoint, int peer, long tag, int window) {
    return sink(endpoint, peer, tag, window, CompletionLevel.INJECT);
  }

  /**
   * The same with a completion level: at most {@code window} elements have not reached it, and the
   * sink completes when all have.
   *
   * <p>Fails with the {@link FabricException} of the first send that fails; elements sent after it
   * may or may not arrive.
   *
   * @throws IllegalArgumentException if {@code window < 1}
   */
  public static Sink<ByteString, CompletionStage<Done>> sink(
      Endpoint endpoint, int peer, long tag, int window, CompletionLevel level) {
    return sends(endpoint, peer, tag, window, level).toMat(Sink.ignore(), Keep.right());
  }

  /**
   * As {@link #sink(Endpoint, int, long, int)}, and tells the peer's {@link #sourceWithEnd} how the
   * stream has ended.
   */
  public static Sink<ByteString, CompletionStage<Done>> sinkWithEnd(
      Endpoint endpoint, int peer, long tag, int window) {
    return sinkWithEnd(endpoint, peer, tag, window, CompletionLevel.INJECT);
  }

  /**
   * As {@link #sink(Endpoint, int, long, int, CompletionLevel)}, and tells the peer's {@link
   * #sourceWithEnd} how the stream has ended, behind its last element: by a message more, with the
   * same tag. The sink completes when all elements have reached the level and the end has left.
   *
   * <p>The peer hears of a failure, with its text, when the stream before the sink fails, a send
   * does, or the materializer is shut down. Where it cannot be reached any more, it has lost this
   * side, and its source fails for that.
   *
   * <p>What takes the tag at the peer should be a source. {@link #source} ignores the end, but logs
   * a failure; any other receive gets it as a message. An end that no receive takes does no harm.
   *
   * @throws IllegalArgumentException if {@code window < 1}
   */
  public static Sink<ByteString, CompletionStage<Done>> sinkWithEnd(
      Endpoint endpoint, int peer, long tag, int window, CompletionLevel level) {
    return sends(endpoint, peer, tag, window, level)
        .toMat(new EndingSink(endpoint, peer, tag), Keep.right());
  }

  private static Flow<ByteString, Completion.Sent, NotUsed> sends(
      Endpoint endpoint, int peer, long tag, int window, CompletionLevel level) {
    return Flow.of(ByteString.class)
        .map(bytes -> new OutgoingMessage(peer, tag, bytes))
        .via(flow(endpoint, window, level));
  }

  /**
   * Sends objects of registered classes to one peer with one tag. As {@link #sink(Endpoint, int,
   * long, int)}; an object whose class is not registered fails it with a {@link
   * io.tagfabric.kryo.KryoCodecException}.
   */
  public static <T> Sink<T, CompletionStage<Done>> objectSink(
      Endpoint endpoint, int peer, long tag, int window) {
    return objectSink(endpoint, peer, tag, window, CompletionLevel.INJECT);
  }

  /**
   * The same with a completion level, as {@link #sink(Endpoint, int, long, int, CompletionLevel)}.
   *
   * @throws IllegalArgumentException if {@code window < 1}
   */
  public static <T> Sink<T, CompletionStage<Done>> objectSink(
      Endpoint endpoint, int peer, long tag, int window, CompletionLevel level) {
    return TagfabricStreams.<T>objectSends(endpoint, peer, tag, window, level)
        .toMat(Sink.ignore(), Keep.right());
  }

  /** As {@link #objectSink(Endpoint, int, long, int)}, with an end as {@link #sinkWithEnd}. */
  public static <T> Sink<T, CompletionStage<Done>> objectSinkWithEnd(
      Endpoint endpoint, int peer, long tag, int window) {
    return objectSinkWithEnd(endpoint, peer, tag, window, CompletionLevel.INJECT);
  }

  /**
   * The same with a completion level, as {@link #sinkWithEnd(Endpoint, int, long, int,
   * CompletionLevel)}; the peer reads it by {@link #objectSourceWithEnd}.
   *
   * @throws IllegalArgumentException if {@code window < 1}
   */
  public static <T> Sink<T, CompletionStage<Done>> objectSinkWithEnd(
      Endpoint endpoint, int peer, long tag, int window, CompletionLevel level) {
    return TagfabricStreams.<T>objectSends(endpoint, peer, tag, window, level)
        .toMat(new EndingSink(endpoint, peer, tag), Keep.right());
  }

  private static <T> Flow<T, Completion.Sent, NotUsed> objectSends(
      Endpoint endpoint, int peer, long tag, int window, CompletionLevel level) {
    requireWindow(window);
    return Flow.<T>create()
        .mapAsync(
            window,
            object -> posted(() -> endpoint.futures().sendObject(peer, object, tag, level)));
  }

  /** Sends each element where it says and emits its completion. */
  public static Flow<OutgoingMessage, Completion.Sent, NotUsed> flow(
      Endpoint endpoint, int window) {
    return flow(endpoint, window, CompletionLevel.INJECT);
  }

  /**
   * The same with a completion level. Completions are emitted in the order of the elements, so the
   * slowest peer holds the others up; use one flow a peer where that matters.
   *
   * @throws IllegalArgumentException if {@code window < 1}
   */
  public static Flow<OutgoingMessage, Completion.Sent, NotUsed> flow(
      Endpoint endpoint, int window, CompletionLevel level) {
    requireWindow(window);
    return Flow.of(OutgoingMessage.class)
        .mapAsync(window, message -> posted(() -> send(endpoint, message, level)));
  }

  private static CompletionStage<Completion.Sent> send(
      Endpoint endpoint, OutgoingMessage message, CompletionLevel level) {
    return endpoint
        .futures()
        .start(
            TaggedSend.of(
                    message.peer(), new UnsafeBuffer(message.bytes().asByteBuffer()), message.tag())
                .level(level));
  }

  /** An endpoint that is closed while a stream runs is a failure of the stream, not of its code. */
  static CompletionStage<Completion.Sent> posted(Supplier<CompletionStage<Completion.Sent>> post) {
    try {
      return post.get();
    } catch (IllegalStateException e) {
      return CompletableFuture.failedStage(
          new FabricException(FabricError.SHUTDOWN, e.getMessage(), e));
    }
  }

  private static void requireWindow(int window) {
    if (window < 1) {
      throw new IllegalArgumentException(
          "window=" + window + " < 1, pass how many operations may be under way");
    }
  }
}
