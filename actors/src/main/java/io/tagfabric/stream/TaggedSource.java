package io.tagfabric.stream;

import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.japi.Pair;
import akka.stream.Attributes;
import akka.stream.Outlet;
import akka.stream.SourceShape;
import akka.stream.stage.AbstractGraphStageWithMaterializedValue;
import akka.stream.stage.AbstractOutHandler;
import akka.stream.stage.AsyncCallback;
import akka.stream.stage.GraphStageLogic;
import akka.stream.stage.GraphStageLogicWithLogging;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.match.StreamEnd;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Receives as a stream. At most {@code window} receives are posted or hold a message that waits for
 * demand; a new one is posted for each message emitted. What is not matched stays at the matcher
 * and uses up the sender's credit: that is the back-pressure.
 *
 * <p>Receives are posted in order and match in order, but a long message may end after a short one
 * that came later. Therefore each receive has its turn, and only the first turn is emitted.
 */
final class TaggedSource
    extends AbstractGraphStageWithMaterializedValue<SourceShape<TaggedMessage>, SourceControl> {
  private final Endpoint endpoint;
  private final TagSelector selector;
  private final int window;
  private final boolean ends;
  private final Outlet<TaggedMessage> out = Outlet.create("TaggedSource.out");
  private final SourceShape<TaggedMessage> shape = SourceShape.of(out);

  /**
   * A source.
   *
   * @param ends whether it ends as the stream of its peer does; else it ignores how others end
   */
  TaggedSource(Endpoint endpoint, TagSelector selector, int window, boolean ends) {
    this.endpoint = endpoint;
    this.selector = selector;
    this.window = window;
    this.ends = ends;
  }

  @Override
  public SourceShape<TaggedMessage> shape() {
    return shape;
  }

  @Override
  public Attributes initialAttributes() {
    return Attributes.name("taggedSource");
  }

  @Override
  public Pair<GraphStageLogic, SourceControl> createLogicAndMaterializedValuePair(
      Attributes inheritedAttributes) {
    Logic logic = new Logic();
    return Pair.create(logic, logic.control);
  }

  /** One receive; written on the domain's loop, read by the stage after the callback. */
  private static final class Turn implements ReceiveListener {
    private final AsyncCallback<Turn> ended;
    private TaggedMessage message;
    private Completion.Failed failure;
    private boolean done;

    Turn(AsyncCallback<Turn> ended) {
      this.ended = ended;
    }

    /** Whether it has a message to hand on. */
    boolean isElement() {
      return message != null && end() == null;
    }

    /** How the peer's stream has ended, if that is what came; else null. */
    StreamEnd end() {
      return message == null ? null : StreamEnd.of(message.hasData(), message.data());
    }

    @Override
    public void onReceived(TaggedMessage received) {
      message = received;
      ended.invoke(this);
    }

    @Override
    public void onFailed(Completion.Failed failed) {
      failure = failed;
      ended.invoke(this);
    }
  }

  private final class Logic extends GraphStageLogicWithLogging {
    private final CompletableFuture<SourceControl.Ended> ended = new CompletableFuture<>();
    private final ArrayDeque<Turn> turns = new ArrayDeque<>(window);
    private final AsyncCallback<Turn> turnEnded = createAsyncCallback(this::onTurnEnded);
    private final AsyncCallback<SourceControl> drainAsked =
        createAsyncCallback(notUsed -> onDrain());
    private final SourceControl control =
        new SourceControl() {
          @Override
          public CompletionStage<Ended> drainAndShutdown() {
            drainAsked.invoke(this);
            return ended();
          }

          @Override
          public CompletionStage<Ended> ended() {
            return ended.minimalCompletionStage();
          }
        };
    private boolean draining;

    /** Whether downstream gets no more elements. */
    private boolean closed;

    /** What the stream has failed with. */
    private FabricException failure;

    private long emitted;
    private long dropped;

    Logic() {
      super(shape);
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              advance();
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
              close();
              advance();
            }
          });
    }

    private void onTurnEnded(Turn turn) {
      turn.done = true;
      advance();
    }

    /** Emits what is due, posts what the window allows, ends when a drain has nothing left. */
    private void advance() {
      Turn head = turns.peekFirst();
      while (head != null && head.done && (closed || isAvailable(out) || !head.isElement())) {
        turns.pollFirst();
        if (head.message == null) {
          onFailed(head.failure);
        } else if (head.end() != null) {
          onEnd(head.end(), head.message);
        } else if (closed) {
          dropped++;
        } else {
          push(out, head.message);
          emitted++;
        }
        head = turns.peekFirst();
      }
      if (!draining) {
        post();
      } else if (turns.isEmpty()) {
        end();
      }
    }

    /** A receive brought no message. */
    private void onFailed(Completion.Failed failed) {
      if (failed.error() == FabricError.CANCELED && draining) {
        return;
      }
      boolean names = selector.source() != TagSelector.ANY_SOURCE;
      boolean truncated = failed.error() == FabricError.TRUNCATED;
      boolean senderLost = !names && !truncated && failed.error() != FabricError.CANCELED;
      if (senderLost || (closed && truncated)) {
        dropped++;
      } else if (!closed) {
        fail(new FabricException(failed.error(), failed.detail()));
      }
    }

    /** The stream of a peer has ended, behind all that it has sent. */
    private void onEnd(StreamEnd end, TaggedMessage message) {
      String reason = new String(message.payload().array(), StandardCharsets.UTF_8);
      if (closed) {
        return;
      }
      if (end == StreamEnd.FAILED && ends) {
        fail(
            new FabricException(
                FabricError.CONNECTION_ABORTED,
                "the stream of the peer has failed there: " + reason));
      } else if (end == StreamEnd.FAILED) {
        log().warning("the stream of peer [{}] has failed there: {}", message.source(), reason);
      } else if (ends) {
        close(); // completes when no receive is left, so that the next stream may begin then
      }
    }

    private void post() {
      while (turns.size() < window) {
        Turn turn = new Turn(turnEnded);
        turns.addLast(turn);
        endpoint.matcher().tell(new TagMatcher.PostReceive(TaggedReceive.of(selector), turn, turn));
      }
    }

    private void onDrain() {
      beginDrain();
      advance();
    }

    private void beginDrain() {
      if (!draining) {
        draining = true;
        cancelReceives();
      }
    }

    private void fail(FabricException exception) {
      failure = exception;
      fail(out, exception);
      close();
    }

    /** No more elements go downstream; what the receives that are left get is counted. */
    private void close() {
      closed = true;
      setKeepGoing(true);
      beginDrain();
    }

    private void cancelReceives() {
      ActorRef<TagMatcher.CancelOutcome> ignored =
          Adapter.toTyped(materializer().system()).ignoreRef();
      for (Turn turn : turns) {
        if (!turn.done) {
          endpoint.matcher().tell(new TagMatcher.CancelReceive(turn, ignored));
        }
      }
    }

    private void end() {
      if (dropped > 0) {
        log().warning("[{}] received messages of [{}] had no taker", dropped, selector);
      }
      if (failure == null) {
        ended.complete(new SourceControl.Ended(emitted, dropped));
      } else {
        ended.completeExceptionally(failure);
      }
      completeStage();
    }

    @Override
    public void postStop() {
      if (!ended.isDone()) {
        cancelReceives();
        ended.completeExceptionally(
            new FabricException(
                FabricError.CANCELED, "the stream was torn down, receives=" + turns.size()));
      }
    }
  }
}
