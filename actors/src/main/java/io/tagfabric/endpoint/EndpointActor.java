package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.Flow;
import io.tagfabric.link.EndpointCore;
import io.tagfabric.link.EndpointLife;
import io.tagfabric.link.send.SendOperation;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.GuardedMailbox;
import io.tagfabric.progress.Timeouts;

/**
 * The actor of an endpoint: the shell that feeds its mailbox to the plain parts it wraps, {@link
 * EndpointCore} for sends and peers, {@link EndpointLife} for the end.
 *
 * <p>The ownership of the domain's loop guards these parts, not this mailbox, which is one way in:
 * what actors tell comes by it. The loop's own call is the other: by it comes what arrives, and
 * what threads and listeners post, unless {@code progress.hand-over} is {@code mailbox}.
 *
 * <p>It does not die of a defect: the endpoint closes, and this actor stays to refuse what comes
 * later.
 */
final class EndpointActor extends AbstractBehavior<Endpoint.Command> {
  private final EndpointAssembly parts;
  private final EndpointCore core;
  private final EndpointLife life;

  private EndpointActor(ActorContext<Endpoint.Command> context, EndpointAssembly parts) {
    super(context);
    this.parts = parts;
    core = parts.core();
    life = parts.life();
    parts.started(context.getSelf(), spawnMatcher(context, parts.matcher()));
  }

  private static ActorRef<TagMatcher.Command> spawnMatcher(
      ActorContext<Endpoint.Command> context, Behavior<TagMatcher.Command> behavior) {
    if (behavior == null) {
      return null;
    }
    ActorRef<TagMatcher.Command> matcher =
        context.spawn(behavior, "matcher", GuardedMailbox.propsOfMatcher());
    context.watch(matcher);
    return matcher;
  }

  static Behavior<Endpoint.Command> create(EndpointAssembly parts) {
    return Behaviors.setup(context -> new EndpointActor(context, parts));
  }

  @Override
  public Receive<Endpoint.Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Endpoint.SendTagged.class, this::onSendTagged)
        .onMessage(Endpoint.AccessMemory.class, this::onAccessMemory)
        .onMessage(Endpoint.CancelSend.class, this::onCancelSend)
        .onMessage(Endpoint.Connect.class, this::onConnect)
        .onMessage(Endpoint.FixPeers.class, this::onFixPeers)
        .onMessage(Endpoint.PeerGone.class, this::onPeerGone)
        .onMessage(Endpoint.GetFlows.class, this::onGetFlows)
        .onMessage(Endpoint.GetAddress.class, this::onGetAddress)
        .onMessage(Endpoint.Drain.class, this::onDrain)
        .onMessage(Endpoint.Close.class, this::onClose)
        .onMessage(Endpoint.PacketArrived.class, this::onPacketArrived)
        .onMessage(Endpoint.MessageArrived.class, this::onMessageArrived)
        .onMessage(Endpoint.FramesArrived.class, this::onFramesArrived)
        .onMessage(Endpoint.ChannelClosed.class, notUsed -> onChannelClosed())
        .onSignal(Terminated.class, notUsed -> onMatcherStopped())
        .onSignal(PostStop.class, notUsed -> onPostStop())
        .build();
  }

  private Behavior<Endpoint.Command> onSendTagged(Endpoint.SendTagged send) {
    begin(send.operation());
    return done();
  }

  private void begin(SendOperation send) {
    if (send.begin()) {
      String refusal = parts.settings().refusalToSend(send.length());
      if (refusal == null) {
        parts.direct().begin(send);
      } else {
        parts.sent().fail(send, FabricError.MESSAGE_SIZE, refusal);
      }
    }
  }

  private Behavior<Endpoint.Command> onAccessMemory(Endpoint.AccessMemory access) {
    parts.accesses().told(access.operation());
    return done();
  }

  private Behavior<Endpoint.Command> onCancelSend(Endpoint.CancelSend cancel) {
    guarded(() -> cancel.replyTo().tell(core.cancelSend(cancel.context())));
    return done();
  }

  private Behavior<Endpoint.Command> onConnect(Endpoint.Connect connect) {
    int peer = connect.peer();
    guarded(
        () ->
            core.connect(
                peer,
                failure ->
                    connect
                        .replyTo()
                        .tell(
                            failure == null
                                ? new Endpoint.Connected(peer)
                                : new Endpoint.NotConnected(
                                    peer, failure.error(), failure.getMessage()))));
    return done();
  }

  private Behavior<Endpoint.Command> onFixPeers(Endpoint.FixPeers fix) {
    core.fixPeers(fix.why());
    fix.replyTo().tell(new Endpoint.PeersFixed());
    return this;
  }

  private Behavior<Endpoint.Command> onPeerGone(Endpoint.PeerGone gone) {
    guarded(() -> core.peerGone(gone.peer(), gone.error(), gone.detail()));
    return done();
  }

  private Behavior<Endpoint.Command> onGetFlows(Endpoint.GetFlows get) {
    get.replyTo()
        .tell(
            new Endpoint.Flows(
                core.flows().stream().map(EndpointActor::infoOf).toList(), core.strangers()));
    return this;
  }

  private static Endpoint.FlowInfo infoOf(Flow flow) {
    return new Endpoint.FlowInfo(
        flow.peer(),
        flow.address(),
        flow.link().provider(),
        flow.link().because(),
        flow.state(),
        flow.counters().snapshot(),
        flow.hasUnfinishedSends() || flow.hasPacketsOnTheWay(),
        flow.link().channel().paths());
  }

  private Behavior<Endpoint.Command> onGetAddress(Endpoint.GetAddress get) {
    get.replyTo().tell(core.address());
    return this;
  }

  private Behavior<Endpoint.Command> onDrain(Endpoint.Drain drain) {
    guarded(() -> life.drain(Timeouts.nanos(drain.timeout()), drain.replyTo()::tell));
    return done();
  }

  private Behavior<Endpoint.Command> onClose(Endpoint.Close close) {
    guarded(
        () ->
            life.close(
                Timeouts.nanos(close.drainTimeout()),
                (undelivered, cancelled) ->
                    close.replyTo().tell(new Endpoint.Closed(undelivered, cancelled))));
    return done();
  }

  private Behavior<Endpoint.Command> onPacketArrived(Endpoint.PacketArrived arrived) {
    parts.desk().onPacket(arrived.packet());
    return done();
  }

  private Behavior<Endpoint.Command> onMessageArrived(Endpoint.MessageArrived arrived) {
    parts.desk().onInjected(arrived.flow(), arrived.message());
    return done();
  }

  private Behavior<Endpoint.Command> onFramesArrived(Endpoint.FramesArrived arrived) {
    parts.desk().onFrames(arrived.flow(), arrived.frames());
    return done();
  }

  private Behavior<Endpoint.Command> onChannelClosed() {
    parts.desk().onChannelClosed();
    return done();
  }

  private Behavior<Endpoint.Command> onMatcherStopped() {
    parts.matcherStopped();
    return done();
  }

  private Behavior<Endpoint.Command> onPostStop() {
    parts.stopped();
    return this;
  }

  /** A defect that a command meets ends the endpoint in order; this actor goes on. */
  private void guarded(Runnable handler) {
    try {
      handler.run();
    } catch (RuntimeException e) {
      life.defect(e);
    }
  }

  private Behavior<Endpoint.Command> done() {
    parts.sent().flush();
    return this;
  }
}
