package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.Signal;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.Flow;
import io.tagfabric.match.InboundTransfer;
import io.tagfabric.match.ReceiveContext;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.GuardedMailbox;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.Timeouts;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MessageView;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor of an endpoint: takes sends from the application and packets from the wires, keeps both
 * in {@link EndpointCore}, and tells the matcher and the completion queue what comes of them.
 *
 * <p>Its mailbox is also the inbox of the wires, therefore it takes any object; what the
 * application may tell it is {@link Endpoint.Command}.
 *
 * <p>It does not die of a defect: it closes as if told to, without time for what is under way, and
 * stays to refuse what comes later. So what was accepted ends, and peers hear of it, whatever
 * happens here.
 */
final class EndpointActor extends AbstractBehavior<Object> {
  private enum CloseTick {
    INSTANCE
  }

  // Timers and direct calls reach the core outside of a message, where a context has no logger.
  private static final Logger LOG = LoggerFactory.getLogger(EndpointActor.class);

  /** Told to itself, so that it comes after what the channel delivered before it closed. */
  private record ChannelClosed(Flow flow, String detail) {}

  /** A defect met outside of a message of this actor: by a poll, a flush, a timer, the matcher. */
  record Failed(RuntimeException failure) {}

  /** A sender gives up a message that a receive has taken. From the matcher. */
  record TransferAborted(FrameOrigin origin, long message, FabricError error) {}

  private static final long CLOSE_TICK_NS = 1_000_000L;

  /** What a goodbye may take beyond the drain timeout. */
  private static final long GOODBYE_NS = 100_000_000L;

  private final ProgressLoop loop;
  private final EndpointSettings settings;
  private final SendCompletions completions;
  private final ActorRef<Object> self;
  private final ActorRef<TagMatcher.Command> matcher;
  private final EndpointCore core;
  private final ReceiveContext receives;
  private final CompletionOutbox received;
  private final ProgressLoop.Step flush;
  private final EndpointPlan plan;
  private final List<ActorRef<? super Endpoint.Closed>> closers = new ArrayList<>();
  private long closeDeadlineNs;
  private boolean polled;
  private boolean closeBegun;
  private boolean failureTold;
  private boolean failing;
  private boolean matcherStopped;
  private boolean stopped;
  private boolean goodbyeSaid;
  private boolean finished;
  private int cancelledReceives;
  private Endpoint.Closed closed;

  private EndpointActor(ActorContext<Object> context, EndpointPlan plan) {
    super(context);
    this.plan = plan;
    loop = plan.loop();
    settings = plan.settings();
    completions = new SendCompletions(plan.transmitQueue());
    self = context.getSelf();
    matcher = context.spawn(plan.matcher(self), "matcher", GuardedMailbox.propsOfMatcher());
    context.watch(matcher);
    receives = plan.receives();
    received = plan.receiveCompletions();
    core = plan.core(self, new Listener(), new Output());
    flush = this::flush;
    loop.addFlush(flush);
    plan.opened(
        self,
        matcher,
        new SendEntry() {
          @Override
          public void send(SendOperation operation) {
            try {
              core.send(operation);
            } catch (RuntimeException e) {
              failSend(operation, e);
              tellFailure(e);
            }
            completions.flush();
          }

          @Override
          public boolean inject(int peer, DirectBuffer buffer, int offset, int length, long tag) {
            try {
              return core.inject(peer, buffer, offset, length, tag);
            } catch (RuntimeException e) {
              tellFailure(e);
              throw e;
            }
          }

          @Override
          public void refuse(SendOperation operation) {
            if (operation.begin()) {
              core.refuse(operation);
              completions.flush();
            }
          }

          @Override
          public boolean hasUnflushed() {
            return core.hasUnflushed();
          }
        });
  }

  static Behavior<Object> create(EndpointPlan plan) {
    return Behaviors.setup(
        context -> {
          try {
            return new EndpointActor(context, plan);
          } catch (RuntimeException e) {
            plan.failed(e);
            return Behaviors.stopped();
          }
        });
  }

  @Override
  public Receive<Object> createReceive() {
    Receive<Object> handlers =
        newReceiveBuilder()
            .onMessage(FrameBatch.class, this::onFrameBatch)
            .onMessage(Endpoint.SendTagged.class, this::onSendTagged)
            .onMessage(InboundTransfer.class, this::onInboundTransfer)
            .onMessage(TransferAborted.class, this::onTransferAborted)
            .onMessage(Endpoint.CancelSend.class, this::onCancelSend)
            .onMessage(Endpoint.Connect.class, this::onConnect)
            .onMessage(Endpoint.FixPeers.class, this::onFixPeers)
            .onMessage(Endpoint.PeerGone.class, this::onPeerGone)
            .onMessage(Endpoint.GetFlows.class, this::onGetFlows)
            .onMessage(Endpoint.GetAddress.class, this::onGetAddress)
            .onMessage(Endpoint.Close.class, this::onClose)
            .onMessage(TagMatcher.Closed.class, this::onMatcherClosed)
            .onMessage(ChannelClosed.class, this::onChannelClosed)
            .onMessage(Failed.class, this::onFailed)
            .onMessage(CloseTick.class, notUsed -> onCloseTick())
            .onSignal(Terminated.class, notUsed -> onMatcherStopped())
            .onSignal(PostStop.class, notUsed -> onPostStop())
            .build();
    return new Receive<>() {
      @Override
      public Behavior<Object> receiveMessage(Object message) throws Exception {
        try {
          return handlers.receiveMessage(message);
        } catch (RuntimeException e) {
          if (message instanceof SendOperation send) {
            failSend(send, e);
          }
          return fail(e);
        }
      }

      @Override
      public Behavior<Object> receiveSignal(Signal signal) throws Exception {
        return handlers.receiveSignal(signal);
      }
    };
  }

  private int flush() {
    try {
      received.flush();
      int sent = core.flush();
      completions.flush();
      return sent;
    } catch (RuntimeException e) {
      tellFailure(e);
      return 0;
    }
  }

  private Behavior<Object> onFrameBatch(FrameBatch packet) {
    core.packet(packet);
    return done();
  }

  private Behavior<Object> onSendTagged(Endpoint.SendTagged send) {
    if (send.begin()) {
      String refusal = settings.refusalToSend(send.length());
      if (refusal == null) {
        core.send(send);
      } else {
        completions.fail(send, FabricError.MESSAGE_SIZE, refusal);
      }
    }
    return done();
  }

  private Behavior<Object> onInboundTransfer(InboundTransfer transfer) {
    core.clear(transfer);
    return done();
  }

  private Behavior<Object> onTransferAborted(TransferAborted aborted) {
    core.abortTransfer(aborted.origin(), aborted.message(), aborted.error());
    return done();
  }

  private Behavior<Object> onCancelSend(Endpoint.CancelSend cancel) {
    boolean cancelled = core.cancelSend(cancel.context());
    cancel
        .replyTo()
        .tell(
            cancelled
                ? new TagMatcher.Cancelled(cancel.context())
                : new TagMatcher.TooLate(cancel.context()));
    return done();
  }

  private Behavior<Object> onConnect(Endpoint.Connect connect) {
    int peer = connect.peer();
    core.connect(
        peer,
        failure ->
            connect
                .replyTo()
                .tell(
                    failure == null
                        ? new Endpoint.Connected(peer)
                        : new Endpoint.NotConnected(peer, failure.error(), failure.getMessage())));
    return done();
  }

  private Behavior<Object> onFixPeers(Endpoint.FixPeers fix) {
    core.fixPeers(fix.why());
    fix.replyTo().tell(new Endpoint.PeersFixed());
    return done();
  }

  private Behavior<Object> onPeerGone(Endpoint.PeerGone gone) {
    core.peerGone(gone.peer(), gone.error(), gone.detail());
    return done();
  }

  private Behavior<Object> onGetFlows(Endpoint.GetFlows get) {
    List<Endpoint.FlowInfo> infos = new ArrayList<>();
    for (Flow flow : core.flows()) {
      infos.add(
          new Endpoint.FlowInfo(
              flow.peer(),
              flow.address(),
              flow.link().provider(),
              flow.state(),
              flow.counters().snapshot(),
              flow.link().channel().paths()));
    }
    get.replyTo().tell(new Endpoint.Flows(infos, core.strangers()));
    return this;
  }

  private Behavior<Object> onGetAddress(Endpoint.GetAddress get) {
    get.replyTo().tell(core.address());
    return this;
  }

  private Behavior<Object> onClose(Endpoint.Close close) {
    if (closed != null) {
      close.replyTo().tell(closed);
      return this;
    }
    closers.add(close.replyTo());
    if (!closeBegun) {
      beginClose(Timeouts.nanos(close.drainTimeout()));
    }
    return done();
  }

  private void beginClose(long drainNs) {
    closeBegun = true;
    closeDeadlineNs = loop.time().nanoTime() + drainNs;
    plan.closing();
    completions.beginClose();
    core.beginClose();
    closeMatcher();
  }

  private void closeMatcher() {
    if (matcherStopped) {
      self.tell(new TagMatcher.Closed(0));
    } else {
      matcher.tell(new TagMatcher.Close(self));
    }
  }

  /** Waits for accepted sends to leave, then for the goodbyes, each at most until its deadline. */
  private Behavior<Object> onCloseTick() {
    if (finished) {
      return this;
    }
    long nowNs = loop.time().nanoTime();
    boolean late = nowNs - closeDeadlineNs >= 0;
    if (!goodbyeSaid && (late || !core.hasUnfinishedSends())) {
      goodbyeSaid = true;
      core.sayGoodbye();
      closeDeadlineNs = late ? nowNs + GOODBYE_NS : Math.max(closeDeadlineNs, nowNs + GOODBYE_NS);
      late = false;
    }
    if (!goodbyeSaid || (core.hasPacketsOnTheWay() && !late)) {
      loop.timers().schedule(nowNs + CLOSE_TICK_NS, () -> self.tell(CloseTick.INSTANCE));
      return done();
    }
    finish();
    // Its answer comes after the ends of the transfers that have just been told to it.
    closeMatcher();
    return done();
  }

  private void finish() {
    finished = true;
    loop.removeFlush(flush);
    core.finishClose();
  }

  private Behavior<Object> onMatcherClosed(TagMatcher.Closed matcherClosed) {
    cancelledReceives += matcherClosed.cancelledReceives();
    if (!finished) {
      return onCloseTick();
    }
    tellClosed();
    return done();
  }

  private void tellClosed() {
    closed = new Endpoint.Closed(completions.failedByClose(), cancelledReceives);
    completions.flush();
    plan.ended(closed);
    closers.forEach(closer -> closer.tell(closed));
    closers.clear();
  }

  private Behavior<Object> onChannelClosed(ChannelClosed news) {
    news.flow().lose(news.flow().link().channel().closedWith(), news.detail());
    return done();
  }

  private Behavior<Object> onFailed(Failed news) {
    return failing || finished ? this : fail(news.failure());
  }

  private Behavior<Object> onMatcherStopped() {
    matcherStopped = true;
    if (finished) {
      if (closed == null) {
        tellClosed();
      }
      return this;
    }
    return fail(new IllegalStateException("the matcher of the endpoint has stopped"));
  }

  /** Closes because of a defect; a second one ends it without the order of a close. */
  private Behavior<Object> fail(RuntimeException failure) {
    LOG.error("endpoint [{}] has failed and closes", core.address(), failure);
    boolean again = failing;
    failing = true;
    try {
      if (finished) {
        return this;
      }
      String because = "the endpoint has failed: " + failure;
      core.closedBecause(because);
      receives.closedBecause(because);
      if (again) {
        abandon(failure);
      } else if (closeBegun) {
        closeDeadlineNs = loop.time().nanoTime();
        closeMatcher();
      } else {
        beginClose(0);
      }
    } catch (RuntimeException e) {
      LOG.error("endpoint [{}] cannot close in order", core.address(), e);
      abandon(failure);
    }
    return done();
  }

  private void abandon(RuntimeException failure) {
    plan.closing();
    completions.beginClose();
    receives.fail(failure, null);
    received.flush();
    endAtOnce();
    tellClosed();
  }

  private void endAtOnce() {
    core.beginClose();
    if (!goodbyeSaid) {
      goodbyeSaid = true;
      core.sayGoodbye();
    }
    finish();
  }

  /** Told to itself, so that a defect met beside this actor ends it as one in a message does. */
  private void tellFailure(RuntimeException failure) {
    if (!failureTold) {
      failureTold = true;
      self.tell(new Failed(failure));
    }
  }

  private void failSend(SendOperation send, RuntimeException failure) {
    completions.fail(send, FabricError.OTHER, "the endpoint has failed: " + failure);
  }

  /** Stopped from outside, or by an error of the JVM: what was accepted still ends. */
  private Behavior<Object> onPostStop() {
    stopped = true;
    plan.closing();
    if (!finished) {
      LOG.warn("endpoint [{}] was stopped before it was closed", core.address());
      completions.beginClose();
      endAtOnce();
      received.flush();
      tellClosed();
    }
    plan.stopped();
    return done();
  }

  private Behavior<Object> done() {
    completions.flush();
    return this;
  }

  /** What polls of the loop tell; they run beside this actor, never while it handles a message. */
  private final class Listener implements WireListener {
    @Override
    public void onPacket(FrameBatch packet) {
      polled = true;
      try {
        core.packet(packet);
      } catch (RuntimeException e) {
        tellFailure(e);
      } finally {
        polled = false;
      }
    }

    @Override
    public void onInjected(int flow, MessageView message) {
      try {
        core.injected(flow, message);
      } catch (RuntimeException e) {
        tellFailure(e);
      }
    }

    @Override
    public void onChannelClosed() {
      core.checkChannels();
    }
  }

  private final class Output implements EndpointOutput {
    @Override
    public void sent(SendOperation send) {
      completions.complete(send);
    }

    @Override
    public void sendFailed(SendOperation send, FabricError error, String detail) {
      completions.fail(send, error, detail);
    }

    @Override
    public void arrived(FrameBatch batch) {
      if (polled) {
        receives.arrived(batch);
      } else {
        batch.retain();
        matcher.tell(new TagMatcher.Arrived(batch));
      }
    }

    @Override
    public void arrived(FrameOrigin origin, MessageView message) {
      receives.arrived(origin, message);
    }

    @Override
    public void transferEnded(InboundTransfer transfer, FabricError error, String detail) {
      if (stopped || matcherStopped) {
        receives.ended(transfer, error, detail);
      } else {
        matcher.tell(new TagMatcher.TransferEnded(transfer, error, detail));
      }
    }

    @Override
    public void channelClosed(Flow flow, String detail) {
      self.tell(new ChannelClosed(flow, detail));
    }

    @Override
    public void peerLost(int peer, FabricError error, String detail) {
      matcher.tell(new TagMatcher.PeerLost(peer, error, detail));
    }

    @Override
    public void failed(RuntimeException failure) {
      tellFailure(failure);
    }

    @Override
    public void report(boolean warning, String text) {
      if (warning) {
        LOG.warn(text);
      } else {
        LOG.debug(text);
      }
    }
  }
}
