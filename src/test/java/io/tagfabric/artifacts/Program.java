package io.tagfabric.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that ends in time or is ended; what it prints goes to files. */
final class Program implements AutoCloseable {
  /** How it ended. */
  record Result(int code, List<String> out, String err) {}

  private final Process process;
  private final Path out;
  private final Path err;

  private Program(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * Starts a command.
   *
   * @param directory where it runs, and where its files go
   * @param name of those files
   */
  static Program start(
      Path directory, String name, Map<String, String> variables, List<String> command)
      throws IOException {
    Path out = directory.resolve(name + ".out");
    Path err = directory.resolve(name + ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(variables);
    return new Program(builder.start(), out, err);
  }

  /** The command {@code java} of the JVM that runs the tests. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Waits for its end, and that it has left no process. */
  Result end(Duration patience) throws IOException, InterruptedException {
    List<ProcessHandle> family = process.descendants().toList();
    boolean ended = process.waitFor(patience.toSeconds(), TimeUnit.SECONDS);
    Result result =
        new Result(
            ended ? process.exitValue() : -1, Files.readAllLines(out), Files.readString(err));
    assertThat(ended).as("ends within %s, has said: %s", patience, result).isTrue();
    assertThat(family).as("processes left").noneMatch(ProcessHandle::isAlive);
    return result;
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
