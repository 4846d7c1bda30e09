package io.tagfabric.simulation.ranks;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.Config;
import io.tagfabric.cluster.host.RankFrames;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.ProcessControl;
import io.tagfabric.simulation.isolate.JvmEnvironment;
import io.tagfabric.simulation.isolate.ProgramCode;
import io.tagfabric.simulation.isolate.ProgramLoader;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A rank of this JVM: its program, its process, and what its node gets from outside. Ends, as a JVM
 * does, when the program says so, or when its {@code main} and all threads that are no daemons have
 * ended.
 */
final class Rank {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private final RankProcess process;
  private final Program program;
  private final Node node = new Node();
  private final ThreadGroup group;
  private final ProgramLoader loader;
  private final List<ActorSystem<?>> systems = new CopyOnWriteArrayList<>();
  private volatile Executor executor;
  private volatile boolean failed;

  /**
   * A rank that has not begun.
   *
   * @param variables of its environment
   * @param in its standard input
   */
  Rank(
      int number,
      ProgramCode code,
      Map<String, String> variables,
      InputStream in,
      RankStreams streams) {
    program = new Program(number, variables, in, streams);
    process = new RankProcess(program::say);
    group = new ThreadGroup("rank-" + number);
    loader = new ProgramLoader(code, program);
    process.whenEnded().thenAccept(end -> onEnded(number, end, streams));
  }

  /**
   * The rank whose thread this is.
   *
   * @return empty of a thread of none
   */
  static Optional<Program> ofThread() {
    Thread current = Thread.currentThread();
    Optional<Program> byLoader =
        ProgramLoader.environmentOf(current)
            .filter(Program.class::isInstance)
            .map(Program.class::cast);
    return byLoader.isPresent() || !(Environment.current() instanceof Node own)
        ? byLoader
        : Optional.of(own.program());
  }

  RankProcess process() {
    return process;
  }

  /** Runs the program's {@code main} on a thread of its own. */
  void start(String mainClass, String[] arguments) {
    Thread main =
        new Thread(
            group,
            () ->
                Environment.within(
                    node,
                    () -> {
                      run(mainClass, arguments);
                      return null;
                    }),
            "main");
    main.setDaemon(false);
    main.setContextClassLoader(loader);
    main.start();
    Thread end = new Thread(() -> awaitEnd(main), "end-of-" + group.getName());
    end.setDaemon(true);
    end.start();
  }

  private void run(String mainClass, String[] arguments) {
    try {
      Method main = Class.forName(mainClass, true, loader).getMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) arguments);
    } catch (InvocationTargetException failure) {
      failed = true;
      throw Rank.<RuntimeException>unchecked(failure.getCause());
    } catch (ReflectiveOperationException | LinkageError failure) {
      failed = true;
      throw Rank.<RuntimeException>unchecked(failure);
    }
  }

  /** What a {@code main} throws reaches the handler of its thread as it is. */
  // the compiler checks exceptions, the JVM does not
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T unchecked(Throwable failure) throws T {
    throw (T) failure;
  }

  private void awaitEnd(Thread main) {
    try {
      main.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return;
    }
    while (isBusy() && !process.hasEnded()) {
      LockSupport.parkNanos(LOOK_NS);
    }
    process.end(failed ? ExitCode.FAILED : ExitCode.OK);
  }

  private boolean isBusy() {
    Thread[] threads = new Thread[group.activeCount() + 8];
    int count = group.enumerate(threads);
    for (int i = 0; i < count; i++) {
      if (threads[i].isAlive() && !threads[i].isDaemon()) {
        return true;
      }
    }
    return false;
  }

  private void onEnded(int number, RankProcess.End end, RankStreams streams) {
    program.out().flush();
    program.err().flush();
    if (end.isCut()) {
      systems.forEach(Severed::cut);
    }
    streams.end(number, end);
  }

  private synchronized Executor executor() {
    if (executor == null) {
      executor =
          new ForkJoinPool(
              Math.max(1, Runtime.getRuntime().availableProcessors() - 1),
              pool -> {
                ForkJoinWorkerThread worker =
                    ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
                worker.setContextClassLoader(loader);
                return worker;
              },
              null,
              true);
    }
    return executor;
  }

  /** What the program gets. */
  final class Program extends JvmEnvironment {
    Program(int number, Map<String, String> variables, InputStream in, RankStreams streams) {
      super(
          variables,
          in,
          streams.open(number, RankFrames.Kind.OUT),
          streams.open(number, RankFrames.Kind.ERR));
    }

    void say(String line) {
      err().println(line);
    }

    @Override
    public Executor executor() {
      return Rank.this.executor();
    }

    @Override
    public void exit(int code) {
      process.exit(code);
    }

    @Override
    public void halt(int code) {
      out().flush();
      process.cut(code);
    }

    @Override
    public void addShutdownHook(Thread hook) {
      process.add(hook);
    }

    @Override
    public boolean removeShutdownHook(Thread hook) {
      return process.remove(hook);
    }
  }

  /** What the rank's node gets: its own variables and end, all else from this JVM. */
  private final class Node implements Environment {
    Program program() {
      return program;
    }

    @Override
    public ProcessControl process() {
      return process;
    }

    @Override
    public Map<String, String> variables() {
      return program.variables();
    }

    @Override
    public Config settings() {
      return program.changedProperties();
    }

    @Override
    public Membership membership(ActorSystem<?> system) {
      systems.add(system);
      return Environment.super.membership(system);
    }
  }
}
