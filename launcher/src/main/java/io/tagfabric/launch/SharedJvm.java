package io.tagfabric.launch;

import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.ProcessId;
import io.tagfabric.cluster.host.RankFrames;
import io.tagfabric.launch.output.TextSink;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A process with several ranks of this host, and the threads that share out what it says. A rank
 * that has ended with a code is over while the process goes on for the others; when the process
 * ends, those that are left have ended with its code. Thread: any.
 */
final class SharedJvm {
  private final Process process;
  private final ProcessId id;
  private final List<Integer> all;
  private final Map<Integer, Rank> ranks = new ConcurrentHashMap<>();
  private final Thread output;
  private final Thread errors;

  private SharedJvm(Process process, List<Integer> all) {
    this.process = process;
    this.id = ProcessId.of(process.toHandle());
    this.all = all;
    output = new Thread(this::copyOutput, "ranks-" + all.get(0) + "-output");
    errors = new Thread(this::copyErrors, "ranks-" + all.get(0) + "-errors");
  }

  /**
   * Starts the process; what it says waits until {@link #begin}.
   *
   * @param input whether it reads what this process reads
   * @throws LaunchException if the process cannot be started
   */
  static SharedJvm start(RankCommand command, boolean input) {
    LocaleCheck.requireCarried(command);
    ProcessBuilder builder = new ProcessBuilder(command.words());
    builder.environment().putAll(command.variables());
    command.directory().ifPresent(directory -> builder.directory(directory.toFile()));
    if (input) {
      builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
    }
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      return new SharedJvm(process, command.together());
    } catch (IOException | IllegalArgumentException failure) {
      throw new LaunchException(
          "cannot start "
              + command.who()
              + " ("
              + failure.getMessage()
              + "): "
              + command.shortLine(),
          failure);
    }
  }

  ProcessId id() {
    return id;
  }

  /** Adds one of its ranks; with the last one the copying begins. */
  RankHandle add(int rank, TextSink out, TextSink err) {
    Rank added = new Rank(rank, out, err);
    ranks.put(rank, added);
    if (ranks.size() == all.size()) {
      begin();
    }
    return added;
  }

  private void begin() {
    for (Thread thread : List.of(output, errors)) {
      thread.setDaemon(true);
      thread.start();
    }
    CompletionStage<Process> exit = process.onExit();
    exit.thenAccept(this::processEnded);
  }

  /** The codes that it has told come first. */
  private void processEnded(Process ended) {
    Thread last =
        new Thread(
            () -> {
              try {
                errors.join();
              } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
              }
              ranks.values().forEach(Rank::markLost);
              ranks.values().forEach(rank -> rank.code.complete(ended.exitValue()));
            },
            "ranks-" + all.get(0) + "-end");
    last.setDaemon(true);
    last.start();
  }

  private void copyOutput() {
    try (InputStream from = process.getInputStream()) {
      DataInputStream frames = new DataInputStream(new BufferedInputStream(from));
      while (true) {
        RankFrames.Frame frame = RankFrames.read(frames);
        Rank rank = ranks.get(frame.rank());
        if (rank == null) {
          throw new IOException("there is no rank " + frame.rank() + " in this JVM");
        }
        rank.show(frame);
      }
    } catch (IOException over) {
      // the process has ended; what it had not finished to say is lost with it
      ranks.values().forEach(Rank::said);
    }
  }

  private void copyErrors() {
    Rank first = ranks.get(all.get(0));
    try (InputStream from = new BufferedInputStream(process.getErrorStream())) {
      RankFrames.readErrors(
          from,
          new RankFrames.ErrorListener() {
            @Override
            public void onText(byte[] bytes, int length) {
              first.showError(bytes, length);
            }

            @Override
            public void onCode(int rank, int code, boolean isCut) {
              Rank ended = ranks.get(rank);
              if (ended != null) {
                ended.cut = isCut;
                ended.code.complete(code);
              }
            }
          });
    } catch (IOException over) {
      return;
    }
  }

  /** One of its ranks. What the JVM says itself is shown with the first one's errors. */
  private final class Rank implements RankHandle {
    private final int rank;
    private final TextSink out;
    private final TextSink err;
    private final CompletableFuture<Integer> code = new CompletableFuture<>();
    private volatile boolean drained;
    private volatile boolean lostWithAll;
    private volatile boolean cut;

    Rank(int rank, TextSink out, TextSink err) {
      this.rank = rank;
      this.out = out;
      this.err = err;
    }

    private synchronized void showError(byte[] bytes, int length) {
      if (!drained) {
        err.accept(bytes, length);
      }
    }

    private void show(RankFrames.Frame frame) {
      switch (frame.kind()) {
        case OUT -> out.accept(frame.bytes(), frame.bytes().length);
        case ERR -> showError(frame.bytes(), frame.bytes().length);
        case END -> said();
      }
    }

    private synchronized void said() {
      if (!drained) {
        drained = true;
        out.end();
        err.end();
      }
    }

    private void markLost() {
      lostWithAll = !code.isDone();
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public long pid() {
      return process.pid();
    }

    @Override
    public boolean isAlive() {
      return !code.isDone();
    }

    @Override
    public CompletionStage<Integer> onExit() {
      return code;
    }

    /** To all ranks of the process: a signal reaches no less. */
    @Override
    public void terminate() {
      process.toHandle().destroy();
    }

    @Override
    public void kill() {
      process.toHandle().destroyForcibly();
    }

    @Override
    public boolean isDrained() {
      return code.isDone() && drained;
    }

    @Override
    public boolean isCut() {
      return cut;
    }

    @Override
    public List<Integer> endedTogether() {
      return lostWithAll
          ? all.stream().filter(each -> ranks.get(each).lostWithAll).toList()
          : List.of();
    }
  }
}
