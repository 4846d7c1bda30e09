package io.tagfabric.provider.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.exceptions.AeronEvent;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.JobDirectory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.LoopbackScope;
import io.tagfabric.provider.ProviderUnavailableException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import org.agrona.concurrent.AgentInvoker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The media driver and the Aeron client of one domain, shared by its endpoints. Opened by the first
 * wire, closed by the last. Single threaded: the domain's loop.
 *
 * <p>A pass polls it once: the driver's duty cycle, the client's, then the wires. What channels
 * have taken leaves at the end of the pass. Its sockets wake a loop that is parked; a timer does so
 * for what Aeron does by the clock.
 */
final class AeronNode {
  /** Streams an endpoint listens to at most. */
  static final int MAX_PATHS = 8;

  private static final Logger LOG = LoggerFactory.getLogger(AeronNode.class);
  private static final Map<ProgressLoop, AeronNode> NODES = new ConcurrentHashMap<>();

  /** Only there to open the port; nobody sends to it. */
  private static final int ANCHOR_STREAM = 1;

  private static final int FIRST_STREAM = 16;
  private static final long OPEN_NS = TimeUnit.SECONDS.toNanos(5);

  /** A parked loop wakes so often for what Aeron does by the clock: set-up, heartbeats. */
  private static final long OPENING_DUTY_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long DUTY_NS = TimeUnit.MILLISECONDS.toNanos(500);

  /** What a poll brought is acknowledged by one of the next duty cycles, before any sleep. */
  private static final int PASSES_AFTER_WORK = 2;

  /** So many polls with work are worth more than what it costs to watch the sockets anew. */
  private static final int POLLS_PER_HUSH = 1024;

  /** An unused node must not cost the passes of a domain whose peers are reached otherwise. */
  private static final int UNUSED_PASSES_PER_POLL = 32;

  private static final int CYCLES_BEFORE_CLOSE = 3;

  /** For so many streams that come here a poll reads one datagram more than the driver does. */
  private static final int STREAMS_PER_DATAGRAM = 8;

  private static final int DATAGRAMS_PER_POLL = 64;

  private final ProgressLoop loop;
  private final AeronSettings settings;
  private final JobDirectory directory;
  private final Path buffers;
  private final CycleClock clock;
  private final MediaDriver driver;
  private final Aeron client;
  private final AgentInvoker driverInvoker;
  private final AgentInvoker clientInvoker;
  private final int mtuBytes;
  private final String listenChannel;
  private final AeronAddress address;
  private final AeronRoom room;
  private final ProgressLoop.Step poll = this::poll;
  private final ProgressLoop.Step memoryCheck = this::findLostMemory;
  private final IntSupplier readStreams = this::pollWires;
  private final List<AeronWire> wires = new ArrayList<>();
  private final NodeSockets sockets;
  private LoopTimers.Timer duty;
  private int passesAfterWork;
  private int busyPolls;

  /** Streams of senders that come here. */
  private int streams;

  private boolean offered;
  private boolean used;
  private int unusedPasses;
  private String failure;
  private Throwable memoryError;

  private AeronNode(ProgressLoop loop, AeronSettings settings, JobDirectory directory) {
    this.loop = loop;
    this.settings = settings;
    this.directory = directory;
    InetAddress host = settings.address();
    int socketBuffer = NodeContexts.socketBufferBytes(settings.socketBufferBytes());
    mtuBytes = Mtu.choose(host, settings.mtuBytes(), socketBuffer);
    buffers = directory.path().resolve("aeron");
    room = new AeronRoom(directory.path(), settings.termBytes());
    sockets = new NodeSockets(loop);
    room.noneForDriver()
        .ifPresent(
            why -> {
              throw new IllegalStateException(why);
            });
    clock = new CycleClock(loop.time().nanoTime());
    driver =
        MediaDriver.launch(
            NodeContexts.driver(
                settings, buffers, mtuBytes, socketBuffer, clock, sockets, this::onError));
    driverInvoker = driver.sharedAgentInvoker();
    listenChannel = listenChannel(host, settings.port());
    try {
      client = Aeron.connect(NodeContexts.client(buffers, driver, this::onError));
      clientInvoker = client.conductorAgentInvoker();
      address = listen(host);
      directory.restrict();
    } catch (RuntimeException e) {
      driver.close();
      throw e;
    }
  }

  /** The node of a loop, opened if there is none; each call needs its {@link #release}. */
  static AeronNode acquire(ProgressLoop loop, AeronSettings settings, Settings all) {
    AeronNode node = NODES.get(loop);
    if (node == null) {
      JobDirectory directory = JobDirectory.joinAlone(HostDirectory.locate(all));
      try {
        node = new AeronNode(loop, settings, directory);
      } catch (RuntimeException | InternalError e) {
        directory.leave();
        throw new ProviderUnavailableException(
            "provider aeron cannot start at "
                + settings.place()
                + ", "
                + AeronSettings.PORT.fullKey()
                + "="
                + settings.port()
                + ": "
                + e.getMessage(),
            e);
      }
      NODES.put(loop, node);
      node.start();
    }
    return node;
  }

  /** The tag makes all subscriptions share one socket, also when the port is 0. */
  private static String listenChannel(InetAddress host, int port) {
    String text = host.getHostAddress();
    String literal = text.indexOf(':') >= 0 ? "[" + text + "]" : text;
    return "aeron:udp?tags=1|endpoint=" + literal + ":" + port;
  }

  private AeronAddress listen(InetAddress host) {
    Subscription anchor = subscribe(ANCHOR_STREAM, session -> {});
    List<String> sockets = new ArrayList<>();
    await(
        () -> {
          sockets.addAll(anchor.localSocketAddresses());
          return sockets.size();
        },
        listenChannel + " cannot be opened");
    String scope = host.isLoopbackAddress() ? LoopbackScope.own() : "";
    return new AeronAddress(sockets.get(0), mtuBytes, MAX_PATHS, scope);
  }

  private void start() {
    loop.addPoll(poll);
    loop.addMemoryCheck(memoryCheck);
    scheduleDuty();
  }

  private void scheduleDuty() {
    long delayNs = isOpening() ? OPENING_DUTY_NS : DUTY_NS;
    duty = loop.timers().schedule(loop.time().nanoTime() + delayNs, this::onDuty);
  }

  private boolean isOpening() {
    for (AeronWire wire : wires) {
      if (wire.isOpening()) {
        return true;
      }
    }
    return false;
  }

  /** A channel waits for a peer: Aeron repeats its call more often. */
  void opening() {
    duty.cancel();
    scheduleDuty();
  }

  private void onDuty() {
    long nowNs = loop.time().nanoTime();
    wires.forEach(wire -> wire.closeUnused(nowNs - settings.streamTimeoutNs()));
    scheduleDuty();
  }

  // ---- for wires and channels ----

  AeronAddress address() {
    return address;
  }

  /** Longest datagram of this side. */
  int mtuBytes() {
    return mtuBytes;
  }

  /** Why the driver or the client has ended, null while both are well. */
  String failure() {
    return failure;
  }

  /** What there is room for. */
  AeronRoom room() {
    return room;
  }

  /** Whether memory that Aeron writes to has gone: nothing of it may be touched any more. */
  boolean hasLostMemory() {
    return memoryError != null;
  }

  /** Memory that Aeron writes to has no room below it. */
  void memoryLost(Throwable error) {
    if (memoryError == null) {
      memoryError = error;
      loop.wake();
    }
  }

  /** The loop has met an internal error: was it this node's memory? */
  private int findLostMemory() {
    if (memoryError == null && room.usedUp().isPresent()) {
      memoryLost(new InternalError("no room"));
    }
    return memoryError == null ? 0 : 1;
  }

  private void failForMemory() {
    failure =
        "the memory of the media driver of this domain is lost: "
            + room.usedUp().orElse("" + memoryError.getMessage());
    LOG.error("aeron at [{}]: [{}]", listenChannel, failure);
    List.copyOf(wires).forEach(wire -> wire.closeChannels(failure)); // some may close with that
  }

  static int stream(int endpoint, int path) {
    return FIRST_STREAM + endpoint * MAX_PATHS + path;
  }

  void add(AeronWire wire) {
    wires.add(wire);
  }

  /**
   * Listens to a stream at the node's port.
   *
   * @param sessionGone runs with the session of each sender whose stream has ended
   */
  Subscription subscribe(int stream, IntConsumer sessionGone) {
    long registration =
        client.asyncAddSubscription(
            listenChannel,
            stream,
            image -> {
              streams++;
              restrict("images", image.correlationId());
            },
            image -> {
              streams--;
              sessionGone.accept(image.sessionId());
            });
    Subscription[] opened = new Subscription[1];
    await(
        () -> {
          opened[0] = client.getSubscription(registration);
          return opened[0] == null ? 0 : 1;
        },
        listenChannel + " cannot be subscribed to");
    return opened[0];
  }

  /** Turns the crank until there is something: all of it happens on this thread. */
  private void await(IntSupplier something, String complaint) {
    long deadlineNs = loop.time().nanoTime() + OPEN_NS;
    while (something.getAsInt() == 0) {
      if (loop.time().nanoTime() - deadlineNs > 0) {
        throw new IllegalStateException(complaint);
      }
      cycle(loop.time().nanoTime());
    }
  }

  /** Begins to open a publication; {@link #publication} tells when it is there. */
  long publish(String socket, int datagramBytes, int stream) {
    used = true;
    return client.asyncAddExclusivePublication(
        "aeron:udp?endpoint=" + socket + "|mtu=" + datagramBytes, stream);
  }

  /**
   * The publication of a registration, null while it is being opened.
   *
   * @throws RuntimeException if it cannot be
   */
  ExclusivePublication publication(long registration) {
    ExclusivePublication publication = client.getExclusivePublication(registration);
    if (publication != null) {
      restrict("publications", registration);
    }
    return publication;
  }

  /** The driver has made the log of a stream; the files there were before are private already. */
  private void restrict(String kind, long number) {
    Path log = buffers.resolve(kind).resolve(number + ".logbuffer");
    directory.restrict(Files.exists(log) ? log : buffers);
  }

  long nanoTime() {
    return loop.time().nanoTime();
  }

  /** A channel has put something into a publication. */
  void offered() {
    offered = true;
  }

  /** Sends what was offered. Returns the work done. */
  int flush() {
    if (!offered || memoryError != null) {
      return 0;
    }
    offered = false;
    clock.set(loop.passTime().nanoTime());
    sockets.sending(true);
    boolean interrupted = Thread.interrupted();
    try {
      return driverInvoker.invoke();
    } finally {
      sockets.sending(false);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Takes a wire out; the last one closes the node, once nobody reads its memory. */
  void release(AeronWire wire) {
    wires.remove(wire);
    if (wires.isEmpty()) {
      loop.afterPolls(this::closeIfUnused);
    }
  }

  private void closeIfUnused() {
    if (wires.isEmpty() && NODES.remove(loop, this)) {
      close();
    }
  }

  // ---- the duty ----

  private int poll() {
    if (!used && ++unusedPasses < UNUSED_PASSES_PER_POLL) {
      return 0;
    }
    unusedPasses = 0;
    if (memoryError != null) {
      if (failure == null) {
        failForMemory();
        return 1;
      }
      return 0;
    }
    if (used && sockets.suffices() && loop.isLookingOn()) {
      return look();
    }
    int work = cycle(loop.passTime().nanoTime()) + receiveMore() + pollWires() + endGone();
    if (work > 0) {
      worked();
    } else if (passesAfterWork > 0) {
      passesAfterWork--;
      work = 1;
    } else {
      used = isUsed();
    }
    return work;
  }

  /**
   * Takes a datagram that has come this moment, past the driver's agents: what they do beside it
   * takes longer. The next pass runs them all.
   */
  private int look() {
    if (sockets.receive(1) == 0) {
      return 0;
    }
    worked();
    return memoryError == null ? 1 + pollWires() : 1;
  }

  /**
   * The driver reads one datagram a cycle, and a cycle takes longer the more streams there are.
   * Each of them says ten times a second that it is still there: those of some hundred would come
   * quicker than they are read.
   */
  private int receiveMore() {
    int most = Math.min(streams / STREAMS_PER_DATAGRAM, DATAGRAMS_PER_POLL);
    return memoryError == null ? sockets.receive(most) : 0;
  }

  /** Ends the channels to a node that has gone. Returns the work done. */
  private int endGone() {
    InetSocketAddress gone = memoryError == null ? sockets.gone(readStreams) : null;
    if (gone == null) {
      return 0;
    }
    for (AeronWire wire : List.copyOf(wires)) { // some may close with that
      wire.onRefused(gone);
    }
    return 1;
  }

  private int pollWires() {
    int work = 0;
    for (int i = 0; i < wires.size(); i++) {
      work += wires.get(i).poll();
    }
    return work;
  }

  /** A poll has brought something. */
  private void worked() {
    passesAfterWork = PASSES_AFTER_WORK;
    if (++busyPolls == POLLS_PER_HUSH) {
      busyPolls = 0;
      loop.hush();
    }
  }

  private boolean isUsed() {
    for (int i = 0; i < wires.size(); i++) {
      if (wires.get(i).isUsed()) {
        return true;
      }
    }
    return false;
  }

  /** The driver's duty cycle and the client's. An interrupt would close files they map. */
  private int cycle(long nowNs) {
    boolean interrupted = Thread.interrupted();
    clock.set(nowNs);
    int work = driverInvoker.invoke() + clientInvoker.invoke();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (failure == null && (client.isClosed() || driverInvoker.isClosed())) {
      failure = "the media driver of this domain has ended";
      List.copyOf(wires).forEach(wire -> wire.closeChannels(failure)); // some may close with that
    }
    return work;
  }

  private void close() {
    // What channels took last, such as goodbyes, is still in buffers.
    for (int i = 0; i < CYCLES_BEFORE_CLOSE && memoryError == null; i++) {
      cycle(loop.time().nanoTime());
    }
    loop.removePoll(poll);
    loop.removeMemoryCheck(memoryCheck);
    duty.cancel();
    boolean interrupted = Thread.interrupted();
    try {
      client.close();
      driver.close();
    } catch (RuntimeException | InternalError e) {
      if (memoryError == null) {
        throw e;
      }
      LOG.debug("closed after its memory was lost", e);
    } finally {
      directory.leave();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void onError(Throwable error) {
    if (error instanceof InternalError) {
      memoryLost(error);
    } else if (error instanceof AeronEvent) {
      LOG.debug("aeron: [{}]", error.getMessage());
    } else {
      LOG.warn("aeron at [{}]: [{}]", listenChannel, error.getMessage());
      LOG.debug("aeron's error", error);
    }
  }
}
