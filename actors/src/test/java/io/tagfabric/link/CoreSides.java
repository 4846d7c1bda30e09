package io.tagfabric.link;

import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.address.Protocols;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowState;
import io.tagfabric.flow.SmallFlows;
import io.tagfabric.flow.window.ActiveSettings;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.UnexpectedBudget;
import io.tagfabric.link.send.SendCompletions;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.match.core.ReceiveCore;
import io.tagfabric.path.PathSettings;
import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.Reach;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.receive.CalledReceives;
import io.tagfabric.runtime.NodeStatus;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.trace.Recorder;
import io.tagfabric.wire.FrameServices;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageViews;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import io.tagfabric.wire.TaggedReader;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;

/** Cores of endpoints over a wire that can be cut, under a clock moved by hand. */
abstract class CoreSides {
  static final long MS = 1_000_000L;
  static final long TIMEOUT = SmallFlows.SETTINGS.connectTimeoutNs();
  static final UUID JOB = new UUID(1, 2);
  static final long MAX_MESSAGE = 1_000_000;
  static final FlowSettings SETTINGS = SmallFlows.SETTINGS;

  long nowNs = 7_000 * MS;
  final RandomSource random = new Random(7)::nextLong;
  final ProgressLoop loop = new ProgressLoop(() -> nowNs);
  final LoopTimers timers = loop.timers();
  final Side a = new Side("a", JOB, 1);
  final List<String> outcomes = new ArrayList<>();

  /** Of the flows of all sides. */
  FlowSettings settings() {
    return SETTINGS;
  }

  /** One endpoint, and its half of the wire. */
  final class Side implements Provider, Wire, Channel, EndpointLog {
    final EndpointAddress address;
    final AddressTable addresses = new AddressTable();
    final List<Long> offeredMs = new ArrayList<>();
    final List<Packet> offered = new ArrayList<>();
    final List<byte[]> onTheWay = new ArrayList<>();
    final List<String> reports = new ArrayList<>();
    final List<String> news = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();
    final List<CompletionEntry> received = new ArrayList<>();
    final CompletionQueue sent = queue();
    final ReceiveCore receives = new ReceiveCore(4, this::receivedNext);
    final ArrivalDesk desk;
    final EndpointCore core;
    Side other;
    boolean cut;
    boolean full;
    boolean broken;

    /** What the membership says of all peers. */
    NodeStatus peers = NodeStatus.UNKNOWN;

    /** Why its channel is closed, null while it is open. */
    String channelClosed;

    Side(String name, UUID job, int partition) {
      this(name, List.of(job), partition, Protocols.OWN);
    }

    Side(String name, List<UUID> keys, int partition, Protocols protocols) {
      address =
          new EndpointAddress(
              name.hashCode(), 0, name, "node", "vm", Map.of("fake", "x"), null, protocols);
      PacketPool pool = new PacketPool(1024, 16 * 1024);
      FrameServices services = new FrameServices();
      TaggedReader.register(services, receives);
      desk = new ArrivalDesk(loop.steps(), services, CoreSides::defect);
      WireTable wires =
          WireTable.open(
              List.of(this),
              new WireContext(
                  null, Optional.empty(), random, loop, 1, 0, "vm", null, pool, desk, 1),
              new PathTable(PathSettings.ONE, 0));
      core =
          new EndpointCore(
              new EndpointContext(
                  new EndpointIdentity(address, keys, partition, 9, "", theirs -> List.of()),
                  addresses,
                  wires,
                  CoreSides.this.settings(),
                  new ActiveSettings(4, 0, 1, 1024, 512, 1_000),
                  new UnexpectedBudget(CoreSides.this.settings().unexpectedBudgetBytes()),
                  MAX_MESSAGE,
                  false,
                  ConnectPolicy.ACCEPT,
                  pool,
                  new EndpointTimers(timers, loop.steps(), CoreSides::defect),
                  () -> nowNs,
                  loop.passes(),
                  random,
                  peer -> peers,
                  this,
                  Recorder.OFF),
              desk,
              new SendCompletions(sent, null),
              new CalledReceives(receives, queue().outbox(), loop.steps()),
              loop.steps());
    }

    private CompletionEntry receivedNext() {
      CompletionEntry entry = new CompletionEntry();
      received.add(entry);
      return entry;
    }

    /** Takes a packet as from its wire. */
    void hear(byte[] packet) {
      desk.onPacket(Packet.received(packet.clone()));
    }

    int insert(Side peer) {
      other = peer;
      peer.other = this;
      return addresses.insert(peer.address);
    }

    void deliver() {
      core.flush();
      List<byte[]> packets = List.copyOf(onTheWay);
      onTheWay.clear();
      packets.forEach(other::hear);
    }

    @Override
    public boolean offer(Packet packet) {
      if (full) {
        return false;
      }
      offeredMs.add(nowNs / MS - 7_000);
      offered.add(packet);
      if (!cut) {
        onTheWay.add(Arrays.copyOf(packet.array(), packet.length()));
      }
      return true;
    }

    @Override
    public String name() {
      return "fake";
    }

    @Override
    public ProviderCapabilities capabilities() {
      return new ProviderCapabilities(Reach.NETWORK, "anything", false, 16 * 1024);
    }

    @Override
    public Optional<String> unavailableBecause(WireContext context) {
      return Optional.empty();
    }

    @Override
    public Wire open(WireContext context) {
      return this;
    }

    @Override
    public String address() {
      return "x";
    }

    @Override
    public Optional<String> unreachableBecause(EndpointAddress peer) {
      return Optional.empty();
    }

    @Override
    public Channel connect(EndpointAddress peer) {
      if (broken) {
        throw new IllegalStateException("this address breaks the provider");
      }
      return this;
    }

    @Override
    public String closedBecause() {
      return channelClosed;
    }

    @Override
    public void close() {}

    @Override
    public void report(Weight weight, String text) {
      reports.add(text);
      if (weight == Weight.NEWS) {
        news.add(text);
      } else if (weight == Weight.WARNING) {
        warnings.add(text);
      }
    }
  }

  CompletionQueue queue() {
    return CompletionQueue.open(
        16, loop, ProgressMode.MANUAL, new IdlePolicy(0, 0, 1), behavior -> null);
  }

  private static void defect(RuntimeException failure) {
    throw failure;
  }

  void sleep(long ms) {
    long endNs = nowNs + ms * MS;
    while (timers.nextDeadlineNs() <= endNs) {
      nowNs = Math.max(nowNs, timers.nextDeadlineNs());
      timers.poll(nowNs);
    }
    nowNs = endNs;
  }

  void connect(Side from, int peer) {
    from.core.connect(
        peer,
        failure -> outcomes.add(failure == null ? "open" : failure.error() + failure.getMessage()));
  }

  static FlowState state(Side side) {
    return side.core.flows().get(0).state();
  }

  /** A receive of 100 bytes in the middle of a buffer, whose bytes b has been asked for. */
  Flow transferTo(Side b, UnsafeBuffer buffer) {
    connect(a, a.insert(b));
    a.deliver();
    b.deliver();
    a.receives.post(
        PostedReceive.into(TaggedReceive.of(TagSelector.any()).into(buffer, 200, 100), null, null));
    forge(
        b,
        writer ->
            packet ->
                writer.requestToSend(
                    packet, MessageViews.of(1, null, new byte[100]), 1, false, null));
    a.deliver();
    return a.core.flows().get(0);
  }

  long forged;

  /** Brings a frame to a as from b. */
  void forge(Side b, Function<FrameWriter, Consumer<Packet>> frame) {
    Packet packet = new PacketPool(1024, 1024).acquire(500);
    FrameWriter writer = new FrameWriter();
    frame.apply(writer).accept(packet);
    writer.sealUncounted(packet, b.address.incarnation(), b.core.isolation());
    new PacketHeaderEncoder()
        .wrap(packet.buffer(), 8)
        .sequence(++forged)
        .flow(a.core.flows().get(0).id());
    a.hear(Arrays.copyOf(packet.array(), packet.length()));
  }

  void forgeData(Side b, long position, int length) {
    byte[] ones = new byte[length];
    Arrays.fill(ones, (byte) 1);
    forge(
        b, writer -> packet -> writer.data(packet, 1, position, new UnsafeBuffer(ones), 0, length));
  }
}
