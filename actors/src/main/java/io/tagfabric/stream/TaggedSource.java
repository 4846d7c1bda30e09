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
import io.tagfabric.match.TagMatcher;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
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
  private final Outlet<TaggedMessage> out = Outlet.create("TaggedSource.out");
  private final SourceShape<TaggedMessage> shape = SourceShape.of(out);

  TaggedSource(Endpoint endpoint, TagSelector selector, int window) {
    this.endpoint = endpoint;
    this.selector = selector;
    this.window = window;
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
        createAsyncCallback(notUsed -> beginDrain());
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
    private boolean cancelled;
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
              cancelled = true;
              setKeepGoing(true);
              beginDrain();
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
      while (head != null && head.done && (cancelled || isAvailable(out) || head.message == null)) {
        turns.pollFirst();
        if (head.message == null) {
          if (!survives(head.failure)) {
            fail(head.failure);
            return;
          }
        } else if (cancelled) {
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

    private void post() {
      while (turns.size() < window) {
        Turn turn = new Turn(turnEnded);
        turns.addLast(turn);
        endpoint
            .matcher()
            .tell(
                new TagMatcher.PostReceive(
                    selector, endpoint.settings().maxMessageBytes(), turn, turn));
      }
    }

    /** Whether the stream goes on after a receive that brought no message. */
    private boolean survives(Completion.Failed failure) {
      if (failure.error() == FabricError.CANCELED) {
        return draining;
      }
      boolean senderLost =
          selector.source() == TagSelector.ANY_SOURCE && failure.error() != FabricError.TRUNCATED;
      if (senderLost || cancelled) {
        dropped++;
        return true;
      }
      return false;
    }

    private void beginDrain() {
      if (!draining) {
        draining = true;
        cancelReceives();
      }
      advance();
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
      ended.complete(new SourceControl.Ended(emitted, dropped));
      completeStage();
    }

    private void fail(Completion.Failed failure) {
      FabricException exception = new FabricException(failure.error(), failure.detail());
      cancelReceives();
      ended.completeExceptionally(exception);
      failStage(exception);
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
