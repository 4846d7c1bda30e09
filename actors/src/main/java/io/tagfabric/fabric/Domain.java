package io.tagfabric.fabric;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.Props;
import akka.actor.typed.SpawnProtocol;
import akka.actor.typed.javadsl.Adapter;
import io.tagfabric.address.AddressTable;
import io.tagfabric.address.AddressVector;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.CounterUnit;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.memory.Region;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import io.tagfabric.memory.RegionTable;
import io.tagfabric.progress.CoreBinding;
import io.tagfabric.progress.GuardedMailbox;
import io.tagfabric.progress.ProgressDispatcher;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.progress.ProgressThread;
import io.tagfabric.progress.ThreadUse;
import io.tagfabric.progress.Timeouts;
import io.tagfabric.provider.FabricMemory;
import io.tagfabric.receive.DomainParts;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.ReceiveBindings;
import io.tagfabric.receive.ReceiveContext;
import io.tagfabric.wire.PacketPool;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.agrona.MutableDirectBuffer;

/**
 * A set of actors that share one progress loop: endpoints, their matchers, completion queues and an
 * address vector. In MANUAL mode the application drives it by reading and waiting; in AUTO mode a
 * progress thread does.
 *
 * <p>Thread: any; opening and closing block the caller for as long as it takes, driving the loop.
 *
 * @source libfabric fi_domain(3)
 */
public final class Domain {
  private static final int SMALL_PACKET_BYTES = 2 * 1024;

  private final Fabric fabric;
  private final String name;
  private final ProgressSettings progress;
  private final EndpointSettings endpointDefaults;
  private final ProgressLoop loop;
  private final String guardianName;
  private final Props actors;
  private final Props matchers;
  private final ProgressFutures futures;
  private final ProgressDispatcher dispatcher;
  private final ActorRef<SpawnProtocol.Command> guardian;
  private final DomainProgress thread;
  private final DomainObserver observer;
  private final DomainSteering steering;
  private final AddressVector addressVector;
  private final RegionTable regions;
  private final DomainParts parts;
  private final DomainEndpoints endpoints;
  private final DomainMemories memories;
  private final List<Counter> counters = new CopyOnWriteArrayList<>();
  private final List<ReceiveContext> contexts = new CopyOnWriteArrayList<>();
  private final AtomicInteger queueNumber = new AtomicInteger();
  private final AtomicInteger counterNumber = new AtomicInteger();
  private final AtomicInteger contextNumber = new AtomicInteger();
  private final AtomicInteger regionNumber = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * A domain.
   *
   * @param id the name, or another one if a domain before had it: Akka keeps names for good
   */
  Domain(
      Fabric fabric, String name, String id, ProgressSettings progress, EndpointSettings defaults) {
    this.fabric = fabric;
    this.name = name;
    this.progress = progress;
    this.endpointDefaults = defaults;
    memories = new DomainMemories(fabric.memoryBudget());
    ActorSystem<?> system = fabric.system();
    loop =
        DomainProgress.loop(
            system,
            fabric.environment(),
            progress,
            DomainRecorder.open(
                fabric.settings(),
                fabric.environment(),
                fabric.membership().self().incarnation(),
                id));
    dispatcher = fabric.dispatchers().take(loop);
    actors = GuardedMailbox.propsOn(dispatcher.id());
    matchers = GuardedMailbox.propsOfMatcher(dispatcher.id());
    guardianName = "tagfabric-domain-" + id;
    GuardedMailbox.count(system, guardianName, loop);
    futures = new ProgressFutures(system, loop, progress.mode(), progress.waiting());
    endpoints = new DomainEndpoints(name, loop, defaults.packetBytes());
    AddressTable addresses = new AddressTable();
    guardian =
        system.systemActorOf(
            SpawnProtocol.create(), guardianName, GuardedMailbox.propsOfGuardian(dispatcher.id()));
    addressVector =
        new AddressVector(
            spawn(AddressVector.behavior(addresses, endpoints::onPeerGone), "addresses"),
            addresses);
    regions =
        new RegionTable(
            loop,
            futures,
            fabric.environment().random(),
            fabric.membership().self().incarnation(),
            fabric.settings().get(FabricSettings.CLOSE_TIMEOUT),
            behavior -> spawn(behavior, "region-" + regionNumber.incrementAndGet()));
    parts =
        new DomainParts(
            system,
            fabric.settings(),
            GuardedMailbox.propsOfReceiver(dispatcher.id()),
            guardian,
            this::spawnLater,
            loop,
            progress.mode(),
            futures,
            addresses,
            new PacketPool(SMALL_PACKET_BYTES, defaults.packetBytes()),
            fabric.objects(),
            fabric.membership().self(),
            fabric.environment().random(),
            regions,
            fabric.environment().vm(),
            fabric.jobKeys(),
            fabric.partitionKey(),
            fabric::statusOf);
    fabric.environment().loopDriver().ifPresent(d -> d.opened(id, loop, progress.mode()));
    thread = new DomainProgress(system, fabric.environment(), name, id, loop, progress);
    thread.begin();
    observer = new DomainObserver(fabric, id, loop, thread::mode, endpoints::all, () -> contexts);
    observer.begin();
    steering =
        DomainSteering.begin(
            fabric.settings(), fabric.environment(), id, loop, thread, observer::read);
  }

  /** The dispatcher of actors that run on its loop, until it is closed. */
  @InternalApi
  public DispatcherSelector dispatcher() {
    return DispatcherSelector.fromConfig(dispatcher.id());
  }

  /**
   * Starts the progress thread of a domain that was opened with a deferred one ({@code
   * tagfabric.progress.deferred}): until then only waits and reads make progress, so a program can
   * set all up before anything arrives. Domains may start theirs in any order, or close before.
   * Idempotent.
   *
   * @throws IllegalStateException in MANUAL mode, where a simulation drives, and after a close
   * @source GASNet ibv-conduit, deferred progress threads
   */
  public void startProgress() {
    thread.start();
  }

  private <T> ActorRef<T> spawn(Behavior<T> behavior, String role) {
    return spawn(behavior, role, actors);
  }

  private <T> ActorRef<T> spawn(Behavior<T> behavior, String role, Props props) {
    return DomainEndpoints.join(
        futures.<SpawnProtocol.Command, ActorRef<T>>ask(
            guardian,
            replyTo -> new SpawnProtocol.Spawn<>(behavior, role, props, replyTo),
            endpointDefaults.askTimeout()));
  }

  private <T> void spawnLater(Behavior<T> behavior, String role) {
    guardian.tell(
        new SpawnProtocol.Spawn<>(
            behavior, role, actors, fabric.system().<ActorRef<T>>ignoreRef()));
  }

  /** What the domain was opened as. */
  public String name() {
    return name;
  }

  /** The fabric it belongs to. */
  public Fabric fabric() {
    return fabric;
  }

  /** What makes progress here, and how idle threads pass the time. */
  public ProgressSettings progressSettings() {
    return progress;
  }

  /**
   * The actor that drives this domain, in AUTO mode; it can be paused.
   *
   * @throws IllegalStateException in MANUAL mode, where the application drives, where a simulation
   *     does, and before {@link #startProgress} if it is deferred
   */
  public ActorRef<ProgressThread.Command> progress() {
    return thread.ref();
  }

  /** The loop; for custom waits and tests. */
  public ProgressLoop loop() {
    return loop;
  }

  /** The peers of this domain's endpoints. */
  public AddressVector addressVector() {
    return addressVector;
  }

  /** Settings that endpoints are opened with unless others are given. */
  public EndpointSettings endpointDefaults() {
    return endpointDefaults;
  }

  /** Endpoints open in this domain, those that are closing included. */
  public List<Endpoint> endpoints() {
    return endpoints.all();
  }

  /** Whether an endpoint is open in this domain, or closing. */
  @InternalApi
  public boolean has(Endpoint endpoint) {
    return endpoints.has(endpoint);
  }

  /** Makers of futures that drive this domain. */
  public ProgressFutures futures() {
    return futures;
  }

  /** Opens a completion queue of the configured size. */
  public CompletionQueue openCompletionQueue() {
    return openCompletionQueue(fabric.settings().get(FabricSettings.QUEUE_SIZE));
  }

  /**
   * Opens a completion queue.
   *
   * @param capacity operations under way and entries unread, at least 1
   */
  public CompletionQueue openCompletionQueue(int capacity) {
    requireOpen();
    loop.requireOutside("openCompletionQueue");
    String role = "queue-" + queueNumber.incrementAndGet();
    return CompletionQueue.open(
        capacity, loop, progress.mode(), progress.waiting(), behavior -> spawn(behavior, role));
  }

  /** Opens a counter of operations at zero. It is closed with the domain at the latest. */
  public Counter openCounter() {
    return openCounter(CounterUnit.OPERATIONS);
  }

  /**
   * Opens a counter at zero.
   *
   * @param unit what operations add to it that end well
   */
  public Counter openCounter(CounterUnit unit) {
    Objects.requireNonNull(unit, "unit");
    requireOpen();
    loop.requireOutside("openCounter");
    String role = "counter-" + counterNumber.incrementAndGet();
    Counter counter =
        Counter.open(
            unit,
            loop,
            progress.mode(),
            progress.waiting(),
            futures,
            behavior -> spawn(behavior, role));
    counters.removeIf(Counter::isClosed);
    counters.add(counter);
    return counter;
  }

  /**
   * Takes back all operations that wait for a counter of this domain.
   *
   * @return how many there were
   * @source libfabric fi_trigger(3), FI_FLUSH_WORK
   */
  public CompletionStage<Integer> flushDeferred() {
    ProgressFuture<Integer> all = futures.create();
    loop.execute(
        () -> futures.complete(all, counters.stream().mapToInt(Counter::flushDeferred).sum()));
    loop.wake();
    return all;
  }

  /** Opens a context with a queue of its own, for receives that endpoints share. */
  public ReceiveContext openReceiveContext(String contextName) {
    return openReceiveContext(
        contextName, ReceiveBindings.to(openCompletionQueue()), endpointDefaults);
  }

  /**
   * Opens a context for receives that endpoints share. It is closed with the domain at the latest.
   *
   * @param bindings what its receives are told to
   * @param settings its budget of unexpected bytes and classes is taken from these
   * @throws IllegalArgumentException if the queue or the counter belongs to another domain
   * @throws io.tagfabric.error.FabricException BAD_STATE if the counter is closed
   */
  public ReceiveContext openReceiveContext(
      String contextName, ReceiveBindings bindings, EndpointSettings settings) {
    requireOpen();
    loop.requireOutside("openReceiveContext");
    Objects.requireNonNull(contextName, "contextName");
    Objects.requireNonNull(bindings, "bindings");
    Objects.requireNonNull(settings, "settings");
    endpoints.requireOwn(bindings.queue().loop(), "completion queue");
    Counter counter = bindings.counter();
    if (counter != null) {
      endpoints.requireOwn(counter.loop(), "counter");
      counter.bind();
    }
    String role = "receives-" + contextNumber.incrementAndGet();
    ReceiveContext context;
    try {
      context =
          ReceiveContext.open(
              parts, contextName, bindings, settings, behavior -> spawn(behavior, role, matchers));
    } catch (RuntimeException e) {
      if (counter != null) {
        counter.unbind();
      }
      throw e;
    }
    contexts.removeIf(each -> !each.isOpen());
    contexts.add(context);
    return context;
  }

  /** Opens an endpoint with queues of its own for sends and receives. */
  public Endpoint openEndpoint(String endpointName) {
    Objects.requireNonNull(endpointName, "endpointName");
    return openEndpoint(endpointName, openCompletionQueue(), openCompletionQueue());
  }

  /** Opens an endpoint on given queues; both may be the same one. */
  public Endpoint openEndpoint(
      String endpointName, CompletionQueue transmitQueue, CompletionQueue receiveQueue) {
    return openEndpoint(endpointName, transmitQueue, receiveQueue, endpointDefaults);
  }

  /**
   * Opens an endpoint.
   *
   * @throws IllegalArgumentException if a queue belongs to another domain
   * @throws io.tagfabric.error.FabricException HOST_UNREACHABLE if no provider can serve it
   */
  public Endpoint openEndpoint(
      String endpointName,
      CompletionQueue transmitQueue,
      CompletionQueue receiveQueue,
      EndpointSettings settings) {
    return openEndpoint(endpointName, EndpointBindings.to(transmitQueue, receiveQueue), settings);
  }

  /** Opens an endpoint whose operations end in queues, counters, both or none. */
  public Endpoint openEndpoint(String endpointName, EndpointBindings bindings) {
    return openEndpoint(endpointName, bindings, endpointDefaults);
  }

  /**
   * The same with settings.
   *
   * @throws IllegalArgumentException if a queue or a counter belongs to another domain
   * @throws io.tagfabric.error.FabricException HOST_UNREACHABLE if no provider can serve it,
   *     BAD_STATE if a counter is closed
   */
  public Endpoint openEndpoint(
      String endpointName, EndpointBindings bindings, EndpointSettings settings) {
    return openEndpoint(fabric.nextEndpoint(), endpointName, bindings, settings);
  }

  /** The same with a number that no other endpoint of the system has. */
  Endpoint openEndpoint(
      int number, String endpointName, EndpointBindings bindings, EndpointSettings settings) {
    requireOpen();
    loop.requireOutside("openEndpoint");
    Objects.requireNonNull(endpointName, "endpointName");
    Objects.requireNonNull(bindings, "bindings");
    Objects.requireNonNull(settings, "settings");
    return endpoints.open(
        number,
        endpointName,
        bindings,
        settings,
        parts,
        fabric.providers(settings.providers()),
        observer::ended);
  }

  /**
   * Memory from which, and into which, long messages between JVMs of one host are copied once. It
   * is closed with the domain at the latest.
   *
   * @param bytes at least 1
   * @return shared by the first provider in {@code provider.use} that can; where none has room, a
   *     line in the log says so, and messages are copied as from any other memory
   * @throws io.tagfabric.error.FabricException NO_MEMORY if what the domains of this ActorSystem
   *     have would be more than {@code tagfabric.memory.budget}
   */
  public FabricMemory allocate(int bytes) {
    requireOpen();
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes=" + bytes + " < 1, ask for at least one");
    }
    return memories.allocate(
        bytes,
        () ->
            DomainMemories.shared(
                fabric.providers(endpointDefaults.providers()), fabric.settings(), bytes));
  }

  /**
   * Memory that is longer than one buffer may be, in segments of 1 GiB.
   *
   * @param bytes at least 1
   * @throws io.tagfabric.error.FabricException NO_MEMORY as {@link #allocate}; nothing is taken
   *     then
   */
  public FabricSegments allocateSegments(long bytes) {
    return allocateSegments(bytes, 1 << 30);
  }

  /**
   * The same in segments of a length.
   *
   * @param segmentBytes a multiple of 8
   */
  public FabricSegments allocateSegments(long bytes, int segmentBytes) {
    return FabricSegments.allocate(this, bytes, segmentBytes);
  }

  /**
   * Opens segments to peers: a region for each, all with the same rights and signals.
   *
   * @param options without a key, which only one region can have
   * @throws IllegalArgumentException if they name a key, and as for one region
   */
  public SegmentedRegion register(
      FabricSegments memory, Set<RegionRight> rights, RegionOptions options) {
    if (options.key().isPresent()) {
      throw new IllegalArgumentException(
          "a key is of one region, and there are segments=" + memory.segments().size());
    }
    return new SegmentedRegion(
        memory.segmentBytes(),
        memory.segments().stream().map(each -> register(each, rights, options)).toList());
  }

  /**
   * Opens memory to peers, by any endpoint of this domain, under a random key.
   *
   * @param buffer all of it; the region holds it until closed
   * @param rights what may be done with it
   */
  public Region register(MutableDirectBuffer buffer, Set<RegionRight> rights) {
    return register(buffer, rights, RegionOptions.DEFAULT);
  }

  /** The same of fabric memory. */
  public Region register(FabricMemory memory, Set<RegionRight> rights, RegionOptions options) {
    return register(memory.buffer(), rights, options);
  }

  /**
   * The same with options. A region is closed with the domain at the latest.
   *
   * @throws io.tagfabric.error.FabricException NO_KEY if another region of this domain has the key,
   *     BAD_STATE if the counter is closed
   * @throws IllegalArgumentException if the queue or the counter belongs to another domain, or the
   *     buffer moves when it grows
   * @source libfabric fi_mr(3), fi_mr_reg
   */
  public Region register(
      MutableDirectBuffer buffer, Set<RegionRight> rights, RegionOptions options) {
    requireOpen();
    Objects.requireNonNull(options, "options");
    if (options.queue() != null) {
      endpoints.requireOwn(options.queue().loop(), "completion queue");
    }
    if (options.counter() != null) {
      endpoints.requireOwn(options.counter().loop(), "counter");
    }
    if (options.accesses() != null) {
      endpoints.requireOwn(options.accesses().loop(), "counter");
    }
    return regions.register(buffer, rights, options);
  }

  /**
   * Finds an endpoint by name and makes it a peer of this domain; waits until there is one. Waiting
   * for the future drives the loop.
   *
   * @param endpointName on any node of the job, or {@code host:port/name}: at the ActorSystem that
   *     listens there, without a cluster too
   * @return the peer's index in the address vector; fails as {@link
   *     io.tagfabric.name.NameService#resolve(String)} does
   */
  public CompletionStage<Integer> connect(String endpointName) {
    return insert(fabric.resolve(endpointName));
  }

  /**
   * The same within a time.
   *
   * @return fails with NO_ENTRY if no endpoint has the name in time; the text says which names
   *     there are. With {@code host:port/name} it fails with HOST_UNREACHABLE if nobody answers
   *     there, KEY_REJECTED if that system is of another partition, INVALID if the text has a
   *     mistake, ADDRESS_NOT_AVAILABLE if this system has no remoting; with {@code
   *     tagfabric.names.enabled} off, OPERATION_NOT_SUPPORTED
   */
  public CompletionStage<Integer> connect(String endpointName, Duration timeout) {
    return insert(fabric.resolve(endpointName, timeout));
  }

  private CompletionStage<Integer> insert(CompletionStage<EndpointAddress> resolved) {
    ProgressFuture<Integer> peer = futures.create();
    resolved.whenComplete(
        (address, failure) -> {
          if (failure == null) {
            peer.complete(addressVector.insert(address));
          } else {
            peer.completeExceptionally(
                failure instanceof CompletionException ? failure.getCause() : failure);
          }
        });
    return peer;
  }

  /**
   * Binds the calling thread for the rest of its life, and those that it starts from now on, to the
   * cores that the domain's settings name; for a thread that polls in MANUAL progress.
   *
   * @return false if they name none, or this system cannot do it, which the log says
   */
  public boolean bindCurrentThread() {
    return CoreBinding.bindCurrentThread(progress.cores());
  }

  /**
   * Lets several posts of the calling thread enter the domain's loop as one: it is taken once, and
   * what they complete is published together. For a program that posts many receives or short
   * messages in a row. They do what they do elsewhere, in the same order; where the loop cannot be
   * had at once, each enters for itself.
   *
   * <p>Meanwhile nobody else makes progress, and neither do reads of the calls: a program whose
   * queue is full ends the batch before it reads. A wait inside is refused.
   *
   * @param calls posts, and reads that do not block
   * @throws IllegalStateException if one of the calls waits
   */
  public void batch(Runnable calls) {
    Objects.requireNonNull(calls, "calls");
    loop.requireCaller();
    if (!loop.tryBatch()) {
      calls.run();
      return;
    }
    try {
      calls.run();
    } finally {
      if (loop.endBatch() && progress.mode() == ProgressMode.AUTO) {
        loop.wake();
      }
    }
  }

  /**
   * Lets another thread have the domain for itself, where {@code tagfabric.progress.threads} is
   * one: the next that posts, reads or waits. The program must order the two, as by starting or
   * joining a thread. Elsewhere it does nothing.
   *
   * @throws IllegalStateException if another thread has it, or inside a pass
   */
  public void giveThreadUp() {
    loop.giveThreadUp();
  }

  /**
   * Waits until a condition holds, driving the loop; for conditions that passes of this domain make
   * true.
   *
   * @return false after the timeout or an interrupt
   */
  public boolean await(BooleanSupplier condition, Duration timeout) {
    Objects.requireNonNull(condition, "condition");
    long timeoutNs = Timeouts.nanos(timeout);
    loop.requireCaller();
    return loop.await(condition, loop.time().nanoTime() + timeoutNs, progress.waiting());
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new IllegalStateException("domain [" + name + "] is closed, open another");
    }
  }

  /**
   * Waits until the endpoints' accepted sends have left, at most for the configured timeout. The
   * domain stays open. One that a single thread drives is left to that thread.
   */
  void drain() {
    if (progress.mode() == ProgressMode.MANUAL && progress.threads() == ThreadUse.ONE) {
      return;
    }
    endpoints.drain(fabric.settings().get(FabricSettings.CLOSE_TIMEOUT));
  }

  /** Closes it as the ActorSystem ends: what has not left in its time is not waited for twice. */
  void closeAtEnd() {
    close(
        endpoints.isStuck() ? Duration.ZERO : fabric.settings().get(FabricSettings.CLOSE_TIMEOUT));
  }

  /** Closes the endpoints with the configured timeout, then stops the domain's actors. */
  public void close() {
    close(fabric.settings().get(FabricSettings.CLOSE_TIMEOUT));
  }

  /**
   * Closes the endpoints, each with {@code drainTimeout} for what was accepted to leave, then stops
   * the domain's actors. Idempotent. Completions already published can still be read, and a new
   * domain may have the name.
   *
   * <p>Peers that are in the middle of an access which they do themselves then get {@code
   * drainTimeout} too; after that it is cut off, and ends with NO_KEY. The call waits until none is
   * inside, or those who are have died, and for one that is stopped at most ten seconds.
   *
   * @throws IllegalArgumentException if {@code drainTimeout} is negative
   * @throws IllegalStateException if called by a listener, an actor or, in MANUAL mode, a callback
   *     of this domain; nothing is closed then
   */
  public void close(Duration drainTimeout) {
    Timeouts.requireNotNegative(drainTimeout, "drainTimeout");
    loop.requireOutside("close of a domain");
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    loop.openToAll();
    if (steering != null) {
      steering.end();
    }
    observer.closing();
    endpoints.close(drainTimeout);
    observer.closed();
    new PeersInside(name, regions, loop.time()).await(drainTimeout);
    regions.end();
    contexts.forEach(ReceiveContext::end);
    counters.forEach(Counter::end);
    var classic = Adapter.toClassic(fabric.system());
    classic.stop(Adapter.toClassic(guardian));
    thread.stop();
    GuardedMailbox.forget(fabric.system(), guardianName);
    memories.closeAll();
    fabric.closed(this);
    LoopDrainer.drain(fabric.environment(), loop, fabric.system(), name);
    fabric.dispatchers().giveBack(dispatcher);
    loop.recorder().closed();
  }
}
