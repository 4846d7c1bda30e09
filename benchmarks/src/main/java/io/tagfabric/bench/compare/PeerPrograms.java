package io.tagfabric.bench.compare;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.IoUtil;

/**
 * A temporary directory with sources of peers' programs and what was built of them; removed when
 * the process ends.
 */
public final class PeerPrograms {
  /** What the programs for libraries of MPI include. */
  private static final String[] MPI_HEADERS = {"mpi_common.h", "mpi_stream.h"};

  /** Makes the directory when it is first asked for. Thread: one. */
  static final class Lazy {
    private PeerPrograms made;

    PeerPrograms get() {
      if (made == null) {
        made = new PeerPrograms();
      }
      return made;
    }
  }

  private static final Duration BUILD_TIME = Duration.ofSeconds(60);
  private static final Duration END_TIME = Duration.ofSeconds(5);

  private final Path directory;

  /** Makes the directory. */
  public PeerPrograms() {
    try {
      directory = Files.createTempDirectory("tagfabric-bench-");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::delete, "delete-programs"));
  }

  /** Where they are. */
  public Path directory() {
    return directory;
  }

  /**
   * Writes a source that comes with this class, and what it includes; gives its place.
   *
   * @param included its own headers
   */
  public Path source(String name, String... included) throws ContenderException {
    for (String header : included) {
      write(header);
    }
    return write(name);
  }

  /** The same for a program for libraries of MPI. */
  Path mpiSource(String name) throws ContenderException {
    return source(name, MPI_HEADERS);
  }

  /** Writes a script for a POSIX shell that can be started; gives its place. */
  Path script(String name, String text) throws ContenderException {
    Path place = directory.resolve(name);
    try {
      Files.writeString(place, "#!/bin/sh\n" + text);
      Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwx------"));
      return place;
    } catch (IOException failure) {
      throw new ContenderException("cannot write " + place + ": " + failure.getMessage(), failure);
    }
  }

  private Path write(String name) throws ContenderException {
    Path place = directory.resolve(name);
    try (InputStream in =
        PeerPrograms.class.getResourceAsStream("/tagfabric-bench-peers/" + name)) {
      if (in == null) {
        throw new ContenderException("the source " + name + " is not in this build");
      }
      Files.write(place, in.readAllBytes());
      return place;
    } catch (IOException failure) {
      throw new ContenderException("cannot write " + place + ": " + failure.getMessage(), failure);
    }
  }

  /** Runs a compiler. */
  public void build(List<String> command) throws ContenderException {
    run(command, Map.of(), BUILD_TIME);
  }

  /**
   * Runs a command to its end.
   *
   * @param environment variables beside those of this process
   * @return what it printed on its output
   * @throws ContenderException if it fails or takes longer; nothing of it is left then
   */
  public byte[] run(List<String> command, Map<String, String> environment, Duration patience)
      throws ContenderException {
    return runAll(List.of(command), environment, patience);
  }

  /** The same for commands that run side by side; gives what the first printed. */
  public byte[] runAll(
      List<List<String>> commands, Map<String, String> environment, Duration patience)
      throws ContenderException {
    List<Process> processes = new CopyOnWriteArrayList<>();
    Thread hook = new Thread(() -> processes.forEach(PeerPrograms::end), "end-of-programs");
    Runtime.getRuntime().addShutdownHook(hook);
    long deadlineNs = System.nanoTime() + patience.toNanos();
    try {
      for (List<String> command : commands) {
        processes.add(start(command, processes.size(), environment));
      }
      for (int i = 0; i < processes.size(); i++) {
        requireGoodEnd(commands.get(i).get(0), processes.get(i), i, deadlineNs, patience);
      }
      return Files.readAllBytes(out(0));
    } catch (IOException failure) {
      throw new ContenderException(failure.getMessage(), failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ContenderException("interrupted", interrupted);
    } finally {
      processes.forEach(PeerPrograms::end);
      forget(hook);
    }
  }

  private Process start(List<String> command, int number, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out(number).toFile())
            .redirectError(err(number).toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  private void requireGoodEnd(
      String name, Process process, int number, long deadlineNs, Duration patience)
      throws ContenderException, IOException, InterruptedException {
    if (!process.waitFor(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      throw new ContenderException(name + " has not ended within " + patience.toSeconds() + " s");
    }
    if (process.exitValue() != 0) {
      String otherwise = name + " exited with code " + process.exitValue();
      throw new ContenderException(
          ContenderOutput.reason(Files.readAllBytes(err(number)), otherwise));
    }
  }

  private Path out(int number) {
    return directory.resolve("out-" + number);
  }

  private Path err(int number) {
    return directory.resolve("err-" + number);
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyEnding) {
      return;
    }
  }

  /** Ends a process and all it has started. */
  private static void end(Process process) {
    List<ProcessHandle> family;
    try (Stream<ProcessHandle> descendants = process.descendants()) {
      family = descendants.toList();
    }
    process.destroy();
    try {
      if (!process.waitFor(END_TIME.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    family.forEach(ProcessHandle::destroyForcibly);
  }

  private void delete() {
    IoUtil.delete(directory.toFile(), true);
  }
}
