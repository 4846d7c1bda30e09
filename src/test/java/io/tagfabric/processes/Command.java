package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cli.Tagfabric;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.jvms.ClassArchive;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A JVM under test, its output, and the check that nothing of it is left. */
public final class Command implements AutoCloseable {
  /**
   * Where launchers put what lasts as long as a job. Test classes that run side by side do not see
   * each other's.
   */
  static final Path TEMPORARY = temporary();

  private static final long DEADLINE_S = 100;

  /** What is left after the end of a command goes soon, or stays. */
  static final long LEFTOVERS_S = 15;

  /** How a command ended. */
  public record Result(int code, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }

    /** One sentence a rank, and no stack trace. */
    void requireNoTrace() {
      assertThat(out + err).doesNotContain("\tat ").doesNotContain("Exception");
    }
  }

  private final Path directory;
  private final Process process;
  private static final int WARNS_OF_UNSAFE = 23;

  private final List<String> out = new ArrayList<>();
  private final List<String> err = new ArrayList<>();
  private final List<Thread> readers;

  private Command(Path directory, Process process) {
    this.directory = directory;
    this.process = process;
    readers =
        List.of(
            read(process.inputReader(StandardCharsets.UTF_8), out),
            read(process.errorReader(StandardCharsets.UTF_8), err));
  }

  private static Path temporary() {
    try {
      Path directory = Files.createTempDirectory("tagfabric-tests-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteIfEmpty(directory)));
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void deleteIfEmpty(Path directory) {
    try {
      Files.deleteIfExists(directory);
    } catch (IOException somethingWasLeft) {
      System.err.println("left in " + directory + ": " + somethingWasLeft);
    }
  }

  /** Starts {@code tagfabric} with arguments; its files go below a directory. */
  public static Command tagfabric(Path directory, String... arguments) {
    return start(directory, Map.of(), Tagfabric.class, arguments);
  }

  /** As {@link #tagfabric}, with a file as its standard input. */
  static Command tagfabricReading(Path directory, Path input, String... arguments) {
    return start(
        directory,
        Map.of(),
        ProcessBuilder.Redirect.from(input.toFile()),
        Tagfabric.class,
        arguments);
  }

  /** Starts any main class with variables of the environment. */
  static Command start(
      Path directory, Map<String, String> variables, Class<?> main, String... arguments) {
    return start(directory, variables, ProcessBuilder.Redirect.PIPE, main, arguments);
  }

  private static Command start(
      Path directory,
      Map<String, String> variables,
      ProcessBuilder.Redirect input,
      Class<?> main,
      String... arguments) {
    // Whoever runs the tests may ignore the signal, and a JVM inherits that.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= WARNS_OF_UNSAFE) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    command.addAll(ClassArchive.flags());
    command.add("-Djava.io.tmpdir=" + TEMPORARY);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectInput(input);
    Map<String, String> environment = new HashMap<>(variables);
    environment.putIfAbsent("TAGFABRIC_JVM_OPTS", "-XX:TieredStopAtLevel=1");
    builder.environment().putAll(environment);
    return start(directory, builder);
  }

  /** Starts any process; the files of its jobs go below a directory. */
  static Command start(Path directory, ProcessBuilder builder) {
    builder.environment().put("TAGFABRIC_LAUNCH_DIRECTORY", directory.toString());
    try {
      return new Command(directory, builder.start());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The process of a rank, which may have others; waits until it runs. */
  ProcessHandle rank(int number) {
    String variable = "TAGFABRIC_JOB_RANK=" + number;
    List<ProcessHandle> found = new ArrayList<>();
    until(
        "rank " + number + " runs",
        () -> {
          process
              .children()
              .filter(
                  child ->
                      hasVariable(child, variable)
                          || hasVariable(child, "RANK_" + number + "_" + variable))
              .forEach(found::add);
          return !found.isEmpty();
        },
        () -> String.join("\n", snapshot(err)));
    return found.get(0);
  }

  private static boolean hasVariable(ProcessHandle process, String variable) {
    try {
      Path environment = Path.of("/proc", Long.toString(process.pid()), "environ");
      return List.of(Files.readString(environment, StandardCharsets.ISO_8859_1).split("\0", -1))
          .contains(variable);
    } catch (IOException hasEnded) {
      return false;
    }
  }

  private static String commandLine(ProcessHandle process) {
    return process.info().commandLine().orElse("pid " + process.pid());
  }

  /** Waits until the ranks of a job of this directory have met. */
  void awaitFormed() {
    until(
        "the job has formed",
        () -> {
          try (Stream<Path> files = Files.walk(directory)) {
            return files.anyMatch(file -> file.endsWith("formed"));
          } catch (IOException | UncheckedIOException comesAndGoes) {
            return false;
          }
        },
        () -> String.join("\n", snapshot(err)));
  }

  /** Waits until a line was printed. */
  void awaitLine(String line) {
    until(
        "prints " + line,
        () -> snapshot(out).contains(line),
        () -> String.join("\n", snapshot(err)));
  }

  /** Waits until something has been printed among the errors. */
  void awaitError(String text) {
    until(
        "it says: " + text,
        () -> snapshot(err).stream().anyMatch(line -> line.contains(text)),
        () -> String.join("\n", snapshot(err)));
  }

  /** Waits until a thread with a name of at most 15 letters runs. */
  void awaitThread(String name) {
    Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
    until(
        "there is a thread " + name,
        () -> {
          try (Stream<Path> tasks = Files.list(threads)) {
            return tasks.anyMatch(task -> name.equals(nameOf(task)));
          } catch (IOException | UncheckedIOException comesAndGoes) {
            return false;
          }
        },
        () -> String.join("\n", snapshot(err)));
  }

  private static String nameOf(Path task) {
    try {
      return Files.readString(task.resolve("comm")).strip();
    } catch (IOException hasEnded) {
      return "";
    }
  }

  /** What it has printed so far, the errors behind. */
  List<String> lines() {
    List<String> lines = new ArrayList<>(snapshot(out));
    lines.addAll(snapshot(err));
    return lines;
  }

  /** Sends a signal by name. */
  void signal(String name) {
    signal(process.toHandle(), name);
  }

  /** Sends a signal by name to one of its processes. */
  static void signal(ProcessHandle to, String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(to.pid())).start().waitFor();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Waits for the end, and that neither a process nor a file is left. */
  public Result end() {
    return end(Duration.ofSeconds(DEADLINE_S));
  }

  /** The same for one that may take longer. */
  Result end(Duration patience) {
    List<ProcessHandle> family = process.descendants().toList();
    try {
      assertThat(process.waitFor(patience.toSeconds(), TimeUnit.SECONDS))
          .as(() -> "ends in time, has said:\n" + said())
          .isTrue();
      for (Thread reader : readers) {
        reader.join(TimeUnit.SECONDS.toMillis(LEFTOVERS_S));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
    until(
        LEFTOVERS_S,
        "all processes have ended",
        () -> family.stream().noneMatch(ProcessHandle::isAlive),
        () -> family.stream().map(Command::commandLine).toList() + said());
    until(
        LEFTOVERS_S,
        "its files are gone",
        () -> !Files.isDirectory(hostDirectory(directory)),
        () ->
            "left: " + files(hostDirectory(directory)) + ", code " + process.exitValue() + said());
    return new Result(
        process.exitValue(), String.join("\n", snapshot(out)), String.join("\n", snapshot(err)));
  }

  private String said() {
    return "\n" + String.join("\n", snapshot(out)) + "\n" + String.join("\n", snapshot(err));
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.toList();
    } catch (IOException | UncheckedIOException comesAndGoes) {
      return List.of(directory);
    }
  }

  /** Ends what a failed test has left running. */
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  static Path hostDirectory(Path directory) {
    return HostDirectory.below(directory).path();
  }

  private static Thread read(BufferedReader from, List<String> into) {
    Thread reader =
        new Thread(
            () ->
                from.lines()
                    .forEach(
                        line -> {
                          synchronized (into) {
                            into.add(line);
                          }
                        }));
    reader.setDaemon(true);
    reader.start();
    return reader;
  }

  private static List<String> snapshot(List<String> lines) {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  private static void until(String what, BooleanSupplier condition, Supplier<String> state) {
    until(DEADLINE_S, what, condition, state);
  }

  static void until(
      long patienceS, String what, BooleanSupplier condition, Supplier<String> state) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError("not within " + patienceS + " s: " + what + "\n" + state.get());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
