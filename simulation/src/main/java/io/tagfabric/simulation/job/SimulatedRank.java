package io.tagfabric.simulation.job;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import com.typesafe.config.Config;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.cluster.profile.Profiles;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.LoopDriver;
import io.tagfabric.runtime.Mail;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.NodeId;
import io.tagfabric.runtime.RandomSource;
import io.tagfabric.simulation.isolate.ProgramCode;
import io.tagfabric.simulation.isolate.ProgramLoader;
import io.tagfabric.simulation.network.NodeLoops;
import io.tagfabric.simulation.network.SimulatedNetwork;
import io.tagfabric.simulation.network.SimulatedProvider;
import io.tagfabric.simulation.world.Participant;
import io.tagfabric.simulation.world.Scheduler;
import io.tagfabric.simulation.world.SimulatedSystem;
import io.tagfabric.simulation.world.SimulatedSystems;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A rank of a simulated job: its program, its process, and its node. Thread: the simulation's, or
 * one of the rank's that has the baton.
 */
final class SimulatedRank implements Environment {
  private static final int PORT = 1;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final int NOT_ENDED = -1;

  private final int number;
  private final JobSpec spec;
  private final Scheduler scheduler;
  private final SimulatedNetwork network;
  private final SimulatedSystems systems;
  private final JobTrace trace;
  private final SplittableRandom random;
  private final RankThreads threads;
  private final NodeLoops loops;
  private final RankProcess process = new RankProcess(this);
  private final RankProgram program;
  private final ProgramLoader loader;
  private final SimulatedCluster.Member member;
  private final RankMail mail;
  private final String address;
  private SimulatedSystem simulated;
  private Actors actors;
  private int code = NOT_ENDED;
  private boolean failed;
  private boolean removed;

  SimulatedRank(
      int number,
      int size,
      UUID key,
      long seed,
      Scheduler scheduler,
      SimulatedNetwork network,
      SimulatedSystems systems,
      SimulatedCluster cluster,
      ProgramCode code,
      Consumer<String> output,
      JobTrace trace,
      Path traceDirectory) {
    this.number = number;
    this.scheduler = scheduler;
    this.network = network;
    this.systems = systems;
    this.trace = trace;
    spec =
        new JobSpec(
            key,
            number,
            size,
            "rank-" + number,
            PORT,
            "rank-0",
            PORT,
            0,
            Optional.empty(),
            Profile.TCP);
    address = "akka://" + Profiles.SYSTEM_NAME + "@rank-" + number + ":" + PORT;
    random = new SplittableRandom(seed * GOLDEN + number);
    threads = new RankThreads(this, scheduler);
    loops = new NodeLoops("rank " + number, number, scheduler, network);
    program =
        new RankProgram(
            this,
            scheduler.clock(),
            variables(spec, traceDirectory),
            ~seed * GOLDEN + number,
            output);
    loader = new ProgramLoader(code, program);
    member = cluster.add(number, size, new NodeId(address, 1L + number));
    mail = new RankMail(this, size, cluster.ranks(), scheduler, network);
  }

  /** Each rank is a host of its own: what ranks of one host share passes no network. */
  private static Map<String, String> variables(JobSpec spec, Path traceDirectory) {
    Map<String, String> variables = new LinkedHashMap<>(spec.toEnvironment());
    variables.put(JobSettings.LOCALITY.variable(), spec.host());
    if (traceDirectory != null) {
      variables.put(FabricSettings.TRACE_DIRECTORY.variable(), traceDirectory.toString());
    }
    return variables;
  }

  /** The actors of the rank's system outside of domains, which may call a loop. */
  private final class Actors implements Participant {
    @Override
    public String name() {
      return simulated.name();
    }

    @Override
    public boolean isReady() {
      return simulated.isReady();
    }

    @Override
    public long nextNs() {
      return simulated.nextNs();
    }

    @Override
    public void turn() {
      simulated.turn();
      touch();
    }
  }

  /** Runs the program's {@code main}, when it gets its first turn. */
  void start(String mainClass, List<String> arguments) {
    threads.begin("main", false, () -> run(mainClass, arguments));
  }

  private void run(String mainClass, List<String> arguments) {
    try {
      Method main = Class.forName(mainClass, true, loader).getMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) arguments.toArray(String[]::new));
    } catch (InvocationTargetException failure) {
      if (failure.getCause() instanceof Error error) {
        throw error;
      }
      throw failure.getCause() instanceof RuntimeException thrown
          ? thrown
          : new IllegalStateException(failure.getCause());
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** As a JVM does, the process ends when its last thread has that is no daemon. */
  void onThreadOver(RankThreads.Running thread) {
    failed |= !thread.isDaemon() && thread.failure() != null;
    if (!hasEnded() && !process.isEnding() && !threads.isBusy()) {
      threads.begin("exit", () -> process.exit(failed ? 1 : 0));
    }
  }

  int number() {
    return number;
  }

  String address() {
    return address;
  }

  RankProgram program() {
    return program;
  }

  ProgramLoader loader() {
    return loader;
  }

  /** Its ActorSystem, null while it has none. */
  ActorSystem<?> system() {
    return simulated == null ? null : simulated.system();
  }

  boolean hasEnded() {
    return code != NOT_ENDED;
  }

  /** What it has ended with, -1 if it has not. */
  int code() {
    return code;
  }

  /** Somebody may have called its loops. */
  void touch() {
    loops.touch();
  }

  /** Its process ends, with all that is in it, when the present turn is over. */
  void end(int withCode) {
    if (!hasEnded()) {
      code = withCode & 0xFF;
      trace.ended(number, code);
      scheduler.after(0, this::remove);
    }
  }

  /** It is killed from outside. */
  void kill(int withCode) {
    if (!hasEnded()) {
      trace.killed(number);
      end(withCode);
    }
  }

  /** The others have given it up, and it has heard of that. */
  void downed() {
    if (!hasEnded() && simulated != null) {
      simulated.system().terminate();
    }
  }

  /** Takes it from the simulation. */
  void remove() {
    if (!removed) {
      removed = true;
      threads.endAll();
      loops.remove();
      if (actors != null) {
        scheduler.remove(actors);
      }
      network.crash(number);
    }
  }

  // --- what its node gets

  @Override
  public Optional<ActorSystem<?>> createSystem(
      Behavior<?> guardian, JobSpec wanted, Config application) {
    simulated =
        systems.make(
            "rank " + number + " actors",
            scheduler,
            this,
            guardian,
            Profiles.akkaConfig(wanted, application),
            loader);
    simulated.fabric().addProvider(new SimulatedProvider(network, number, false));
    actors = new Actors();
    scheduler.add(actors);
    return Optional.of(simulated.system());
  }

  @Override
  public TimeSource time() {
    return scheduler.clock();
  }

  @Override
  public InstantSource wallClock() {
    return () -> Instant.EPOCH.plusNanos(scheduler.clock().nanoTime());
  }

  @Override
  public RandomSource random() {
    return random::nextLong;
  }

  @Override
  public RankProcess process() {
    return process;
  }

  @Override
  public RankThreads threads() {
    return threads;
  }

  @Override
  public String vm() {
    return "simulated rank " + number;
  }

  @Override
  public Optional<LoopDriver> loopDriver() {
    return Optional.of(loops);
  }

  @Override
  public Membership membership(ActorSystem<?> system) {
    return member;
  }

  @Override
  public Mail mail(ActorSystem<?> system) {
    return mail;
  }

  @Override
  public Map<String, String> variables() {
    return program.variables();
  }
}
