package io.tagfabric.stream;

import akka.Done;
import akka.japi.Pair;
import akka.stream.AbruptStageTerminationException;
import akka.stream.Attributes;
import akka.stream.Inlet;
import akka.stream.SinkShape;
import akka.stream.stage.AbstractGraphStageWithMaterializedValue;
import akka.stream.stage.AbstractInHandler;
import akka.stream.stage.AsyncCallback;
import akka.stream.stage.GraphStageLogic;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.StreamEnd;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Takes the completions of a stream's sends and, behind the last, tells the peer how the stream has
 * ended: it completed, it failed, or its materializer was shut down.
 */
final class EndingSink
    extends AbstractGraphStageWithMaterializedValue<
        SinkShape<Completion.Sent>, CompletionStage<Done>> {
  /** Of a reason; short, so that peers take it that take short messages only. */
  private static final int MAX_REASON_BYTES = 256;

  private final Endpoint endpoint;
  private final int peer;
  private final long tag;
  private final Inlet<Completion.Sent> in = Inlet.create("EndingSink.in");
  private final SinkShape<Completion.Sent> shape = SinkShape.of(in);

  EndingSink(Endpoint endpoint, int peer, long tag) {
    this.endpoint = endpoint;
    this.peer = peer;
    this.tag = tag;
  }

  @Override
  public SinkShape<Completion.Sent> shape() {
    return shape;
  }

  @Override
  public Attributes initialAttributes() {
    return Attributes.name("endingSink");
  }

  @Override
  public Pair<GraphStageLogic, CompletionStage<Done>> createLogicAndMaterializedValuePair(
      Attributes inheritedAttributes) {
    Logic logic = new Logic();
    return Pair.create(logic, logic.done.minimalCompletionStage());
  }

  private CompletionStage<Completion.Sent> send(StreamEnd end, byte[] reason) {
    return TagfabricStreams.posted(
        () ->
            endpoint
                .futures()
                .start(TaggedSend.of(peer, new UnsafeBuffer(reason), tag).data(end.data())));
  }

  private final class Logic extends GraphStageLogic {
    private final CompletableFuture<Done> done = new CompletableFuture<>();
    private final AsyncCallback<Optional<Throwable>> endSent = createAsyncCallback(this::onEndSent);
    private boolean saidEnd;

    Logic() {
      super(shape);
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              grab(in);
              pull(in);
            }

            @Override
            public void onUpstreamFinish() {
              saidEnd = true;
              setKeepGoing(true);
              send(StreamEnd.COMPLETED, new byte[0])
                  .whenComplete((sent, failure) -> endSent.invoke(Optional.ofNullable(failure)));
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
              sayFailed(failure.toString());
              end(failure);
            }
          });
    }

    @Override
    public void preStart() {
      pull(in);
    }

    private void onEndSent(Optional<Throwable> failure) {
      if (failure.isEmpty()) {
        done.complete(Done.getInstance());
        completeStage();
      } else {
        Throwable thrown = failure.get();
        end(thrown instanceof CompletionException ? thrown.getCause() : thrown);
      }
    }

    private void end(Throwable failure) {
      done.completeExceptionally(failure);
      failStage(failure);
    }

    /** The peer hears it if it can be reached; if not, it has lost this side. */
    private void sayFailed(String reason) {
      saidEnd = true;
      byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
      int limit = Math.min(MAX_REASON_BYTES, endpoint.settings().maxMessageBytes());
      send(StreamEnd.FAILED, Arrays.copyOf(bytes, Math.min(bytes.length, limit)));
    }

    @Override
    public void postStop() {
      if (!saidEnd) {
        sayFailed("it was stopped before its end");
      }
      done.completeExceptionally(new AbruptStageTerminationException(this));
    }
  }
}
