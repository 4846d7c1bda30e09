package io.tagfabric.name;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.Protocols;
import io.tagfabric.name.NameTable.Holding;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.Mail;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import io.tagfabric.runtime.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Puts claims to the vote of the cluster's members, and asks them for names. Nothing is copied
 * between nodes, so nothing can be stale; a node that searches asks again until it has found the
 * name.
 */
final class NameServiceActor extends AbstractBehavior<NameService.Command> {
  /** In one message, which remoting must have room for. */
  private static final int MAX_HOLDINGS = 100;

  private final TimerScheduler<NameService.Command> timers;
  private final Node self;
  private final NameSettings settings;
  private final Mail mail;
  private final NameTable table;

  private final Protocols protocols;

  /** The service of each is looked for where all of ours are. */
  private final Peers peers;

  /** Members that did not vote in time: without such a service, or out of reach. */
  private final Set<Node> silent = new LinkedHashSet<>();

  private final Map<String, List<ActorRef<NameService.RegisterOutcome>>> claimants =
      new HashMap<>();

  /** For each name held, how its holder hears that it has lost it. */
  private final Map<String, CompletableFuture<EndpointAddress>> losses = new HashMap<>();

  private final JoinDesk joining;
  private final SearchDesk searches;
  private final AnswerDesk answers;

  private NameServiceActor(
      ActorContext<NameService.Command> context,
      TimerScheduler<NameService.Command> timers,
      Membership membership,
      Mail mail,
      NameSettings settings,
      Predicate<String> hasNoFabric) {
    super(context);
    this.timers = timers;
    this.mail = mail;
    this.settings = settings;
    protocols = Environment.of(context.getSystem()).protocols();
    peers = new Peers(protocols, hasNoFabric);
    self = node(membership.self());
    table = new NameTable(self);
    joining = new JoinDesk(timers, membership, settings);
    searches =
        new SearchDesk(context.getSelf(), timers, mail, self, settings, table, peers, joining);
    answers = new AnswerDesk(timers, self, settings.partitionKey(), table);
    membership.subscribe(
        context.messageAdapter(MembershipNotice.class, NameService.NodeNoticed::new));
  }

  static Behavior<NameService.Command> create(
      Membership membership, Mail mail, NameSettings settings, Predicate<String> hasNoFabric) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new NameServiceActor(
                        context, timers, membership, mail, settings, hasNoFabric)));
  }

  @Override
  public Receive<NameService.Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(NameService.Register.class, this::onRegister)
        .onMessage(NameService.RegisterHere.class, this::onRegisterHere)
        .onMessage(NameService.Resolve.class, this::onResolve)
        .onMessage(NameService.Unregister.class, this::onUnregister)
        .onMessage(NameService.UnregisterAll.class, this::onUnregisterAll)
        .onMessage(NameService.Claim.class, this::onClaim)
        .onMessage(NameService.Vote.class, this::onVote)
        .onMessage(NameService.Ask.class, this::onAsk)
        .onMessage(NameService.Answer.class, this::onAnswer)
        .onMessage(NameService.Enquiry.class, this::onEnquiry)
        .onMessage(NameService.Finding.class, this::onFinding)
        .onMessage(NameService.Holdings.class, this::onHoldings)
        .onMessage(NameService.Unreadable.class, this::onUnreadable)
        .onMessage(NameService.Refusal.class, this::onRefusal)
        .onMessage(NameService.NodeNoticed.class, this::onNodeNoticed)
        .onMessage(NameService.JoinTick.class, this::onJoinTick)
        .onMessage(NameService.ClaimTick.class, this::onClaimTick)
        .onMessage(NameService.ResolveTick.class, this::onResolveTick)
        .onMessage(NameService.AskTick.class, notUsed -> onAskTick())
        .onMessage(NameService.ForgetTick.class, notUsed -> onForgetTick())
        .build();
  }

  private Behavior<NameService.Command> onRegister(NameService.Register register) {
    String name = register.name();
    EndpointAddress occupant = table.occupant(name);
    if (occupant == null && !joining.mayClaim()) {
      joining.keep(register);
    } else if (occupant == null) {
      claim(register);
    } else if (!occupant.isSameEndpoint(register.address())) {
      register.replyTo().tell(new NameService.Taken(name, occupant));
    } else if (table.lookup(name) != null) {
      register.replyTo().tell(registered(name, occupant));
    } else {
      claimants.get(name).add(register.replyTo());
    }
    return this;
  }

  private Behavior<NameService.Command> onJoinTick(NameService.JoinTick tick) {
    joining.tick(tick);
    return this;
  }

  private Behavior<NameService.Command> onRegisterHere(NameService.RegisterHere register) {
    String name = register.name();
    EndpointAddress occupant = table.occupant(name);
    if (occupant == null) {
      occupant = table.holdHere(name, register.address()).address();
      held(name);
    }
    boolean isOwn = occupant.isSameEndpoint(register.address());
    register
        .replyTo()
        .tell(isOwn ? registered(name, occupant) : new NameService.Taken(name, occupant));
    return this;
  }

  private void claim(NameService.Register register) {
    String name = register.name();
    Set<Node> voters = new LinkedHashSet<>(peers.asked());
    voters.removeAll(silent);
    Holding claim = table.claim(name, register.address(), voters);
    claimants.computeIfAbsent(name, key -> new ArrayList<>()).add(register.replyTo());
    NameService.Claim message =
        new NameService.Claim(name, claim.stamp(), claim.address(), getContext().getSelf());
    peers.asked().forEach(peer -> tell(peer, message));
    if (voters.isEmpty()) {
      held(name);
    } else {
      timers.startSingleTimer(
          claim.stamp(), new NameService.ClaimTick(name, claim.stamp()), settings.claimTimeout());
    }
  }

  private Behavior<NameService.Command> onResolve(NameService.Resolve resolve) {
    searches.resolve(resolve);
    return this;
  }

  private Behavior<NameService.Command> onUnregister(NameService.Unregister unregister) {
    boolean wasKept = joining.withdraw(kept -> kept.name().equals(unregister.name()));
    boolean wasHeld = release(unregister.name()) || wasKept;
    unregister.replyTo().tell(new NameService.Unregistered(unregister.name(), wasHeld));
    return this;
  }

  private Behavior<NameService.Command> onUnregisterAll(NameService.UnregisterAll closing) {
    joining.withdraw(kept -> kept.address().isSameEndpoint(closing.address()));
    for (Holding holding : table.all()) {
      if (holding.address().isSameEndpoint(closing.address())) {
        release(holding.name());
      }
    }
    return this;
  }

  private Behavior<NameService.Command> onClaim(NameService.Claim claim) {
    silent.remove(claim.stamp().node());
    EndpointAddress holder = table.vote(claim.name(), claim.stamp());
    if (holder == null && table.concede(claim.name(), claim.stamp())) {
      answer(claim.name(), new NameService.Taken(claim.name(), claim.address()));
    }
    claim.replyTo().tell(new NameService.Vote(claim.name(), claim.stamp(), self, holder));
    return this;
  }

  private Behavior<NameService.Command> onVote(NameService.Vote vote) {
    silent.remove(vote.voter());
    if (vote.holder() == null) {
      if (table.granted(vote.name(), vote.stamp(), vote.voter()) == NameTable.State.HELD) {
        held(vote.name());
      }
    } else if (table.denied(vote.name(), vote.stamp()) == NameTable.State.REFUSED) {
      timers.cancel(vote.stamp());
      answer(vote.name(), new NameService.Taken(vote.name(), vote.holder()));
    } else if (peers.asked().contains(vote.voter()) && table.lookup(vote.name()) != null) {
      // the vote came too late to count, so both hold the name
      tellHoldings(vote.voter());
    }
    return this;
  }

  private Behavior<NameService.Command> onClaimTick(NameService.ClaimTick tick) {
    silent.addAll(table.close(tick.name(), tick.stamp()));
    if (table.lookup(tick.name()) != null) {
      held(tick.name());
    }
    return this;
  }

  private Behavior<NameService.Command> onAsk(NameService.Ask ask) {
    answers.ask(ask);
    return this;
  }

  private Behavior<NameService.Command> onEnquiry(NameService.Enquiry enquiry) {
    answers.enquiry(enquiry);
    return this;
  }

  private Behavior<NameService.Command> onAnswer(NameService.Answer answer) {
    searches.answer(answer);
    return this;
  }

  private Behavior<NameService.Command> onFinding(NameService.Finding finding) {
    searches.finding(finding);
    return this;
  }

  private Behavior<NameService.Command> onHoldings(NameService.Holdings theirs) {
    for (Holding winner : table.giveWay(theirs.holdings())) {
      lost(winner);
    }
    List<Holding> earlier = table.claimedBefore(theirs.holdings());
    if (!earlier.isEmpty()) {
      theirs.replyTo().tell(new NameService.Holdings(earlier, getContext().getSelf()));
    }
    return this;
  }

  private Behavior<NameService.Command> onUnreadable(NameService.Unreadable question) {
    String why =
        "node ["
            + self.address()
            + "] speaks protocol="
            + protocols
            + ", the node that asks it speaks protocol="
            + question.protocols()
            + ", they have none in common: run builds of Tagfabric on both that do";
    question.replyTo().tell(new NameService.Refusal(protocols, question.number(), self, why));
    return this;
  }

  private Behavior<NameService.Command> onRefusal(NameService.Refusal refusal) {
    searches.refusal(refusal);
    if (peers.refused(refusal.node(), refusal.protocols())) {
      getContext().getLog().warn("names are not shared with a member: {}", refusal.why());
      silent.remove(refusal.node());
      table.forget(refusal.node()).forEach(this::held);
    }
    return this;
  }

  private void lost(Holding winner) {
    getContext()
        .getLog()
        .warn(
            "name [{}] is now that of [{}], which claimed it before this node did, while the two"
                + " nodes could not hear each other",
            winner.name(),
            winner.address());
    CompletableFuture<EndpointAddress> loss = losses.remove(winner.name());
    if (loss != null) {
      // not on this thread, which is not for code of the program
      getContext().getExecutionContext().execute(() -> loss.complete(winner.address()));
    }
  }

  private Behavior<NameService.Command> onNodeNoticed(NameService.NodeNoticed noticed) {
    Node node = node(noticed.notice().node());
    if (node.equals(self)) {
      onSelfNoticed(noticed.notice().news());
      return this;
    }
    switch (noticed.notice().news()) {
      case SEEN, UP -> {
        if (peers.add(node)) {
          tellHoldings(node);
          searches.came(node);
        }
      }
      case REACHABLE -> {
        if (peers.asked().contains(node)) {
          silent.remove(node);
          tellHoldings(node);
        }
      }
      case DOWNED, LEFT, REMOVED -> {
        peers.remove(node);
        silent.remove(node);
        searches.went(node);
        if (joining.hasGone()) {
          abandon(); // this node has gone, and takes all others for gone
        } else {
          table.forget(node).forEach(this::held);
        }
      }
      case UNREACHABLE -> {
        // It may be heard again, and until then it does not vote in time.
      }
    }
    return this;
  }

  private void onSelfNoticed(MembershipNotice.News news) {
    switch (news) {
      case UP -> joining.up().forEach(this::onRegister);
      case DOWNED, LEFT, REMOVED -> abandon();
      case SEEN, REACHABLE, UNREACHABLE -> {
        // It is on its way in or out.
      }
    }
  }

  /** This node is a member no longer, so nobody votes on what it claims. */
  private void abandon() {
    joining.gone();
    for (Holding open : table.open()) {
      table.release(open.name());
      timers.cancel(open.stamp());
      answer(open.name(), joining.refusal(open.name()));
    }
  }

  private Behavior<NameService.Command> onResolveTick(NameService.ResolveTick tick) {
    searches.tick(tick);
    return this;
  }

  private Behavior<NameService.Command> onAskTick() {
    searches.askAgain();
    return this;
  }

  private Behavior<NameService.Command> onForgetTick() {
    answers.forget();
    return this;
  }

  private void held(String name) {
    Holding holding = table.holding(name);
    timers.cancel(holding.stamp());
    answer(name, registered(name, holding.address()));
    answers.held(holding);
    searches.found(name, holding.address());
  }

  private NameService.Registered registered(String name, EndpointAddress address) {
    CompletionStage<EndpointAddress> lost =
        losses.computeIfAbsent(name, key -> new CompletableFuture<>()).minimalCompletionStage();
    return new NameService.Registered(name, address, lost);
  }

  private boolean release(String name) {
    losses.remove(name);
    answer(name, new NameService.Withdrawn(name));
    return table.release(name);
  }

  /** Tells those who wait for a claim how it has ended. */
  private void answer(String name, NameService.RegisterOutcome outcome) {
    List<ActorRef<NameService.RegisterOutcome>> waiting = claimants.remove(name);
    if (waiting != null) {
      waiting.forEach(claimant -> claimant.tell(outcome));
    }
  }

  private void tellHoldings(Node peer) {
    List<Holding> held = table.heldAlone();
    for (int from = 0; from < held.size(); from += MAX_HOLDINGS) {
      List<Holding> some = held.subList(from, Math.min(from + MAX_HOLDINGS, held.size()));
      tell(peer, new NameService.Holdings(some, getContext().getSelf()));
    }
  }

  private void tell(Node peer, NameService.Command message) {
    mail.tell(peer.address(), NameService.ACTOR, message);
  }

  private static Node node(NodeId id) {
    return new Node(id.address(), id.incarnation());
  }
}
