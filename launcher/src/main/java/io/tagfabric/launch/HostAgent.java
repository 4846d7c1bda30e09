package io.tagfabric.launch;

import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.StartPhase;
import io.tagfabric.launch.agent.AgentFrame;
import io.tagfabric.launch.agent.AgentHello;
import io.tagfabric.launch.agent.AgentOutput;
import io.tagfabric.launch.agent.AgentReady;
import io.tagfabric.launch.agent.AgentSink;
import io.tagfabric.launch.agent.AgentStart;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.agrona.concurrent.SigInt;

/**
 * Looks after the ranks of a job on one host, for a launcher that is somewhere else. A process of
 * its own, which the launcher's spawner starts.
 *
 * <p>It lives as long as its standard input: when that ends, or says nothing for too long, the
 * launcher or the way to it is gone, and the agent ends its ranks and itself. Its ranks look for it
 * as those of a local job look for their launcher.
 */
final class HostAgent {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final int LOOKS_PER_PING = 8;
  private static final long DRAIN_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final DataInputStream in;
  private final AgentOutput launcher;
  private final Map<Integer, RankProcess> ranks = new ConcurrentHashMap<>();
  private final Map<Integer, AgentSink> outputs = new ConcurrentHashMap<>();
  private final Map<Integer, AgentSink> errors = new ConcurrentHashMap<>();
  private final BlockingQueue<byte[]> input = new LinkedBlockingQueue<>();
  private final Map<Integer, StartPhase> told = new TreeMap<>();
  private AgentHello hello;
  private LocalHost host;
  private boolean toldFormed;
  private boolean toldEnding;
  private boolean over;
  private volatile long heardNs = System.nanoTime();

  private HostAgent(InputStream in, OutputStream out) {
    this.in = new DataInputStream(new BufferedInputStream(in));
    this.launcher = new AgentOutput(out, "agent-output");
  }

  /** Runs until the standard input ends. */
  public static void main(String[] args) throws IOException {
    // Ctrl-C reaches the whole group of processes; the launcher says what becomes of the ranks
    SigInt.register(() -> {});
    new HostAgent(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out))
        .run();
  }

  private void run() throws IOException {
    launcher.write(AgentFrame.MAGIC.getBytes(StandardCharsets.US_ASCII));
    hello = AgentFrame.read(in).body(AgentHello.class);
    Optional<String> missing = hello.files().missing();
    if (missing.isPresent()) {
      endWith(AgentFrame.Kind.MISSING, missing.get());
      return;
    }
    ShutdownGuard guard = new ShutdownGuard(this::end);
    try {
      open(guard);
    } catch (LaunchException | IOException refused) {
      endWith(AgentFrame.Kind.REFUSED, refused.getMessage());
      return;
    }
    start("look", this::look);
    try {
      while (true) {
        AgentFrame frame = AgentFrame.read(in);
        heardNs = System.nanoTime();
        obey(frame);
      }
    } catch (IOException launcherGone) {
      end();
    }
    guard.disarm();
    sayTheRest();
  }

  private void endWith(AgentFrame.Kind kind, String why) {
    launcher.send(AgentFrame.of(kind, 0, why));
    sayTheRest();
  }

  private void sayTheRest() {
    try {
      launcher.drain(LAST_WORDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void open(ShutdownGuard guard) throws IOException {
    InetAddress address = InetAddress.getByName(hello.address());
    if (!address.isLoopbackAddress() && NetworkInterface.getByInetAddress(address) == null) {
      throw new LaunchException(
          "address="
              + hello.address()
              + " is not one of this host, which has "
              + NetworkInterface.networkInterfaces()
                  .flatMap(NetworkInterface::inetAddresses)
                  .map(InetAddress::getHostAddress)
                  .collect(Collectors.joining(", "))
              + "; write address=ADDRESS behind its name in a --hostfile");
    }
    HostDirectory directory = HostDirectory.ofAddress(hello.directory(), hello.address());
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.putAll(hello.variables());
    JobResources resources =
        JobResources.acquire(directory, hello.job(), hello.profile(), address, environment);
    host = new LocalHost(resources, true, hello.keep());
    guard.arm();
    if (!hello.tlsStore().isEmpty()) {
      resources.directory().writeKeys(TlsKeys.bytes(hello.tlsStore()));
    }
    start("driver", this::awaitDriver);
    AgentReady ready =
        new AgentReady(
            ProcessHandle.current().pid(),
            Ports.free(address, hello.ranks()),
            directory.path().toString(),
            resources.directory().path().toString(),
            resources.driver().map(driver -> driver.aeronDirectory().toString()).orElse(""));
    launcher.send(AgentFrame.of(ready));
  }

  private void awaitDriver() {
    host.failure().thenAccept(why -> launcher.send(AgentFrame.of(AgentFrame.Kind.FAILED, 0, why)));
    try {
      host.awaitReady();
    } catch (LaunchException failure) {
      launcher.send(AgentFrame.of(AgentFrame.Kind.FAILED, 0, failure.getMessage()));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void obey(AgentFrame frame) throws IOException {
    int rank = frame.rank();
    switch (frame.kind()) {
      case START -> startRank(frame.body(AgentStart.class));
      case INPUT -> input.add(frame.body());
      case TERMINATE -> find(rank).ifPresent(RankProcess::terminate);
      case KILL -> find(rank).ifPresent(RankProcess::kill);
      case NOTE_ENDED -> host.noteEnded(rank, (int) frame.number());
      case OUT_TAKEN -> outputs.get(rank).taken((int) frame.number());
      case ERR_TAKEN -> errors.get(rank).taken((int) frame.number());
      case PING -> {}
      case HELLO,
          READY,
          REFUSED,
          MISSING,
          STARTED,
          OUT,
          ERR,
          ENDED,
          SAID,
          FAILED,
          TAKEN,
          PHASE,
          FORMED,
          ENDING ->
          throw new IOException(frame + " is no order to an agent");
    }
  }

  private Optional<RankProcess> find(int rank) {
    return Optional.ofNullable(ranks.get(rank));
  }

  private void startRank(AgentStart order) {
    int number = order.rank();
    AgentSink output = new AgentSink(launcher, AgentFrame.Kind.OUT, number);
    AgentSink complaints = new AgentSink(launcher, AgentFrame.Kind.ERR, number);
    outputs.put(number, output);
    errors.put(number, complaints);
    RankProcess rank;
    try {
      rank =
          host.startProcess(
              new RankCommand(number, 0, order.words(), order.variables(), order.directory()),
              order.input(),
              output,
              complaints);
    } catch (LaunchException failure) {
      launcher.send(AgentFrame.of(AgentFrame.Kind.FAILED, number, failure.getMessage()));
      return;
    }
    ranks.put(number, rank);
    launcher.send(AgentFrame.of(AgentFrame.Kind.STARTED, number, Long.toString(rank.pid())));
    if (order.input()) {
      start("input", () -> feed(rank));
    }
    rank.onExit().thenAcceptAsync(code -> ended(rank, code), task -> start("ended", task));
  }

  private void ended(RankProcess rank, int code) {
    tellState();
    tellPhases();
    launcher.send(AgentFrame.of(AgentFrame.Kind.ENDED, rank.rank(), Integer.toString(code)));
    while (!rank.isDrained()) {
      LockSupport.parkNanos(DRAIN_LOOK_NS);
    }
    launcher.send(AgentFrame.of(AgentFrame.Kind.SAID, rank.rank()));
  }

  /** Passes on what comes as input; a rank that has closed its own swallows it. */
  private void feed(RankProcess rank) {
    try (OutputStream to = rank.input()) {
      for (byte[] bytes = input.take(); bytes.length > 0; bytes = input.take()) {
        to.write(bytes);
        to.flush();
        launcher.send(AgentFrame.of(AgentFrame.Kind.TAKEN, rank.rank()));
      }
    } catch (IOException closed) {
      return;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells what ranks have said, and notices a launcher that says nothing. */
  private void look() {
    long silenceNs = TimeUnit.MILLISECONDS.toNanos(hello.silenceMs());
    for (int looks = 0; ; looks++) {
      LockSupport.parkNanos(LOOK_NS);
      if (silenceNs > 0 && System.nanoTime() - heardNs > silenceNs) {
        end();
        // the main thread reads what will never come
        Runtime.getRuntime().halt(1);
      }
      tellState();
      if (looks % LOOKS_PER_PING == 0) {
        launcher.send(AgentFrame.of(AgentFrame.Kind.PING, 0));
      }
    }
  }

  private synchronized void tellState() {
    if (over) {
      return;
    }
    if (!toldFormed) {
      tellPhases();
      if (host.isFormed()) {
        toldFormed = true;
        launcher.send(AgentFrame.of(AgentFrame.Kind.FORMED, 0));
      }
    }
    if (!toldEnding && host.endingCode().isPresent()) {
      toldEnding = true;
      String code = Integer.toString(host.endingCode().getAsInt());
      launcher.send(AgentFrame.of(AgentFrame.Kind.ENDING, 0, code));
    }
  }

  private synchronized void tellPhases() {
    if (over) {
      return;
    }
    host.phases()
        .forEach(
            (rank, phase) -> {
              if (told.put(rank, phase) != phase) {
                launcher.send(AgentFrame.of(AgentFrame.Kind.PHASE, rank, phase.name()));
              }
            });
  }

  /** Ends the ranks and gives back what the host lent; once. */
  private synchronized void end() {
    if (over) {
      return;
    }
    over = true;
    ranks.values().forEach(RankProcess::terminate);
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(hello.terminateGraceMs());
    while (ranks.values().stream().anyMatch(RankProcess::isAlive)
        && System.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    for (RankProcess rank : ranks.values()) {
      rank.kill();
      rank.onExit().toCompletableFuture().join();
    }
    host.close();
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, "agent-" + name);
    thread.setDaemon(true);
    thread.start();
  }
}
