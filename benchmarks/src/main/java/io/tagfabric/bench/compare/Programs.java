package io.tagfabric.bench.compare;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.IoUtil;

/**
 * A temporary directory with sources of peers' programs and what was built of them; removed when
 * the process ends.
 */
final class Programs {
  private static final Duration BUILD_TIME = Duration.ofSeconds(60);
  private static final Duration END_TIME = Duration.ofSeconds(5);

  private final Path directory;

  Programs() {
    try {
      directory = Files.createTempDirectory("tagfabric-bench-");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::delete, "delete-programs"));
  }

  Path directory() {
    return directory;
  }

  /** Writes a source that comes with this class; gives its place. */
  Path source(String name) throws ContenderException {
    Path place = directory.resolve(name);
    try (InputStream in = Programs.class.getResourceAsStream("/tagfabric-bench-peers/" + name)) {
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
  void build(List<String> command) throws ContenderException {
    run(command, Map.of(), BUILD_TIME);
  }

  /**
   * Runs a command to its end.
   *
   * @param environment variables beside those of this process
   * @return what it printed on its output
   * @throws ContenderException if it fails or takes longer; nothing of it is left then
   */
  byte[] run(List<String> command, Map<String, String> environment, Duration patience)
      throws ContenderException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    Process process = null;
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      process = builder.start();
      process.getOutputStream().close();
      Thread end = endWith(process);
      boolean inTime = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
      Runtime.getRuntime().removeShutdownHook(end);
      if (!inTime) {
        throw new ContenderException(
            command.get(0) + " has not ended within " + patience.toSeconds() + " s");
      }
      if (process.exitValue() != 0) {
        String otherwise = command.get(0) + " exited with code " + process.exitValue();
        throw new ContenderException(Output.reason(Files.readAllBytes(err), otherwise));
      }
      return Files.readAllBytes(out);
    } catch (IOException failure) {
      throw new ContenderException(failure.getMessage(), failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ContenderException("interrupted", interrupted);
    } finally {
      if (process != null) {
        end(process);
      }
    }
  }

  private static Thread endWith(Process process) {
    Thread hook = new Thread(() -> end(process), "end-of-program");
    Runtime.getRuntime().addShutdownHook(hook);
    return hook;
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
