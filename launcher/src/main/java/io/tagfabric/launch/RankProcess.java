package io.tagfabric.launch;

import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.ProcessId;
import io.tagfabric.launch.output.StreamCopier;
import io.tagfabric.launch.output.TextSink;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletionStage;

/** One rank of this host: its process, and the threads that copy what it prints. */
final class RankProcess implements RankHandle {
  /** What a rank reads as its standard input. */
  enum Input {
    /** Nothing. */
    NONE,
    /** What this process reads. */
    INHERITED,
    /** What is written to {@link #input}. */
    PIPED
  }

  private final int rank;
  private final Process process;
  private final ProcessId id;
  private final StreamCopier output;
  private final StreamCopier errors;
  private long endedNs;

  private RankProcess(int rank, Process process, StreamCopier output, StreamCopier errors) {
    this.rank = rank;
    this.process = process;
    this.id = ProcessId.of(process.toHandle());
    this.output = output;
    this.errors = errors;
  }

  /**
   * Starts the process of a rank.
   *
   * @throws LaunchException if the process cannot be started
   */
  static RankProcess start(RankCommand command, Input input, TextSink out, TextSink err) {
    int rank = command.rank();
    LocaleCheck.requireCarried(command);
    ProcessBuilder builder = new ProcessBuilder(command.words());
    builder.environment().putAll(command.variables());
    command.directory().ifPresent(directory -> builder.directory(directory.toFile()));
    if (input == Input.INHERITED) {
      builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
    }
    try {
      Process process = builder.start();
      if (input != Input.PIPED) {
        process.getOutputStream().close();
      }
      return new RankProcess(
          rank,
          process,
          StreamCopier.start(process.getInputStream(), out, "rank-" + rank + "-output"),
          StreamCopier.start(process.getErrorStream(), err, "rank-" + rank + "-errors"));
    } catch (IOException | IllegalArgumentException failure) {
      throw new LaunchException(
          "cannot start rank " + rank + " (" + failure.getMessage() + "): " + command.shortLine(),
          failure);
    }
  }

  ProcessId id() {
    return id;
  }

  /** Where its piped standard input is written. */
  OutputStream input() {
    return process.getOutputStream();
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
    return process.isAlive();
  }

  @Override
  public CompletionStage<Integer> onExit() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /** By the handle: the process itself would close its streams, and its last words be lost. */
  @Override
  public void terminate() {
    process.toHandle().destroy();
  }

  @Override
  public void kill() {
    process.toHandle().destroyForcibly();
  }

  @Override
  public synchronized boolean isDrained() {
    if (process.isAlive()) {
      return false;
    }
    if (endedNs == 0) {
      endedNs = System.nanoTime();
    }
    return output.isDone(endedNs) && errors.isDone(endedNs);
  }
}
