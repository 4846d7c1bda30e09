package io.tagfabric.link;

import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.OneLine;
import io.tagfabric.address.Protocols;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.KeyProof;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowState;
import io.tagfabric.flow.window.FlowContext;
import io.tagfabric.runtime.NodeStatus;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.Greeting.Hello;
import io.tagfabric.wire.Greeting.Limits;
import io.tagfabric.wire.Greeting.Nonce;
import io.tagfabric.wire.Greeting.Question;
import io.tagfabric.wire.Greeting.Refusal;
import io.tagfabric.wire.Greeting.Welcome;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.SetUpFrames;
import io.tagfabric.wire.sbe.GoodbyeDecoder;
import io.tagfabric.wire.sbe.HelloDecoder;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import io.tagfabric.wire.sbe.RefuseDecoder;
import io.tagfabric.wire.sbe.WelcomeDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Sets flows up. A flow is set up when the first send to a peer needs it, or when a peer asks. The
 * asker repeats its Hello until it hears Welcome or Refuse; both sides may ask at once. A Hello
 * carries the whole address of the asker, so the answerer can reach it and gives it an index.
 *
 * <p>Each of these frames proves that its writer has the job's key. One that does not is counted,
 * and nothing follows: nobody is answered, no address is looked at, nothing is opened. Nonces tie
 * an answer to its question; a Hello that was used before is refused.
 *
 * <p>A Hello is proved by the first of this side's keys; an answer by the key that proved the
 * Hello, since the asker is known to have it. From then on packets of the flow carry the isolation
 * of a key that the peer has proved, so nodes with other first keys speak as long as each has the
 * other's.
 *
 * <p>The outer form of these frames is frozen, so a peer that speaks other protocols is refused,
 * and told which are spoken here, like any other.
 */
@InternalApi
public final class Handshake {
  /** What a Hello has beside its address, and a few words of its registrations. */
  private static final int HELLO_FIELDS_BYTES = 160;

  /** So many askers are remembered beside those with a flow. */
  static final int ASKERS_KEPT = 1024;

  /** Whose Hello it was. */
  private record Asker(long incarnation, int endpoint) {}

  /**
   * The newest Hello of an asker.
   *
   * @param answered whether it has brought a flow about
   */
  private record LastHello(int flow, Nonce nonce, boolean answered) {}

  private final EndpointIdentity identity;
  private final AddressTable addresses;
  private final WireTable wires;
  private final Function<EndpointAddress, NodeStatus> nodes;
  private final FlowTable flows;
  private final FlowContext context;
  private final ConnectPolicy onConnect;
  private final long connectTimeoutNs;
  private final long firstRetryNs;
  private final long maxRetryNs;
  private final EndpointTimers timers;
  private final EndpointLog log;
  private final RandomSource random;
  private final FlowWaiters waiters;
  private final WarningLimit warnings;
  private final SetUpFrames frames;
  private final GoodbyeDecoder goodbye = new GoodbyeDecoder();
  private final Map<Asker, LastHello> askers = new LinkedHashMap<>();
  private final WaitingGreetings waiting;
  private boolean closed;
  private String lastRefusal;

  Handshake(EndpointContext endpoint, FlowTable flows, FlowContext context, FlowWaiters waiters) {
    this.identity = endpoint.identity();
    this.addresses = endpoint.addresses();
    this.wires = endpoint.wires();
    this.nodes = endpoint.nodes();
    this.connectTimeoutNs = endpoint.settings().connectTimeoutNs();
    this.firstRetryNs = endpoint.settings().pace().connectRetryMinNs();
    this.maxRetryNs = endpoint.settings().pace().connectRetryMaxNs();
    this.timers = endpoint.timers();
    this.log = endpoint.log();
    this.random = endpoint.random();
    this.flows = flows;
    this.context = context;
    onConnect = endpoint.onConnect();
    this.waiters = waiters;
    this.warnings = new WarningLimit(context.time(), log);
    this.waiting = new WaitingGreetings(timers, context.time());
    requireRoom(identity.address(), context.pool().largeCapacity());
    this.frames = new SetUpFrames(EndpointIdentity.setUpProofs(identity.jobKeys()));
  }

  /** Refuses an address for which a Hello has no room. */
  public static void requireRoom(EndpointAddress ours, int packetBytes) {
    int address = ours.encode().getBytes(StandardCharsets.UTF_8).length;
    int room = packetBytes - Packet.HEADER_LENGTH - HELLO_FIELDS_BYTES;
    if (address > room) {
      throw new FabricException(
          FabricError.INVALID,
          "the endpoint's address has bytes="
              + address
              + " > "
              + room
              + " that fit into a packet, raise tagfabric.endpoint.packet-size or use fewer"
              + " providers, paths and contexts");
    }
  }

  /** Refuses every asker from now on. */
  void close() {
    closed = true;
  }

  // ---- telling who comes too late ----

  /**
   * A packet has come for a flow that has ended here, and its sender has not heard of that.
   *
   * @param asks whether the sender waits for an answer to this very packet
   */
  void onLate(Flow flow, boolean asks) {
    if (asks || flow.remoteId() != PacketLayout.NO_FLOW) {
      sayEnded(flow);
    }
  }

  private void sayEnded(Flow flow) {
    sayEnded(flow, closed ? FabricError.SHUTDOWN : FabricError.CONNECTION_RESET);
  }

  /**
   * Says Goodbye, again and again while the channel has no room: the peer may never ask again. A
   * peer whose number of the flow is not known, since its Welcome was lost, is asked for it; what
   * it answers has the Goodbye for an answer.
   */
  void sayEnded(Flow flow, FabricError error) {
    if (!offerEnd(flow, error) && !flow.setUp().endWaits()) {
      flow.setUp().endWaits(true);
      waiting.add(
          () -> {
            // When this endpoint closes, the channel tells.
            boolean over = closed || flow.link().channel().closedBecause() != null;
            boolean said = over || offerEnd(flow, error);
            flow.setUp().endWaits(!said);
            return said;
          });
    }
  }

  private boolean offerEnd(Flow flow, FabricError error) {
    if (flow.remoteId() != PacketLayout.NO_FLOW) {
      return flow.end().repeatGoodbye(error);
    }
    Packet hello = hello(flow);
    boolean offered = flow.setUp().offer(hello);
    hello.release();
    return offered;
  }

  // ---- asking ----

  /**
   * Opens a flow and asks its peer.
   *
   * @throws FabricException if the peer is unknown, cannot be reached, or speaks other protocols
   */
  Flow connect(int peer) {
    EndpointAddress address = addresses.snapshot().lookup(peer);
    if (address == null) {
      throw new FabricException(
          FabricError.ADDRESS_NOT_AVAILABLE,
          "peer=" + peer + " is not in the address vector, insert its address first");
    }
    FabricException stranger = noCommonProtocol(address, address.protocols());
    if (stranger != null) {
      throw stranger;
    }
    Flow flow = flows.open(peer, address);
    flow.setUp().asks(hello(flow));
    askInTime(flow, connectTimeoutNs, firstRetryNs);
    return flow;
  }

  /** Why there is no flow with a peer that speaks these protocols; null if there is one. */
  private FabricException noCommonProtocol(EndpointAddress peer, Protocols theirs) {
    return theirs.common(spoken()).isPresent()
        ? null
        : new FabricException(
            FabricError.INVALID,
            "protocols="
                + theirs
                + " of ["
                + peer
                + "] and protocols="
                + spoken()
                + " here have no number in common, run versions of Tagfabric that are at most one"
                + " release apart");
  }

  private Protocols spoken() {
    return identity.address().protocols();
  }

  /**
   * Asks the peer until it answers, once the channel has room for the Hello.
   *
   * @param leftNs how long the peer may take still; what passes while the Hello cannot leave, or
   *     this side does not run, does not count
   */
  private void askInTime(Flow flow, long leftNs, long retryNs) {
    if (!ask(flow, leftNs, retryNs)) {
      waiting.add(() -> ask(flow, leftNs, retryNs));
    }
  }

  /**
   * Offers the Hello as it is. While the channel has not sent the last one, another leaves at the
   * longest distance only.
   *
   * @return false if the channel has no room
   */
  private boolean ask(Flow flow, long leftNs, long retryNs) {
    if (flow.state() != FlowState.CONNECTING) {
      flow.setUp().asksNoMore();
      return true;
    }
    Packet hello = flow.setUp().hello();
    // A transport may drop a packet without a word, and then nobody ever lets it go.
    boolean patient = retryNs < maxRetryNs;
    boolean held = hello.holders() > 1 && patient;
    if (!held && !flow.setUp().offer(hello)) {
      return false;
    }
    long waitNs = Math.min(retryNs, leftNs);
    timers.schedule(
        context.time().nanoTime() + waitNs,
        () -> askAgain(flow, leftNs - waitNs, Math.min(2 * retryNs, maxRetryNs)));
    return true;
  }

  /**
   * The channel of a flow has closed. If it was never open, nothing has left that counts: the flow
   * goes by the next provider, and asks there at once.
   *
   * @return false if the flow has ended with its channel
   */
  boolean goesAnotherWay(Flow flow) {
    if (flow.state() != FlowState.CONNECTING || flow.link().channel().isOpen() || closed) {
      return false;
    }
    try {
      flows.goAnotherWay(flow);
    } catch (FabricException none) {
      return false;
    }
    Packet hello = flow.setUp().hello();
    if (hello != null) {
      flow.setUp().offer(hello); // one that finds no room is offered again
    }
    return true;
  }

  private void askAgain(Flow flow, long leftNs, long retryNs) {
    // The time of a node that is not heard of begins when it is heard of again.
    boolean isAway = nodes.apply(flow.address()) == NodeStatus.UNREACHABLE;
    long patienceNs = isAway ? connectTimeoutNs : leftNs;
    if (patienceNs > 0 || flow.state() != FlowState.CONNECTING) {
      askInTime(flow, patienceNs, retryNs);
      return;
    }
    flow.setUp().asksNoMore();
    String silence =
        "no answer within flow.connect-timeout="
            + connectTimeoutNs / 1_000_000
            + " ms over "
            + flow.link().provider()
            + "; a peer with another tagfabric.job.key does not answer";
    flow.end().giveUp(FabricError.TIMED_OUT, silence);
  }

  /** A sealed Hello. */
  private Packet hello(Flow flow) {
    Hello told =
        new Hello(
            new Question(
                spoken(),
                flow.id(),
                flow.address().endpoint(),
                nonceOf(flow),
                flow.address().incarnation(),
                identity.encodedAddress()),
            flow.limits(),
            identity.partitionKey(),
            identity.objectFingerprint(),
            identity.objects());
    Packet hello = packetOf(SetUpFrames.helloLength(told));
    frames.hello(hello, identity.address().incarnation(), told);
    flow.setUp().seal(hello);
    return hello;
  }

  private Nonce nonceOf(Flow flow) {
    Nonce nonce = flow.setUp().nonce();
    if (nonce == null) {
      nonce = new Nonce(random.nextLong(), random.nextLong());
      flow.setUp().nonce(nonce);
    }
    return nonce;
  }

  private Packet packetOf(int frameBytes) {
    int most = context.pool().largeCapacity() - Packet.HEADER_LENGTH;
    return context.pool().single(Math.min(PacketLayout.aligned(frameBytes), most));
  }

  // ---- hearing ----

  /**
   * Takes the set-up frame of a packet that is not counted.
   *
   * @param kind of the frame that the cursor stands on
   * @return packets that were not for this endpoint
   */
  int onUncounted(int kind, FrameCursor cursor, long incarnation) {
    int id = cursor.packet().flow();
    return switch (kind) {
      case HelloDecoder.TEMPLATE_ID -> onHello(cursor);
      case WelcomeDecoder.TEMPLATE_ID -> onWelcome(cursor, incarnation);
      case RefuseDecoder.TEMPLATE_ID -> onRefuse(cursor, incarnation);
      case GoodbyeDecoder.TEMPLATE_ID -> onGoodbye(cursor, id, incarnation);
      default -> 0;
    };
  }

  /**
   * A packet of another job, partition or version of the schema: a set-up frame in it counts if it
   * has the proof.
   *
   * @param kind of the frame that the cursor stands on, 0 if it sets no flow up
   */
  int onStranger(int kind, FrameCursor cursor) {
    return switch (kind) {
      case HelloDecoder.TEMPLATE_ID -> Math.max(1, onHello(cursor));
      case WelcomeDecoder.TEMPLATE_ID -> onWelcome(cursor, cursor.packet().incarnation());
      case RefuseDecoder.TEMPLATE_ID -> onRefuse(cursor, cursor.packet().incarnation());
      default -> 1;
    };
  }

  private int onGoodbye(FrameCursor cursor, int id, long incarnation) {
    Flow flow = flows.byId(id, incarnation);
    if (flow != null && cursor.hasOnlyBlock(GoodbyeDecoder.BLOCK_LENGTH)) {
      goodbye.wrap(
          cursor.buffer(), cursor.blockAt(), GoodbyeDecoder.BLOCK_LENGTH, cursor.version());
      flow.end().onGoodbye(goodbye.errorCode());
    }
    return 0;
  }

  private int onWelcome(FrameCursor cursor, long incarnation) {
    int key = frames.keyOf(cursor);
    Welcome welcome = key == KeyProof.NO_KEY ? null : frames.readWelcome(cursor, spoken());
    Flow flow = welcome == null ? null : flows.byId(welcome.yourFlow(), incarnation);
    if (flow == null || !welcome.yourNonce().equals(flow.setUp().nonce())) {
      return 1;
    }
    if (flow.isLost()) {
      flow.end().answeredLate(welcome.flow());
      sayEnded(flow);
    } else {
      flows.goByOpenWay(flow);
      flow.setUp().protocol(welcome.protocol());
      flow.isolation(identity.isolation(key));
      establish(flow, welcome.flow(), welcome.limits(), cursor.packet());
    }
    return 0;
  }

  private void establish(Flow flow, int peersFlow, Limits peers, PacketHeaderDecoder header) {
    flow.established(peersFlow, peers);
    flow.setUp().asksNoMore();
    flow.credits(header);
    waiters.tell(flow, null);
  }

  private int onRefuse(FrameCursor cursor, long incarnation) {
    Refusal refusal = frames.isProven(cursor) ? frames.readRefusal(cursor) : null;
    Flow flow = refusal == null ? null : flows.byId(refusal.yourFlow(), incarnation);
    if (flow == null || !refusal.yourNonce().equals(flow.setUp().nonce())) {
      return 1;
    }
    if (flow.state() == FlowState.CONNECTING) {
      FabricError error =
          FabricError.find(refusal.errorCode()).orElse(FabricError.CONNECTION_REFUSED);
      flow.end().lose(error, "refused by " + flow.address() + ": " + OneLine.of(refusal.reason()));
    }
    return 0;
  }

  private int onHello(FrameCursor cursor) {
    int key = frames.keyOf(cursor);
    if (key == KeyProof.NO_KEY) {
      warnings.warn(
          "dropped a Hello without proof that its sender has this job's key; if it is one of yours,"
              + " give it the same tagfabric.job.key");
      return 1;
    }
    Question question = frames.readQuestion(cursor);
    EndpointAddress asker = question == null ? null : askerOf(question);
    if (asker == null || asker.incarnation() != cursor.packet().incarnation()) {
      return 1;
    }
    if (question.incarnation() != identity.address().incarnation()) {
      warnings.warn(
          "dropped a Hello of ["
              + asker
              + "] that was meant for incarnation="
              + question.incarnation()
              + ", here is incarnation="
              + identity.address().incarnation());
      return 1;
    }
    FabricException refusal = refusal(question, asker);
    if (refusal != null) {
      return refuse(question, asker, key, refusal);
    }
    Hello hello = frames.readHello(cursor, question);
    if (hello == null) {
      return 1;
    }
    refusal = refusal(hello, asker);
    return refusal == null
        ? answer(hello, asker, key, cursor.packet())
        : refuse(question, asker, key, refusal);
  }

  private static EndpointAddress askerOf(Question question) {
    try {
      return EndpointAddress.parse(question.address());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private int answer(Hello hello, EndpointAddress asker, int key, PacketHeaderDecoder header) {
    Question question = hello.question();
    int peer = addresses.insert(asker);
    flows.followAddresses();
    Flow flow = flows.toPeer(peer);
    Asker who = new Asker(asker.incarnation(), asker.endpoint());
    LastHello last = askers.get(who);
    boolean repeated =
        last != null && question.flow() == last.flow() && question.nonce().equals(last.nonce());
    if (last != null && !repeated && question.flow() <= last.flow()) {
      log.report(
          EndpointLog.Weight.DETAIL,
          "dropped a Hello of [" + asker + "] that is older than its last");
      return 1;
    }
    if (!repeated) {
      remember(who, new LastHello(question.flow(), question.nonce(), false));
    }
    if (flow != null
        && flow.remoteId() != PacketLayout.NO_FLOW
        && question.flow() > flow.remoteId()) {
      flow.end().givenUpByPeer();
      flow = null;
    }
    if (flows.lost(peer) != null) {
      return refuse(
          question,
          asker,
          key,
          new FabricException(
              FabricError.CONNECTION_RESET,
              "this peer was given up before, remove and insert its address on both sides"));
    }
    if ((flow == null || !flow.link().channel().isOpen()) && wires.prepares(asker)) {
      return 0; // it asks again
    }
    if (flow == null) {
      if (repeated && last.answered()) {
        return refuse(
            question,
            asker,
            key,
            new FabricException(FabricError.CONNECTION_RESET, "this Hello was used before"));
      }
      try {
        flow = flows.answer(peer, asker);
      } catch (FabricException e) {
        warnings.warn("cannot answer [" + asker + "]: " + e.getMessage());
        return 1;
      }
    }
    flows.goByOpenWay(flow);
    remember(who, new LastHello(question.flow(), question.nonce(), true));
    int protocol = question.protocols().common(spoken()).orElseThrow();
    flow.setUp().protocol(protocol);
    flow.isolation(identity.isolation(key));
    establish(flow, question.flow(), hello.limits(), header);
    welcome(flow, question, protocol, key);
    return 0;
  }

  /** Keeps the last words of those who asked last; of peers with a flow, nobody else needs them. */
  private void remember(Asker who, LastHello hello) {
    askers.remove(who);
    askers.put(who, hello);
    if (askers.size() > flows.all().size() + ASKERS_KEPT) {
      askers.remove(askers.keySet().iterator().next());
    }
  }

  /**
   * Answers a Hello, again and again while the channel has no room: an asker that has given up
   * meanwhile does not ask again, and says by what it answers that the flow has ended.
   */
  private void welcome(Flow flow, Question question, int protocol, int key) {
    if (flow.setUp().welcomeWaits()) {
      return;
    }
    Packet welcome = context.pool().acquire(SetUpFrames.welcomeLength());
    frames.welcome(
        welcome,
        identity.address().incarnation(),
        new Welcome(
            protocol, flow.id(), question.flow(), nonceOf(flow), question.nonce(), flow.limits()),
        key);
    flow.setUp().seal(welcome);
    if (!offer(flow, welcome)) {
      flow.setUp().welcomeWaits(true);
      waiting.add(() -> offer(flow, welcome));
    }
  }

  /** Offers a Welcome, which is released when it has left or nobody needs it. */
  private static boolean offer(Flow flow, Packet welcome) {
    if (!flow.isLost() && !flow.setUp().offer(welcome)) {
      return false;
    }
    flow.setUp().welcomeWaits(false);
    welcome.release();
    return true;
  }

  /** Why there will be no flow, by what is frozen of a Hello alone; null if nothing is wrong. */
  private FabricException refusal(Question question, EndpointAddress asker) {
    if (closed) {
      return new FabricException(FabricError.SHUTDOWN, "the endpoint is closed");
    }
    if (question.endpoint() != identity.address().endpoint()) {
      return new FabricException(
          FabricError.ADDRESS_NOT_AVAILABLE,
          "endpoint=" + question.endpoint() + " is not endpoint=" + identity.address().endpoint());
    }
    return noCommonProtocol(asker, question.protocols());
  }

  private FabricException refusal(Hello hello, EndpointAddress asker) {
    if (hello.partitionKey() != identity.partitionKey()) {
      // It learns that its key is wrong, never which is right.
      return new FabricException(
          FabricError.KEY_REJECTED,
          "partition.key of "
              + asker
              + " differs from partition.key here, give both the same tagfabric.partition.key");
    }
    if (hello.objectFingerprint() != identity.objectFingerprint()) {
      return new FabricException(
          FabricError.INVALID,
          "Kryo registrations differ, make tagfabric.kryo.registrations equal: "
              + OneLine.of(identity.objectDifference().apply(hello.objects()).toString()));
    }
    return decide(asker);
  }

  /** What the program says about a peer that this side has set up no flow to. */
  private FabricException decide(EndpointAddress asker) {
    int known = addresses.snapshot().indexOf(asker);
    if (known != AddressTable.NOT_AVAILABLE && flows.toPeer(known) != null) {
      return null;
    }
    Optional<String> refusal;
    try {
      refusal = onConnect.refusal(asker);
    } catch (RuntimeException e) {
      warnings.warn("the policy of connections has failed for [" + asker + "]: " + e);
      refusal = Optional.of("its program could not decide");
    }
    return refusal
        .map(why -> new FabricException(FabricError.CONNECTION_REFUSED, why))
        .orElse(null);
  }

  /**
   * Tells an asker of this job why there will be no flow.
   *
   * @return strangers: 1 if there is no way to answer
   */
  private int refuse(Question question, EndpointAddress asker, int key, FabricException refusal) {
    String text = "refused [" + asker + "]: " + refusal.getMessage();
    // An asker repeats itself until it hears the refusal.
    if (text.equals(lastRefusal) || refusal.error() == FabricError.SHUTDOWN) {
      log.report(EndpointLog.Weight.DETAIL, text);
    } else {
      warnings.warn(text);
    }
    lastRefusal = text;
    Packet packet = packetOf(SetUpFrames.refuseLength(refusal.getMessage()));
    try {
      long incarnation = identity.address().incarnation();
      frames.refuse(
          packet,
          incarnation,
          new Refusal(
              spoken(),
              question.flow(),
              question.nonce(),
              refusal.error().code(),
              refusal.getMessage()),
          key);
      context.writer().sealUncounted(packet, incarnation, identity.isolation(key));
      wires.answer(asker).channel().offer(packet);
      return 0;
    } catch (RuntimeException e) {
      warnings.warn("cannot answer [" + asker + "]: " + e.getMessage());
      return 1;
    } finally {
      packet.release();
    }
  }
}
