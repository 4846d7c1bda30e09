package io.tagfabric.trials.roll;

import akka.Done;
import akka.actor.Address;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.receptionist.Receptionist;
import akka.actor.typed.receptionist.ServiceKey;
import akka.cluster.ClusterEvent;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Subscribe;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The actor of a node that tells and asks those of all others, and notes in the {@link Book} what
 * it sends and gets. It finds them by the Receptionist. It goes on until it is stopped, and has
 * last words for each of the others then.
 */
final class Talker extends AbstractBehavior<Talker.Command> {
  static final ServiceKey<Command> KEY = ServiceKey.create(Command.class, "roll");

  private static final String PREFIX = "talker-";
  private static final Duration ANSWER = Duration.ofSeconds(20);

  private static final Set<MemberStatus> LIVES =
      Set.of(MemberStatus.joining(), MemberStatus.weaklyUp(), MemberStatus.up());

  /** One question comes for so many tells. */
  private static final int TELLS_OF_AN_ASK = 4;

  /** The tell of each other node that a {@link Defect} spoils, and one of so many questions. */
  private static final long SPOILT = 12;

  /** What it is told. */
  sealed interface Command {}

  /** What goes from node to node. */
  sealed interface Wire {}

  /** A message with a number. */
  record Tell(String from, long number) implements Command, Wire {}

  /** A question. */
  record Ask(long id, ActorRef<Answer> replyTo) implements Command, Wire {}

  /** The answer to a question. */
  record Answer(long id) implements Wire {}

  /** Time to send. */
  enum Tick implements Command {
    TICK
  }

  /** The Receptionist knows others. */
  record Listed(Receptionist.Listing listing) implements Command {}

  /** The cluster has changed. */
  record Changed(ClusterEvent.MemberEvent event) implements Command {}

  /** A question has an answer, or none. */
  record Answered(Peer peer, long sinceMs, Answer answer, Throwable failure) implements Command {}

  /** Nothing more is sent; the future completes when all questions have been answered. */
  record BecomeQuiet(CompletableFuture<Done> quiet) implements Command {}

  /** Tells the guardian to start the talker. */
  record Begin(Others others, CompletableFuture<ActorRef<Command>> talker) {}

  /** Hears which nodes the talker speaks to. */
  interface Others {
    /** Another node has come. */
    void onCome(String node);

    /** A node has begun to leave. */
    void onLeave(String node);

    /** A node has gone. */
    void onGone(String node);

    /** Time to send. */
    void onTick();

    /** The talker stops: all that has come must be noted now. */
    void onStop();
  }

  /** The talker of another node. */
  static final class Peer {
    private final String node;
    private final ActorRef<Command> ref;
    private boolean leaving;
    private int asks;

    Peer(String node, ActorRef<Command> ref, boolean leaving) {
      this.node = node;
      this.ref = ref;
      this.leaving = leaving;
    }
  }

  private final Book book;
  private final Others others;
  private final Optional<Defect> defect;
  private final Cluster cluster;
  private final Map<ActorRef<Command>, Peer> peers = new LinkedHashMap<>();
  private final Set<ActorRef<Command>> gone = new HashSet<>();
  private final Set<Address> leaving = new HashSet<>();
  private long ticks;
  private long asked;
  private long answered;
  private boolean selfLeaves;
  private Tell heldBack;
  private CompletableFuture<Done> quiet;

  private Talker(ActorContext<Command> context, NodeSpec spec, Book book, Others others) {
    super(context);
    this.book = book;
    this.others = others;
    defect = spec.defect();
    cluster = Cluster.get(context.getSystem());
  }

  /** The guardian of a node. The talker is its child: a guardian has no uid to be addressed by. */
  static Behavior<Begin> guardian(NodeSpec spec, Book book) {
    return Behaviors.receive(
        (context, begin) -> {
          begin
              .talker()
              .complete(context.spawn(create(spec, book, begin.others()), PREFIX + spec.name()));
          return Behaviors.same();
        });
  }

  private static Behavior<Command> create(NodeSpec spec, Book book, Others others) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  timers.startTimerAtFixedRate(
                      Tick.TICK, Duration.ofNanos(1_000_000_000L / spec.rate()));
                  Talker talker = new Talker(context, spec, book, others);
                  talker.subscribe();
                  return talker;
                }));
  }

  private void subscribe() {
    var receptionist = getContext().getSystem().receptionist();
    receptionist.tell(Receptionist.register(KEY, getContext().getSelf()));
    receptionist.tell(
        Receptionist.subscribe(
            KEY, getContext().messageAdapter(Receptionist.Listing.class, Listed::new)));
    cluster
        .subscriptions()
        .tell(
            Subscribe.create(
                getContext().messageAdapter(ClusterEvent.MemberEvent.class, Changed::new),
                ClusterEvent.MemberEvent.class));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Tell.class, this::onTell)
        .onMessage(Ask.class, this::onAsk)
        .onMessage(Tick.class, this::onTick)
        .onMessage(Listed.class, this::onListed)
        .onMessage(Changed.class, this::onChanged)
        .onMessage(Answered.class, this::onAnswered)
        .onMessage(BecomeQuiet.class, this::onBecomeQuiet)
        .onSignal(PostStop.class, stopped -> onPostStop())
        .build();
  }

  // ---- what comes ----

  private Behavior<Command> onTell(Tell tell) {
    if (is(Defect.LOST_TELL) && tell.number() == SPOILT) {
      return this;
    }
    if (is(Defect.SWAPPED_TELLS) && tell.number() == SPOILT && heldBack == null) {
      heldBack = tell;
      return this;
    }
    book.receive(Book.Kind.TELL, tell.from(), tell.number());
    if (heldBack != null && heldBack.from().equals(tell.from())) {
      book.receive(Book.Kind.TELL, heldBack.from(), heldBack.number());
      heldBack = null;
    }
    return this;
  }

  private Behavior<Command> onAsk(Ask ask) {
    answered++;
    if (!is(Defect.SWALLOWED_ASK) || answered % SPOILT != 0) {
      ask.replyTo().tell(new Answer(ask.id()));
    }
    return this;
  }

  private boolean is(Defect one) {
    return defect.filter(one::equals).isPresent();
  }

  // ---- what is sent ----

  private Behavior<Command> onTick(Tick tick) {
    if (quiet == null) {
      boolean asks = ticks++ % TELLS_OF_AN_ASK == 0;
      for (Peer peer : List.copyOf(peers.values())) {
        tell(peer);
        if (asks) {
          ask(peer);
        }
      }
      others.onTick();
    }
    return this;
  }

  private void tell(Peer peer) {
    long number =
        peer.leaving
            ? book.tellLeaving(peer.node, System.currentTimeMillis())
            : book.send(Book.Kind.TELL, peer.node);
    peer.ref.tell(new Tell(book.node(), number));
  }

  private void ask(Peer peer) {
    long id = asked++;
    long sinceMs = System.currentTimeMillis();
    peer.asks++;
    book.ask(peer.node);
    getContext()
        .pipeToSelf(
            AskPattern.<Command, Answer>ask(
                peer.ref,
                replyTo -> new Ask(id, replyTo),
                ANSWER,
                getContext().getSystem().scheduler()),
            (answer, failure) -> new Answered(peer, sinceMs, answer, failure));
  }

  private Behavior<Command> onAnswered(Answered answered) {
    Peer peer = answered.peer();
    boolean stays = !peer.leaving && peers.containsKey(peer.ref);
    peer.asks--;
    if (answered.failure() == null) {
      book.answer(peer.node, System.currentTimeMillis() - answered.sinceMs(), stays);
    } else if (stays) {
      book.lose(peer.node);
    }
    endIfQuiet();
    return this;
  }

  /** The last question to each node comes behind all tells to it. */
  private Behavior<Command> onBecomeQuiet(BecomeQuiet command) {
    quiet = command.quiet();
    peers.values().forEach(this::ask);
    endIfQuiet();
    return this;
  }

  private void endIfQuiet() {
    if (quiet != null && peers.values().stream().allMatch(peer -> peer.asks == 0)) {
      quiet.complete(Done.getInstance());
    }
  }

  private Behavior<Command> onPostStop() {
    if (quiet == null) {
      peers.values().forEach(this::tell);
    }
    others.onStop();
    book.stop(System.currentTimeMillis());
    return this;
  }

  // ---- who is there ----

  private Behavior<Command> onListed(Listed listed) {
    if (selfLeaves) {
      return this;
    }
    var found = listed.listing().getAllServiceInstances(KEY);
    for (Peer peer : List.copyOf(peers.values())) {
      if (!found.contains(peer.ref)) {
        remove(peer);
      }
    }
    for (ActorRef<Command> ref : found) {
      if (!ref.equals(getContext().getSelf()) && !peers.containsKey(ref) && !gone.contains(ref)) {
        String node = ref.path().name().substring(PREFIX.length());
        peers.put(ref, new Peer(node, ref, leaving.contains(ref.path().address())));
        others.onCome(node);
      }
    }
    return this;
  }

  /** A node that leaves hears that all others are removed, which is not so. */
  private Behavior<Command> onChanged(Changed changed) {
    Member member = changed.event().member();
    Address address = member.address();
    if (selfLeaves) {
      return this;
    }
    if (changed.event() instanceof ClusterEvent.MemberRemoved) {
      leaving.remove(address);
      at(address).forEach(this::remove);
    } else if (!LIVES.contains(member.status())) {
      selfLeaves = member.uniqueAddress().equals(cluster.selfMember().uniqueAddress());
      leaving.add(address);
      at(address).forEach(this::leaves);
    }
    return this;
  }

  private List<Peer> at(Address address) {
    return peers.values().stream()
        .filter(peer -> peer.ref.path().address().equals(address))
        .toList();
  }

  private void leaves(Peer peer) {
    peer.leaving = true;
    others.onLeave(peer.node);
  }

  private void remove(Peer peer) {
    peers.remove(peer.ref);
    gone.add(peer.ref);
    others.onGone(peer.node);
    endIfQuiet();
  }
}
