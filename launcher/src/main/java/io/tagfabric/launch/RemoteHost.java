package io.tagfabric.launch;

import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.StartPhase;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.launch.agent.AgentFrame;
import io.tagfabric.launch.agent.AgentHello;
import io.tagfabric.launch.agent.AgentOutput;
import io.tagfabric.launch.agent.AgentReady;
import io.tagfabric.launch.agent.AgentStart;
import io.tagfabric.launch.hosts.Host;
import io.tagfabric.launch.hosts.Spawner;
import io.tagfabric.launch.output.Screen;
import io.tagfabric.launch.output.TextSink;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Ranks on another host, as its {@link HostAgent} looks after them. */
final class RemoteHost implements RankHost {
  private static final int INPUT_BYTES = 16 * 1024;
  private static final long PING_NS = TimeUnit.SECONDS.toNanos(2);
  private static final long PATIENCE_MS = 1000;

  /** The agent ends its ranks first if there are any, so it gets their time and this more. */
  private static final long CLOSE_MS = 5000;

  private final Host host;
  private final AgentHello hello;
  private final AgentProcess process;
  private final AgentOutput agent;
  private final Thread reader;
  private final Executor shower;
  private final Executor complainer;
  private final Map<Integer, RemoteRank> ranks = new ConcurrentHashMap<>();
  private final Map<Integer, StartPhase> phases = new ConcurrentHashMap<>();
  private final CompletableFuture<AgentReady> ready = new CompletableFuture<>();
  private final CompletableFuture<String> failure = new CompletableFuture<>();
  private final Semaphore inputTaken = new Semaphore(1);
  private volatile boolean formed;
  private volatile boolean silent;
  private volatile boolean closing;
  private volatile OptionalInt ending = OptionalInt.empty();
  private volatile long heardNs = System.nanoTime();

  private RemoteHost(Host host, Spawner spawner, String line, AgentHello hello, Screen screen) {
    this.host = host;
    this.hello = hello;
    process =
        AgentProcess.start(
            host,
            spawner,
            line,
            screen.errors("[" + host.name() + "] ", 0),
            () -> ready.isDone() && !ready.isCompletedExceptionally());
    agent = process.orders();
    shower = inTurn("show-output");
    complainer = inTurn("show-errors");
    reader = thread("reader", this::read);
  }

  /**
   * Starts the agent of a host; does not wait for it.
   *
   * @param line that starts it, for a shell there
   * @param screen shows what the connection has to complain of once the agent is there; before that
   *     it is only told if the agent does not come
   * @throws LaunchException if the spawner cannot be started
   */
  static RemoteHost start(
      Host host, Spawner spawner, String line, AgentHello hello, Screen screen) {
    RemoteHost remote = new RemoteHost(host, spawner, line, hello, screen);
    remote.agent.send(AgentFrame.of(hello));
    remote.reader.start();
    remote.thread("pulse", remote::beat).start();
    return remote;
  }

  /**
   * Waits for the agent.
   *
   * @throws LaunchException that names the host, its command and what it said, if it does not come
   * @throws SettingsException if the host lacks files of the program
   */
  AgentReady awaitAgent(Duration patience) throws InterruptedException {
    try {
      return ready.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new LaunchException(
          process.notStarted("is not there after " + patience.toMillis() / 1000.0 + " s"), late);
    } catch (ExecutionException refused) {
      if (refused.getCause() instanceof SettingsException missing) {
        throw new SettingsException(missing.key(), missing.getMessage());
      }
      throw new LaunchException(refused.getCause().getMessage(), refused.getCause());
    }
  }

  AgentReady agent() {
    try {
      return ready.join();
    } catch (CompletionException never) {
      throw new IllegalStateException(never);
    }
  }

  String name() {
    return host.name();
  }

  @Override
  public String suffix() {
    return " on " + host.name();
  }

  @Override
  public RankHandle start(RankCommand command, boolean input, TextSink out, TextSink err) {
    RemoteRank rank = new RemoteRank(command.rank(), agent, out, err);
    ranks.put(command.rank(), rank);
    agent.send(
        AgentFrame.of(
            new AgentStart(
                command.rank(), command.words(), command.variables(), command.directory(), input)));
    if (input) {
      thread("input", () -> pump(System.in, command.rank())).start();
    }
    if (!reader.isAlive()) {
      lost(rank);
    }
    return rank;
  }

  @Override
  public void awaitReady() {
    // the agent says so if its host cannot go on
  }

  @Override
  public CompletionStage<String> failure() {
    return failure;
  }

  @Override
  public void noteEnded(int rank, int code) {
    agent.send(AgentFrame.of(AgentFrame.Kind.NOTE_ENDED, rank, Integer.toString(code)));
  }

  @Override
  public boolean isFormed() {
    return formed;
  }

  @Override
  public OptionalInt endingCode() {
    return ending;
  }

  @Override
  public Map<Integer, StartPhase> phases() {
    return phases;
  }

  /** Ends the agent by ending its input, and its connection if that does not help. */
  @Override
  public void close() {
    closing = true;
    try {
      process.end(Duration.ofMillis(CLOSE_MS + hello.terminateGraceMs()));
      reader.join(PATIENCE_MS);
      process.awaitComplaints();
    } catch (InterruptedException interrupted) {
      process.cut();
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try (DataInputStream in = process.reports()) {
      while (true) {
        AgentFrame frame = AgentFrame.read(in);
        heardNs = System.nanoTime();
        take(frame);
      }
    } catch (IOException | RuntimeException goneOrGarbled) {
      lost();
    }
  }

  private void take(AgentFrame frame) throws IOException {
    RemoteRank rank = ranks.get(frame.rank());
    switch (frame.kind()) {
      case READY -> ready.complete(frame.body(AgentReady.class));
      case REFUSED -> refuse("host " + host.name() + ": " + frame.text());
      case MISSING -> {
        String what = "host " + host.name() + ": " + frame.text();
        ready.completeExceptionally(
            new SettingsException(
                "--class-path", what + " there, copy it or name a place that all hosts share"));
      }
      case STARTED -> known(rank, frame).started(frame.number());
      case OUT -> {
        RemoteRank printing = known(rank, frame);
        shower.execute(() -> printing.printed(frame.body()));
      }
      case ERR -> {
        RemoteRank complaining = known(rank, frame);
        complainer.execute(() -> complaining.complained(frame.body()));
      }
      case SAID -> endStreams(known(rank, frame));
      case ENDED -> known(rank, frame).ended((int) frame.number());
      case FAILED -> {
        failure.complete("host " + host.name() + ": " + frame.text());
        if (rank != null && rank.pid() == 0) {
          rank.ended(ExitCode.FAILED);
        }
      }
      case TAKEN -> inputTaken.release();
      case PHASE -> phases.put(frame.rank(), StartPhase.valueOf(frame.text()));
      case FORMED -> formed = true;
      case ENDING -> ending = OptionalInt.of((int) frame.number());
      case PING -> {}
      case HELLO, START, INPUT, TERMINATE, KILL, NOTE_ENDED, OUT_TAKEN, ERR_TAKEN ->
          throw new IOException(frame + " is no report of an agent");
    }
  }

  private static RemoteRank known(RemoteRank rank, AgentFrame frame) throws IOException {
    if (rank == null) {
      throw new IOException(frame + " is about a rank of another host");
    }
    return rank;
  }

  private void refuse(String why) {
    ready.completeExceptionally(new LaunchException(why));
  }

  /** The agent's output has ended, and nobody has asked for that. */
  private void lost() {
    if (!ready.isDone()) {
      refuse(process.notStarted(process.howEnded()));
    }
    if (!closing) {
      failure.complete(
          process.lost(silent ? "it has said nothing for " + silence() : process.howEnded()));
    }
    ranks.values().forEach(this::lost);
  }

  private void lost(RemoteRank rank) {
    rank.ended(ExitCode.FAILED);
    endStreams(rank);
  }

  private void endStreams(RemoteRank rank) {
    shower.execute(rank::endOutput);
    complainer.execute(rank::endErrors);
  }

  /** What is to be shown waits here for the screen; the reader of frames never does. */
  private Executor inTurn(String name) {
    ThreadPoolExecutor one =
        new ThreadPoolExecutor(
            1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> thread(name, task));
    one.allowCoreThreadTimeOut(true);
    return one;
  }

  private String silence() {
    return hello.silenceMs() / 1000.0 + " s (tagfabric.launch.host-timeout)";
  }

  /** Says now and then that the launcher is still there, and looks whether the agent is. */
  private void beat() {
    long silenceNs = TimeUnit.MILLISECONDS.toNanos(hello.silenceMs());
    while (reader.isAlive()) {
      agent.send(AgentFrame.of(AgentFrame.Kind.PING, 0));
      LockSupport.parkNanos(PING_NS);
      if (ready.isDone() && silenceNs > 0 && System.nanoTime() - heardNs > silenceNs) {
        silent = true;
        process.cut();
        return;
      }
    }
  }

  /** Passes this process' standard input on, one piece at a time. */
  private void pump(InputStream from, int rank) {
    byte[] bytes = new byte[INPUT_BYTES];
    try {
      for (int length = from.read(bytes); length > 0; length = from.read(bytes)) {
        inputTaken.acquire();
        agent.send(new AgentFrame(AgentFrame.Kind.INPUT, rank, Arrays.copyOf(bytes, length)));
      }
    } catch (IOException unreadable) {
      // as if it had ended
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    agent.send(AgentFrame.of(AgentFrame.Kind.INPUT, rank));
  }

  private Thread thread(String name, Runnable task) {
    Thread thread = new Thread(task, host.name() + "-" + name);
    thread.setDaemon(true);
    return thread;
  }

  /** What has started its agent, as a person could type it. */
  String command() {
    return process.command();
  }
}
