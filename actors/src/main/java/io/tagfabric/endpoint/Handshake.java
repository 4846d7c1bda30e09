package io.tagfabric.endpoint;

import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.OneLine;
import io.tagfabric.cluster.job.JobKeys;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowContext;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Greeting;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;

/**
 * Sets flows up. A flow is set up when the first send to a peer needs it, or when a peer asks. The
 * asker repeats its Hello until it hears Welcome or Refuse; both sides may ask at once. A Hello
 * carries the whole address of the asker, so the answerer can reach it and gives it an index.
 */
final class Handshake {
  private static final long FIRST_HELLO_RETRY_NS = 50_000_000L;
  private static final long MAX_HELLO_RETRY_NS = 1_000_000_000L;

  private final EndpointIdentity identity;
  private final AddressTable addresses;
  private final WireTable wires;
  private final FlowTable flows;
  private final FlowContext context;
  private final long connectTimeoutNs;
  private final EndpointTimers timers;
  private final EndpointOutput output;
  private final FlowWaiters waiters;
  private final WarningLimit warnings;
  private boolean closed;
  private String lastRefusal;

  Handshake(
      EndpointContext endpoint,
      FlowTable flows,
      FlowContext context,
      FlowWaiters waiters,
      EndpointOutput output) {
    this.identity = endpoint.identity();
    this.addresses = endpoint.addresses();
    this.wires = endpoint.wires();
    this.connectTimeoutNs = endpoint.settings().connectTimeoutNs();
    this.timers = new EndpointTimers(endpoint.timers(), output);
    this.flows = flows;
    this.context = context;
    this.waiters = waiters;
    this.output = output;
    this.warnings = new WarningLimit(context.time(), output);
  }

  /** Refuses every asker from now on. */
  void close() {
    closed = true;
  }

  /**
   * Opens a flow and asks its peer.
   *
   * @throws FabricException if the peer is unknown or cannot be reached
   */
  Flow connect(int peer) {
    EndpointAddress address = addresses.snapshot().lookup(peer);
    if (address == null) {
      throw new FabricException(
          FabricError.ADDRESS_NOT_AVAILABLE,
          "peer=" + peer + " is not in the address vector, insert its address first");
    }
    Flow flow = flows.open(peer, address);
    greet(flow, null, context.time().nanoTime() + connectTimeoutNs, FIRST_HELLO_RETRY_NS);
    return flow;
  }

  /**
   * Asks the peer until it answers.
   *
   * @param before the last Hello; another one leaves only when the channel is done with it
   */
  private void greet(Flow flow, FrameBatch before, long deadlineNs, long retryNs) {
    if (flow.state() != Flow.State.CONNECTING) {
      return;
    }
    long nowNs = context.time().nanoTime();
    if (nowNs - deadlineNs >= 0) {
      flow.lose(
          FabricError.TIMED_OUT,
          "no answer within flow.connect-timeout="
              + connectTimeoutNs / 1_000_000
              + " ms over "
              + flow.link().provider());
      return;
    }
    FrameBatch hello = before;
    if (before == null || before.holders() == 0) {
      hello = hello(flow);
      flow.offerGreeting(hello);
    }
    FrameBatch last = hello;
    timers.schedule(
        nowNs + retryNs,
        () -> greet(flow, last, deadlineNs, Math.min(2 * retryNs, MAX_HELLO_RETRY_NS)));
  }

  private FrameBatch hello(Flow flow) {
    Greeting greeting =
        new Greeting(
            flow.id(),
            Greeting.PROTOCOL,
            identity.jobKey(),
            identity.partitionKey(),
            identity.objectFingerprint(),
            flow.address().endpoint(),
            identity.address().encode(),
            identity.objects());
    FrameBatch hello = packetOf(FrameWriter.helloLength(greeting));
    context.writer().hello(hello, greeting);
    return hello;
  }

  private FrameBatch packetOf(int frameBytes) {
    int most = context.pool().largeCapacity() - FrameBatch.HEADER_LENGTH;
    return context.pool().single(Math.min(frameBytes, most));
  }

  /**
   * Takes the set-up frames of a packet that is not counted.
   *
   * @return packets that were not for this endpoint
   */
  int onUncounted(FrameCursor cursor, long incarnation) {
    int strangers = 0;
    int id = cursor.packet().flow();
    int template;
    while ((template = cursor.nextFrame()) != 0) {
      if (template == FrameCursor.HELLO) {
        strangers += onHello(cursor.greeting(), cursor.packet());
      } else if (template == FrameCursor.WELCOME) {
        Flow flow = flows.byId(cursor.welcome().yourFlow(), incarnation);
        if (flow != null) {
          establish(flow, cursor.welcome().flow(), cursor.packet());
        }
      } else if (template == FrameCursor.REFUSE) {
        onRefuse(cursor, incarnation);
      } else if (template == FrameCursor.GOODBYE) {
        Flow flow = flows.byId(id, incarnation);
        if (flow != null) {
          flow.onGoodbye(cursor.goodbye().errorCode());
        }
      }
    }
    return strangers;
  }

  private void establish(Flow flow, int remoteId, PacketHeaderDecoder header) {
    flow.established(remoteId);
    flow.credits(header);
    waiters.tell(flow, null);
  }

  private void onRefuse(FrameCursor cursor, long incarnation) {
    Flow flow = flows.byId(cursor.refuse().yourFlow(), incarnation);
    if (flow != null && flow.state() == Flow.State.CONNECTING) {
      FabricError error =
          FabricError.find(cursor.refuse().errorCode()).orElse(FabricError.CONNECTION_REFUSED);
      flow.lose(
          error, "refused by " + flow.address() + ": " + OneLine.of(cursor.refuse().reason()));
    }
  }

  /** A packet of another job or partition: only its Hello is answered, with a refusal. */
  int onStranger(FrameCursor cursor) {
    int strangers = 1;
    if (cursor.packet().sequence() == 0) {
      while (!cursor.isMalformed() && cursor.nextFrame() == FrameCursor.HELLO) {
        strangers += onHello(cursor.greeting(), cursor.packet());
      }
    }
    return strangers;
  }

  private int onHello(Greeting greeting, PacketHeaderDecoder header) {
    EndpointAddress asker;
    try {
      asker = EndpointAddress.parse(greeting.address());
    } catch (IllegalArgumentException e) {
      return 1;
    }
    FabricException refusal = refusal(greeting, asker);
    if (refusal != null) {
      return refuse(greeting, asker, refusal);
    }
    int peer = addresses.insert(asker);
    flows.followAddresses();
    Flow flow = flows.toPeer(peer);
    if (flow != null && flow.remoteId() != PacketLayout.NO_FLOW) {
      if (greeting.flow() < flow.remoteId()) {
        return 0;
      }
      if (greeting.flow() > flow.remoteId()) {
        flow.lose(FabricError.CONNECTION_RESET, "the peer has given this flow up");
      }
    }
    if (flows.lost(peer) != null) {
      return refuse(
          greeting,
          asker,
          new FabricException(
              FabricError.CONNECTION_RESET,
              "this peer was given up before, remove and insert its address on both sides"));
    }
    if (flow == null) {
      try {
        flow = flows.open(peer, asker);
      } catch (FabricException e) {
        warnings.warn("cannot answer [" + asker + "]: " + e.getMessage());
        return 1;
      }
    }
    establish(flow, greeting.flow(), header);
    FrameBatch welcome = context.pool().acquire(FrameWriter.welcomeLength());
    context.writer().welcome(welcome, flow.id(), greeting.flow(), identity.objectFingerprint());
    flow.offerGreeting(welcome);
    return 0;
  }

  private FabricException refusal(Greeting greeting, EndpointAddress asker) {
    if (closed) {
      return new FabricException(FabricError.SHUTDOWN, "the endpoint is closed");
    }
    if (greeting.endpoint() != identity.address().endpoint()) {
      return new FabricException(
          FabricError.ADDRESS_NOT_AVAILABLE,
          "endpoint=" + greeting.endpoint() + " is not endpoint=" + identity.address().endpoint());
    }
    if (greeting.protocol() != Greeting.PROTOCOL) {
      return new FabricException(
          FabricError.INVALID,
          "protocol="
              + greeting.protocol()
              + " is not protocol="
              + Greeting.PROTOCOL
              + ", run the same version of Tagfabric everywhere");
    }
    // The asker may be anybody: it learns that its keys are wrong, never what is right.
    if (!JobKeys.areEqual(greeting.jobKey(), identity.jobKey())) {
      return new FabricException(
          FabricError.KEY_REJECTED,
          "job.key of "
              + asker
              + " differs from job.key here, only endpoints of one job speak with each other");
    }
    if (greeting.partitionKey() != identity.partitionKey()) {
      return new FabricException(
          FabricError.KEY_REJECTED,
          "partition.key of "
              + asker
              + " differs from partition.key here, give both the same tagfabric.partition.key");
    }
    if (greeting.objectFingerprint() != identity.objectFingerprint()) {
      return new FabricException(
          FabricError.INVALID,
          "Kryo registrations differ, make tagfabric.kryo.registrations equal: "
              + OneLine.of(identity.objectDifference().apply(greeting.objects()).toString()));
    }
    return null;
  }

  /**
   * Tells an asker why there will be no flow. Where the answer goes is the asker's word.
   *
   * @return strangers: 1 if there is no way to answer
   */
  private int refuse(Greeting greeting, EndpointAddress asker, FabricException refusal) {
    String text = "refused [" + asker + "]: " + refusal.getMessage();
    // An asker repeats itself until it hears the refusal.
    if (text.equals(lastRefusal) || refusal.error() == FabricError.SHUTDOWN) {
      output.report(false, text);
    } else {
      warnings.warn(text);
    }
    lastRefusal = text;
    FrameBatch packet = packetOf(FrameWriter.refuseLength(refusal.getMessage()));
    try {
      FrameWriter writer = context.writer();
      writer.refuse(packet, greeting.flow(), refusal.error().code(), refusal.getMessage());
      writer.sealUncounted(
          packet,
          identity.address().incarnation(),
          EndpointIdentity.isolation(greeting.jobKey(), greeting.partitionKey()));
      wires.connect(asker).channel().offer(packet);
      return 0;
    } catch (RuntimeException e) {
      warnings.warn("cannot answer [" + asker + "]: " + e.getMessage());
      return 1;
    } finally {
      packet.release();
    }
  }
}
