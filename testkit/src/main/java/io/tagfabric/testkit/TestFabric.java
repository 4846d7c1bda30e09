package io.tagfabric.testkit;

import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.Team;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.provider.faults.LinkedProvider;
import io.tagfabric.provider.faults.Links;
import io.tagfabric.provider.local.LocalProvider;
import io.tagfabric.runtime.EnvironmentSetup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Endpoints of one test, by name: real ones, in one domain of an ActorSystem of their own, which
 * reach each other by the provider {@code local} through a {@link TestNetwork}. {@link FabricTest}
 * makes one for each test.
 *
 * <p>Names of the system and the domain are like no other, so tests can run in parallel. The
 * configuration is what {@code ConfigFactory.load()} finds, with {@link Builder#settings} over it;
 * Akka's provider is {@code local}, so there are no ports.
 *
 * <p>Thread: that of the test; waits drive the domain.
 */
public final class TestFabric implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TestFabric.class);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** What the close of an endpoint takes that nobody answers. */
  private static final Duration CRASH = Duration.ofMillis(200);

  /** For the end of the ActorSystem. */
  private static final Duration END = Duration.ofSeconds(30);

  /** From above, where programs seldom count. */
  private static final int LAST_TEAM_CONTEXT = 0xFFFF;

  private static final String OWN_SETTINGS =
      """
      akka.actor.provider = local
      akka.coordinated-shutdown.exit-jvm = off
      akka.coordinated-shutdown.run-by-jvm-shutdown-hook = off
      tagfabric.provider.use = [local]
      """;

  private final LeakPolicy leakPolicy;
  private final TestClock clock;
  private final ActorSystem<?> system;
  private final Fabric fabric;
  private final Domain domain;
  private final Links links;
  private final TestNetwork network;
  private final Map<String, Endpoint> endpoints = new LinkedHashMap<>();
  private final Set<String> crashed = new LinkedHashSet<>();
  private final List<TagProbe> probes = new ArrayList<>();
  private final List<Team> teams = new ArrayList<>();
  private final Map<String, Team> world = new LinkedHashMap<>();
  private int nextTeamContext = LAST_TEAM_CONTEXT;
  private boolean closed;

  private TestFabric(Builder builder) {
    String name = "tagfabric-test-" + NUMBER.incrementAndGet();
    leakPolicy = builder.leaks;
    clock = builder.time == TestTime.VIRTUAL ? new TestClock() : null;
    links = new Links(builder.seed);
    system = createSystem(name, builder.settings, clock);
    try {
      fabric = Fabric.get(system);
      fabric.addProvider(new LinkedProvider(new LocalProvider(), links));
      domain =
          builder.progress == null
              ? fabric.openDomain(name)
              : fabric.openDomain(name, builder.progress);
      for (String endpoint : builder.endpoints) {
        endpoints.put(endpoint, domain.openEndpoint(endpoint));
      }
    } catch (RuntimeException e) {
      system.terminate();
      throw e;
    }
    network = new TestNetwork(this, links);
  }

  private static ActorSystem<?> createSystem(String name, String settings, TestClock clock) {
    Config config =
        ConfigFactory.parseString(settings)
            .withFallback(clock == null ? ConfigFactory.empty() : ManualTime.config())
            .withFallback(ConfigFactory.parseString(OWN_SETTINGS))
            .withFallback(ConfigFactory.load());
    BootstrapSetup bootstrap = BootstrapSetup.create(config.resolve());
    return ActorSystem.create(
        Behaviors.empty(),
        name,
        clock == null
            ? ActorSystemSetup.create(bootstrap)
            : ActorSystemSetup.create(bootstrap, new EnvironmentSetup(clock)));
  }

  /** A builder of two endpoints, {@code a} and {@code b}, real time, and no faults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Endpoints with these names, and else as {@link #builder()} has it. */
  public static TestFabric of(String... endpoints) {
    return builder().endpoints(endpoints).build();
  }

  /** What a {@link TestFabric} is made from. */
  public static final class Builder {
    private List<String> endpoints = List.of("a", "b");
    private String settings = "";
    private ProgressMode progress;
    private TestTime time = TestTime.REAL;
    private long seed = 1;
    private LeakPolicy leaks = LeakPolicy.FAIL;

    private Builder() {}

    /**
     * Names of the endpoints, in their order.
     *
     * @throws IllegalArgumentException if there is none, or one twice
     */
    public Builder endpoints(String... names) {
      if (names.length == 0 || Set.copyOf(List.of(names)).size() < names.length) {
        throw new IllegalArgumentException(
            "endpoints=" + List.of(names) + ", give one name at least, and each once");
      }
      endpoints = List.of(names);
      return this;
    }

    /** Configuration over that of the program, in HOCON. */
    public Builder settings(String hocon) {
      settings = Objects.requireNonNull(hocon, "hocon");
      return this;
    }

    /** What drives the domain; without it {@code tagfabric.progress.mode} says so. */
    public Builder progress(ProgressMode mode) {
      progress = Objects.requireNonNull(mode, "mode");
      return this;
    }

    /** What timers go by. */
    public Builder time(TestTime kind) {
      time = Objects.requireNonNull(kind, "kind");
      return this;
    }

    /** Seed of the network's choices. */
    public Builder seed(long number) {
      seed = number;
      return this;
    }

    /** What becomes of a test that leaves something behind. */
    public Builder leaks(LeakPolicy policy) {
      leaks = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /** The same endpoints, each on a node of its own, in a simulation. */
    SimulatedRun simulate() {
      return new SimulatedRun(endpoints, settings, seed);
    }

    /** Opens everything. */
    public TestFabric build() {
      return new TestFabric(this);
    }
  }

  /** The ActorSystem. */
  public ActorSystem<?> system() {
    return system;
  }

  /** The fabric of that system. */
  public Fabric fabric() {
    return fabric;
  }

  /** The domain of all endpoints. */
  public Domain domain() {
    return domain;
  }

  /** What lies between the endpoints. */
  public TestNetwork network() {
    return network;
  }

  /** Names of the endpoints in their order. */
  public List<String> names() {
    return List.copyOf(endpoints.keySet());
  }

  /**
   * An endpoint; after a {@link TestNetwork#bounce} the new one.
   *
   * @throws IllegalArgumentException if none has the name; the text says which there are
   */
  public Endpoint endpoint(String name) {
    Endpoint endpoint = endpoints.get(name);
    if (endpoint == null) {
      throw new IllegalArgumentException(
          "no endpoint [" + name + "], there are " + endpoints.keySet() + ", name it in endpoints");
    }
    return endpoint;
  }

  /** The index by which each endpoint here sends to this one. */
  public int peer(String name) {
    return domain.addressVector().insert(endpoint(name).address());
  }

  /** What people call the peer with an index: its endpoint's name. */
  public String nameOf(int peer) {
    EndpointAddress address = peer < 0 ? null : domain.addressVector().lookup(peer);
    return address == null ? "peer " + peer : address.name();
  }

  /** A probe of an endpoint, with futures. */
  public TagProbe probe(String name) {
    return probe(name, Face.FUTURES);
  }

  /** A probe of an endpoint. */
  public TagProbe probe(String name, Face face) {
    endpoint(name);
    TagProbe probe = new TagProbe(this, name, face);
    probes.add(probe);
    return probe;
  }

  /**
   * Opens a team of all endpoints that have not crashed: one object for each member, in order. It
   * is closed with the fabric.
   */
  public List<Team> openTeam() {
    List<String> alive = names().stream().filter(name -> !crashed.contains(name)).toList();
    return openTeam(alive.toArray(String[]::new));
  }

  /** Opens a team of some endpoints, in the order given. */
  public List<Team> openTeam(String... names) {
    List<Endpoint> members = List.of(names).stream().map(this::endpoint).toList();
    List<EndpointAddress> addresses = members.stream().map(Endpoint::address).toList();
    int context = nextTeamContext--;
    List<Team> opened = new ArrayList<>();
    for (Endpoint member : members) {
      opened.add(Team.open(domain, member, addresses, context));
    }
    teams.addAll(opened);
    return opened;
  }

  /** The team of all, as this endpoint holds it; opened when it is first asked for. */
  Team world(String name) {
    endpoint(name);
    if (world.isEmpty()) {
      openTeam().forEach(team -> world.put(names().get(team.rank()), team));
    }
    return world.get(name);
  }

  /**
   * Waits until a condition holds, at most 10 s of real time, driving the domain.
   *
   * @throws AssertionError if it does not hold by then
   */
  public void await(BooleanSupplier condition, String what) {
    if (!Waits.until(domain.loop(), condition, Waits.PATIENCE)) {
      throw new AssertionError(
          what + ": not so within " + Waits.text(Waits.PATIENCE) + faultsText());
    }
  }

  /**
   * The result of a stage, for which it waits at most 10 s of real time, driving the domain.
   *
   * @throws AssertionError if there is none by then
   * @throws io.tagfabric.error.FabricException if the stage fails so; other failures the same
   */
  public <T> T await(CompletionStage<T> stage) {
    return Waits.result(domain.loop(), stage, Waits.PATIENCE, faultsText());
  }

  /**
   * Lets virtual time pass, that of the endpoints and Akka's: timers fire in their order, and what
   * they send arrives before time goes on. What other threads do takes its own time, as with {@link
   * ManualTime}: wait for it.
   *
   * @throws IllegalStateException in real time
   */
  public void advance(Duration duration) {
    if (clock == null) {
      throw new IllegalStateException(
          "time=REAL passes by itself, ask for time = VIRTUAL to move it");
    }
    clock.advance(duration, system, domain.loop());
  }

  /** Lets time pass in which nothing is expected. */
  void idle(Duration duration) {
    if (clock == null) {
      Waits.until(domain.loop(), () -> false, duration);
    } else {
      advance(duration);
    }
  }

  String faultsText() {
    List<String> faults = network.faults();
    return faults.isEmpty() ? "" : "\nnetwork: " + String.join("; ", faults);
  }

  Links.End end(String name) {
    return Links.End.of(endpoint(name).address());
  }

  boolean hasCrashed(String name) {
    endpoint(name);
    return crashed.contains(name);
  }

  void closeCrashed(String name) {
    if (crashed.add(name)) {
      CompletableFuture<?> closed = endpoint(name).close(Duration.ZERO).toCompletableFuture();
      if (clock != null) {
        advance(CRASH);
      }
      await(closed);
    }
  }

  Endpoint reopen(String name) {
    Endpoint opened = domain.openEndpoint(name);
    crashed.remove(name);
    endpoints.put(name, opened);
    return opened;
  }

  /**
   * Closes everything that was opened here. What the test has left behind is reported as {@link
   * Builder#leaks} says: endpoints and domains that it has opened and not closed, receives and
   * sends that have not ended, messages that nobody received, packets that are held. Idempotent.
   *
   * @throws AssertionError if there are leaks, and they are to fail the test
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    List<String> leaks = new ArrayList<>();
    try {
      teams.forEach(Team::close);
      if (leakPolicy != LeakPolicy.IGNORE) {
        leaks.addAll(new Leaks(this).find());
      }
      probes.forEach(TagProbe::stop);
      if (clock != null) {
        clock.flow();
      }
      for (Map.Entry<String, Endpoint> each : endpoints.entrySet()) {
        if (!crashed.contains(each.getKey())) {
          Endpoint.Closed report = await(each.getValue().close(Duration.ZERO));
          leaks.addAll(Leaks.ofClosed(each.getKey(), report));
        }
      }
      fabric.domains().forEach(each -> each.close(Duration.ZERO));
    } finally {
      system.terminate();
      if (clock == null) {
        Waits.ended(system.getWhenTerminated(), END);
      } else {
        clock.runOut(system, END);
      }
    }
    report(leaks);
  }

  private void report(List<String> leaks) {
    if (leaks.isEmpty() || leakPolicy == LeakPolicy.IGNORE) {
      return;
    }
    String text = "the test has left behind:\n  " + String.join("\n  ", leaks);
    if (leakPolicy == LeakPolicy.FAIL) {
      throw new AssertionError(text);
    }
    LOG.warn(text);
  }
}
