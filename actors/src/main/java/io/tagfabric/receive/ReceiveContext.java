package io.tagfabric.receive;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.EndpointLife;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.wire.TaggedArrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives that several endpoints of one domain share: a message that comes for any of them takes
 * the earliest receive posted here that fits, so one pool of buffers serves all their peers.
 *
 * <p>It completes receives in a queue of its own. A {@code source} is the index of the sender in
 * the domain's address vector, whichever endpoint the message came to, and an answer can be sent
 * from any endpoint of the domain. Messages from one peer to one endpoint match in the order sent;
 * there is no order between endpoints. Messages without a receive wait here, within the {@code
 * flow.unexpected-budget} of the context, whatever the number of endpoints and peers.
 *
 * <p>A receive that names a peer fails when an endpoint loses the peer and no other endpoint of the
 * context has a flow with it. When an endpoint closes, what has come for it whole stays here.
 *
 * <p>A defect met here ends the context and all its endpoints, with the reason.
 *
 * <p>Thread: any; calls of one thread keep their order.
 *
 * @source libfabric fi_endpoint(3), shared receive contexts
 */
public final class ReceiveContext extends Receives {
  private static final Logger LOG = LoggerFactory.getLogger(ReceiveContext.class);

  private final String name;
  private final ReceiveSide side;
  private final ReceiveBindings bindings;
  private final ProgressLoop loop;
  private final ProgressFutures futures;
  private final TaggedArrivals arrivals;

  /** Endpoints that have not closed. Thread: the domain's loop. */
  private final List<SharedReceives> endpoints = new ArrayList<>();

  private final Object lock = new Object();
  private int bound;
  private volatile boolean closed;
  private RuntimeException defect;
  private boolean counting = true;

  private ReceiveContext(
      String name,
      ReceiveSide side,
      ReceiveBindings bindings,
      ActorRef<TagMatcher.Command> matcher,
      DomainParts domain) {
    super(matcher, side.direct(), bindings.queue(), bindings.completions());
    this.name = name;
    this.side = side;
    this.bindings = bindings;
    loop = domain.loop();
    futures = domain.futures();
    arrivals = new GuardedArrivals(side.port().arrivals(), this::failed);
  }

  /**
   * Opens a context; {@code Domain.openReceiveContext} does.
   *
   * @param spawn starts the actor that receives
   */
  @InternalApi
  public static ReceiveContext open(
      DomainParts domain,
      String name,
      ReceiveBindings bindings,
      EndpointSettings settings,
      Function<Behavior<TagMatcher.Command>, ActorRef<TagMatcher.Command>> spawn) {
    AtomicReference<ReceiveContext> context = new AtomicReference<>();
    ReceiveSide side =
        new ReceiveSide(
            domain,
            settings,
            bindings.queue(),
            bindings.counter(),
            failure -> context.get().failed(failure));
    ActorRef<TagMatcher.Command> matcher =
        spawn.apply(side.matcher(() -> context.get().matcherStopped()));
    ReceiveContext opened = new ReceiveContext(name, side, bindings, matcher, domain);
    context.set(opened);
    ProgressFuture<Boolean> begun = domain.futures().create();
    domain
        .loop()
        .execute(
            () -> {
              side.core().share(opened::reaches);
              side.tell(matcher);
              side.flushWhenDue(domain.loop().flushWhenDue(side.direct()::flush));
              begun.complete(true);
            });
    begun.join();
    return opened;
  }

  /** What it was opened as. */
  public String name() {
    return name;
  }

  /** What its receives are told to. */
  public ReceiveBindings bindings() {
    return bindings;
  }

  /** Endpoints that are bound to it. */
  public int endpoints() {
    synchronized (lock) {
      return bound;
    }
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  protected void requireReceives() {
    if (closed) {
      throw new IllegalStateException("receive context [" + name + "] is closed, open another");
    }
    loop.requireCaller();
  }

  /**
   * An endpoint that shares it is about to open.
   *
   * @throws FabricException BAD_STATE if it is closed
   */
  @InternalApi
  public void bind() {
    synchronized (lock) {
      if (closed) {
        throw new FabricException(
            FabricError.BAD_STATE, "receive context [" + name + "] is closed, open another");
      }
      bound++;
    }
  }

  /** It has closed, or was not opened. */
  @InternalApi
  public void unbind() {
    synchronized (lock) {
      bound--;
    }
  }

  @InternalApi
  public ProgressLoop loop() {
    return loop;
  }

  /**
   * Cancels posted receives and drops the messages that wait; one warning in the log counts them,
   * and with them those that waited at their senders for an endpoint that closed before.
   * Idempotent.
   *
   * @return how many receives were cancelled
   * @throws FabricException BUSY while endpoints are bound to it; nothing is closed then
   */
  public CompletionStage<Integer> close() {
    synchronized (lock) {
      if (bound > 0) {
        throw new FabricException(
            FabricError.BUSY,
            "endpoints=" + bound + " share receive context [" + name + "], close them first");
      }
      closed = true;
    }
    ProgressFuture<Integer> cancelled = futures.create();
    loop.execute(
        () ->
            side.port()
                .close(
                    count -> {
                      unbindCounter();
                      side.reportDropped("receive context [" + name + "]");
                      futures.complete(cancelled, count);
                    }));
    loop.wake();
    return cancelled;
  }

  /** The domain closes, and its endpoints have. */
  @InternalApi
  public void end() {
    synchronized (lock) {
      bound = 0;
    }
    close().toCompletableFuture().join();
  }

  // ---- on the loop ----

  private void unbindCounter() {
    if (bindings.counter() != null && counting) {
      counting = false;
      bindings.counter().unbind();
    }
  }

  ReceiveSide side() {
    return side;
  }

  TaggedArrivals arrivals() {
    return arrivals;
  }

  @InternalApi
  public DirectReceives direct() {
    return side.direct();
  }

  @InternalApi
  public SharedReceives share(EndpointLife life) {
    SharedReceives shared = new SharedReceives(this, side.port(), life);
    endpoints.add(shared);
    if (defect != null) {
      shared.fail(defect, because(defect));
    }
    return shared;
  }

  void left(SharedReceives endpoint) {
    endpoints.remove(endpoint);
  }

  private boolean reaches(int peer) {
    for (SharedReceives each : endpoints) {
      if (each.reaches(peer)) {
        return true;
      }
    }
    return false;
  }

  private static String because(RuntimeException failure) {
    return "the receive context has failed: " + failure;
  }

  private void failed(RuntimeException failure) {
    if (defect != null) {
      return;
    }
    defect = failure;
    LOG.error("receive context [{}] has failed and closes", name, failure);
    synchronized (lock) {
      closed = true;
    }
    side.core().fail(failure, null);
    side.port().flush();
    unbindCounter();
    List.copyOf(endpoints).forEach(each -> each.fail(failure, because(failure)));
  }

  private void matcherStopped() {
    side.tell(null);
    if (!closed) {
      failed(new IllegalStateException("the matcher of the receive context has stopped"));
    }
  }

  @Override
  public String toString() {
    return "ReceiveContext[" + name + "]";
  }
}
