package io.tagfabric.fabric;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Extension;
import akka.actor.typed.ExtensionId;
import io.tagfabric.address.AddressVector;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.JobKeys;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.complete.ListenerFailures;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.kryo.KryoCodec;
import io.tagfabric.kryo.actor.KryoExtension;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.name.NameService;
import io.tagfabric.node.Announcement;
import io.tagfabric.node.NodeDirectory;
import io.tagfabric.progress.CoreBinding;
import io.tagfabric.progress.CoreSet;
import io.tagfabric.progress.ProgressDispatchers;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.faults.FaultSettings;
import io.tagfabric.provider.faults.FaultyProvider;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.NodeStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Tagfabric in one ActorSystem: settings, job key, providers. Opens domains; closes them before the
 * system ends. Thread: any.
 *
 * @source libfabric fi_fabric(3)
 */
public final class Fabric implements Extension {
  private final ActorSystem<?> system;
  private final Settings settings;
  private final Map<String, Provider> providers =
      Collections.synchronizedMap(new LinkedHashMap<>());
  private final KryoCodec objects;
  private final Environment environment;
  private final List<UUID> jobKeys;
  private final int partitionKey;
  private final ProgressSettings progressDefaults;
  private final EndpointSettings endpointDefaults;
  private final FaultSettings faults;
  private final MemoryBudget memoryBudget;
  private final Membership membership;
  private final NodeHealth health;
  private final NodeDirectory nodes;
  private final NameService names;
  private final ProgressDispatchers dispatchers;
  private final List<Domain> domains = new CopyOnWriteArrayList<>();
  private final Set<String> domainNames = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> timesOpened = new ConcurrentHashMap<>();
  private final List<Consumer<NodeDeparture>> departureListeners = new CopyOnWriteArrayList<>();
  private final ListenerFailures listenerFailures = new ListenerFailures();
  private final StatsFile stats;
  private final AtomicInteger endpointNumber;

  private Fabric(ActorSystem<?> system) {
    this.system = system;
    environment = Environment.of(system);
    SystemCheck.of(system, environment.process());
    membership = environment.membership(system);
    endpointNumber = new AtomicInteger(environment.firstEndpoint());
    settings = Settings.of(system.settings().config(), environment.variables());
    Provider.installed().forEach(provider -> providers.put(provider.name(), provider));
    objects = KryoExtension.codec(system);
    jobKeys = JobKeys.of(settings);
    partitionKey = settings.get(FabricSettings.PARTITION_KEY);
    progressDefaults = FabricDefaults.progress(settings);
    endpointDefaults = FabricDefaults.endpoint(settings);
    faults = FabricDefaults.faults(settings);
    memoryBudget = new MemoryBudget(settings.get(FabricSettings.MEMORY_BUDGET));
    health =
        NodeHealth.watch(
            system, membership, settings.get(FabricSettings.PEER_TIMEOUT), new Departures());
    nodes =
        NodeDirectory.start(
            system,
            membership,
            environment.mail(system),
            new Announcement(
                membership.self(),
                environment.protocols(),
                settings.get(FabricSettings.PROVIDERS),
                keyIds(),
                "",
                false,
                false));
    names =
        settings.get(FabricSettings.NAMES_ENABLED)
            ? NameService.start(
                system,
                membership,
                environment.mail(system),
                FabricDefaults.names(settings),
                node -> nodes.presence(node) == NodeDirectory.Presence.ABSENT)
            : NameService.off(system);
    dispatchers = new ProgressDispatchers(system);
    stats = StatsFile.of(settings(), environment());
    // Sends leave while all nodes still see this one; shards, for instance, hand over after that.
    CoordinatedShutdown end = CoordinatedShutdown.get(system);
    end.addTask(
        CoordinatedShutdown.PhaseBeforeClusterShutdown(),
        "tagfabric-drain-domains",
        () -> forEachDomain("tagfabric-leave", Domain::drain));
    end.addTask(
        CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
        "tagfabric-close-domains",
        () -> forEachDomain("tagfabric-close", Domain::closeAtEnd));
  }

  /** Which nodes have a fabric. */
  @InternalApi
  public NodeDirectory nodes() {
    return nodes;
  }

  /** The fabric of an ActorSystem. */
  public static Fabric get(ActorSystem<?> system) {
    return Id.INSTANCE.apply(system);
  }

  /** The extension's identity, for `akka.actor.typed.extensions`. */
  public static final class Id extends ExtensionId<Fabric> {
    private static final Id INSTANCE = new Id();

    private Id() {}

    /** Called by Akka. */
    public static Id getInstance() {
      return INSTANCE;
    }

    @Override
    public Fabric createExtension(ActorSystem<?> system) {
      return new Fabric(system);
    }
  }

  public ActorSystem<?> system() {
    return system;
  }

  /** The settings below `tagfabric`. */
  public Settings settings() {
    return settings;
  }

  /** The first of {@link #jobKeys}, by which this system proves that it is of its job. */
  public UUID jobKey() {
    return jobKeys.get(0);
  }

  /**
   * The keys of the job that this system belongs to, all zeros outside a job. A peer is of the job
   * if it proves any of them.
   */
  public List<UUID> jobKeys() {
    return jobKeys;
  }

  /**
   * What may be told of each of {@link #jobKeys} to name it in this partition, in their order; it
   * does not tell the key.
   */
  public List<String> keyIds() {
    return JobKeys.ids(jobKeys, partitionKey);
  }

  /** The partition of the job. */
  public int partitionKey() {
    return partitionKey;
  }

  /** uid of the ActorSystem. */
  public long incarnation() {
    return membership.self().incarnation();
  }

  /** The codec for objects. */
  public KryoCodec objects() {
    return objects;
  }

  /** How domains make progress unless they are opened otherwise. */
  public ProgressSettings progressDefaults() {
    return progressDefaults;
  }

  /** What endpoints are opened with unless told otherwise. */
  public EndpointSettings endpointDefaults() {
    return endpointDefaults;
  }

  MemoryBudget memoryBudget() {
    return memoryBudget;
  }

  /** All providers on the class path by name, and those added since. */
  public Map<String, Provider> providers() {
    synchronized (providers) {
      return Map.copyOf(providers);
    }
  }

  /**
   * Adds a provider that the class path does not name, or takes it instead of the one of the same
   * name; for endpoints opened from now on.
   */
  public void addProvider(Provider provider) {
    providers.put(provider.name(), provider);
  }

  /**
   * Providers by name.
   *
   * @throws FabricException NO_DATA if one is not on the class path
   */
  List<Provider> providers(List<String> names) {
    List<Provider> chosen = new ArrayList<>();
    for (String name : names) {
      Provider provider = providers.get(name);
      if (provider == null) {
        throw new FabricException(
            FabricError.NO_DATA,
            "provider.use names [" + name + "], there are " + providers.keySet());
      }
      chosen.add(FaultyProvider.decorate(provider, faults));
    }
    return chosen;
  }

  /**
   * What endpoints of this fabric can do, best first: over each provider in {@code
   * tagfabric.provider.use}, or over the one that the hints name. Opens nothing. Thread: any.
   *
   * @throws FabricException NO_DATA if nothing fits; the text repeats the hints
   * @source libfabric fi_getinfo(3)
   */
  public List<FabricInfo> info(FabricHints hints) {
    Objects.requireNonNull(hints, "hints");
    List<FabricInfo> fitting =
        FabricInfo.find(settings, providers().values(), hints).stream()
            .filter(info -> info.preference() > 0 || hints.provider().isPresent())
            .toList();
    if (fitting.isEmpty()) {
      throw new FabricException(
          FabricError.NO_DATA,
          "nothing fits " + hints + ", there are providers " + providers().keySet());
    }
    return fitting;
  }

  /** Opens a domain with the configured progress mode. */
  public Domain openDomain(String name) {
    return openDomain(name, progressDefaults);
  }

  /** Opens a domain with a progress mode. */
  public Domain openDomain(String name, ProgressMode mode) {
    return openDomain(name, progressDefaults.withMode(mode));
  }

  /**
   * Opens a domain.
   *
   * @param name unique among the open domains of the ActorSystem; letters, digits, `-` and `_`
   * @throws IllegalArgumentException if the name has other characters
   * @throws IllegalStateException if it is taken, or the progress thread is to run on the core of
   *     the caller and the operating system does not tell which that is
   */
  public Domain openDomain(String name, ProgressSettings progress) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(progress, "progress");
    if (!name.matches("[A-Za-z0-9_-]+")) {
      throw new IllegalArgumentException(
          "domain name [" + name + "] must be of letters, digits, - and _");
    }
    if (!domainNames.add(name)) {
      throw new IllegalStateException(
          "domain name [" + name + "] is taken, close that domain first or choose another name");
    }
    int times = timesOpened.merge(name, 1, Integer::sum);
    String id = times == 1 ? name : name + "~" + times; // no name has that character
    try {
      CoreSet cores = CoreBinding.placed(progress.cores());
      Domain domain = new Domain(this, name, id, progress.withCores(cores), endpointDefaults);
      domains.add(domain);
      return domain;
    } catch (RuntimeException e) {
      domainNames.remove(name);
      throw e;
    }
  }

  /** The domains open now. */
  public List<Domain> domains() {
    return List.copyOf(domains);
  }

  /**
   * The name service; actors tell it {@link NameService.Command}s. With {@code
   * tagfabric.names.enabled} off it is not there: its calls, and those of this class and of {@link
   * Domain} that use names, fail with OPERATION_NOT_SUPPORTED.
   */
  public NameService names() {
    return names;
  }

  /**
   * Gives an endpoint of this ActorSystem a name by which all nodes of the job find it, until it is
   * closed. On a node of a cluster it waits until the node is {@code Up}.
   *
   * @return completes when the endpoint has the name; {@link NameService.Registered#lost} tells if
   *     it loses it again. Fails with ADDRESS_IN_USE if another endpoint has the name, with
   *     TIMED_OUT if the node is not {@code Up} within {@code tagfabric.flow.connect-timeout}, with
   *     SHUTDOWN if it is no longer a member of its cluster
   */
  public CompletionStage<NameService.Registered> register(String name, Endpoint endpoint) {
    Objects.requireNonNull(endpoint, "endpoint");
    return untilItCloses(names.register(name, endpoint.address()), endpoint);
  }

  /** The same for a name that is asked for as {@code host:port/name} alone; waits for nobody. */
  @InternalApi
  public CompletionStage<NameService.Registered> registerHere(String name, Endpoint endpoint) {
    Objects.requireNonNull(endpoint, "endpoint");
    return untilItCloses(names.registerHere(name, endpoint.address()), endpoint);
  }

  private CompletionStage<NameService.Registered> untilItCloses(
      CompletionStage<NameService.Registered> registered, Endpoint endpoint) {
    endpoint.onClose(() -> names.unregisterAll(endpoint.address()));
    return registered;
  }

  /**
   * The endpoint of a name, on any node of the job, or of {@code host:port/name}, at the
   * ActorSystem that listens there, without a cluster too; waits until there is one. See {@link
   * NameService#resolve(String)} for how it fails.
   */
  public CompletionStage<EndpointAddress> resolve(String name) {
    return names.resolve(name);
  }

  /**
   * The same within a time.
   *
   * @return fails with NO_ENTRY if no endpoint has the name in time; the text says which names
   *     there are. See {@link NameService#resolve(String, Duration)} for the rest
   */
  public CompletionStage<EndpointAddress> resolve(String name, Duration timeout) {
    return names.resolve(name, timeout);
  }

  /** Frees a name that an endpoint of this ActorSystem holds. */
  public CompletionStage<NameService.Unregistered> unregister(String name) {
    return names.unregister(name);
  }

  /**
   * Tells a listener of nodes that go from now on, after the domains have been told. Without a
   * cluster none ever does. The listener must not block.
   */
  public void onNodeDeparture(Consumer<NodeDeparture> listener) {
    departureListeners.add(Objects.requireNonNull(listener, "listener"));
  }

  /** Ends what {@link #onNodeDeparture} began. */
  public void removeNodeDepartureListener(Consumer<NodeDeparture> listener) {
    departureListeners.remove(listener);
  }

  /** What this node gets from outside. */
  @InternalApi
  public Environment environment() {
    return environment;
  }

  /** The nodes that this one knows of. */
  @InternalApi
  public Membership membership() {
    return membership;
  }

  /** What the membership says of an endpoint's node. Thread: any. */
  @InternalApi
  public NodeStatus statusOf(EndpointAddress address) {
    return health.of(address);
  }

  /**
   * Opens an endpoint of several contexts, each in a domain of its own, whose name is that of the
   * endpoint with {@code -0}, {@code -1} and so on.
   *
   * @throws IllegalStateException if a domain of such a name is open
   * @throws FabricException HOST_UNREACHABLE if no provider can serve it; INVALID if the address of
   *     so many contexts does not fit into a packet
   */
  public ScalableEndpoint openScalableEndpoint(String name, ScalableOptions options) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(options, "options");
    return ScalableEndpoint.open(this, name, options);
  }

  /** Where domains write what they have done; null if nowhere. */
  StatsFile stats() {
    return stats;
  }

  int nextEndpoint() {
    return nextEndpoints(1);
  }

  /** The first of so many numbers in a row. */
  int nextEndpoints(int count) {
    return endpointNumber.getAndAdd(count);
  }

  ProgressDispatchers dispatchers() {
    return dispatchers;
  }

  void closed(Domain domain) {
    domains.remove(domain);
    domainNames.remove(domain.name());
  }

  private final class Departures implements NodeHealth.Listener {
    @Override
    public void onGone(NodeDeparture departure) {
      AddressVector.NodeGone gone =
          new AddressVector.NodeGone(departure.node(), departure.incarnation(), departure.detail());
      for (Domain domain : domains) {
        domain.addressVector().ref().tell(gone);
      }
    }

    @Override
    public void onDeparture(NodeDeparture departure) {
      for (Consumer<NodeDeparture> listener : departureListeners) {
        try {
          listener.accept(departure);
        } catch (Throwable e) {
          listenerFailures.caught(listener, e);
        }
      }
    }
  }

  /**
   * Takes a step of all domains at once. Each is on a thread of its own: such a step waits, and a
   * MANUAL domain has no driver.
   *
   * @return completes once all have ended, also by failing
   */
  CompletionStage<Done> forEachDomain(String thread, Consumer<Domain> step) {
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (Domain domain : domains()) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      ends.add(end);
      environment
          .threads()
          .start(
              thread + '-' + domain.name(),
              () -> {
                try {
                  step.accept(domain);
                } finally {
                  end.complete(null);
                }
              });
    }
    return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
        .thenApply(all -> Done.getInstance());
  }
}
