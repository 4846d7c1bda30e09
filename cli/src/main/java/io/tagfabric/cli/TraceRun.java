package io.tagfabric.cli;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.timeline.ChromeWriter;
import io.tagfabric.timeline.PerfettoWriter;
import io.tagfabric.timeline.Timeline;
import io.tagfabric.timeline.TimelineText;
import io.tagfabric.watch.WatchDirectories;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/**
 * Has the ranks of a job write what happens on their loops, to be seen while they run, and perhaps
 * shown when they have ended.
 */
final class TraceRun {
  private static final int PATIENCE_SECONDS = 60;

  /** Null if nothing is shown at the end. */
  private final Path file;

  private final int ranks;
  private final int lines;
  private final Path parts;

  private TraceRun(Path file, int ranks, int lines, Path parts) {
    this.file = file;
    this.ranks = ranks;
    this.lines = lines;
    this.parts = parts;
  }

  /**
   * Prepares it.
   *
   * @param file gets all of it at the end; null for nothing
   * @param lines how many events are printed at the end
   * @throws UsageException if the file cannot be written; nothing has begun then
   */
  static TraceRun prepare(Path file, int ranks, int lines) {
    if (file != null) {
      requireWritable(file);
    }
    try {
      return new TraceRun(file, ranks, lines, WatchDirectories.create());
    } catch (IOException e) {
      throw new UncheckedIOException("no room for the parts of the trace", e);
    }
  }

  private static void requireWritable(Path file) {
    try {
      Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
    } catch (NoSuchFileException e) {
      throw new UsageException(
          "--trace-file: cannot write " + file + ": there is no such directory, make it first");
    } catch (AccessDeniedException e) {
      throw new UsageException("--trace-file: cannot write " + file + ": permission denied");
    } catch (IOException e) {
      throw new UsageException("--trace-file: cannot write " + file + ": " + reason(e));
    }
  }

  /** Where the ranks write. */
  Path parts() {
    return parts;
  }

  /** What the ranks must know. */
  Map<String, String> variables() {
    return Map.of(FabricSettings.TRACE_DIRECTORY.variable(), parts.toString());
  }

  /** What the system has said, without the name of the file, which is told before. */
  private static String reason(Exception e) {
    return e instanceof FileSystemException file && file.getReason() != null
        ? file.getReason()
        : String.valueOf(e.getMessage());
  }

  /**
   * Runs the job, then writes; a signal that ends this process waits for that. Returns the code of
   * the job, or FAILED if it has ended well and the trace could not be written.
   */
  int run(IntSupplier job, PrintStream out) {
    CountDownLatch written = new CountDownLatch(1);
    Thread hook = new Thread(() -> await(written), "end-of-trace");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      int code = job.getAsInt();
      boolean isLost = file != null && !write(out);
      return isLost && code == ExitCode.OK ? ExitCode.FAILED : code;
    } finally {
      remove();
      written.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException shutdownHasBegun) {
        // It has waited for this.
      }
    }
  }

  private static void await(CountDownLatch written) {
    try {
      if (!written.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("tagfabric: the trace was given up");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether all of it is in the file; if not, the lines are printed all the same. */
  private boolean write(PrintStream out) {
    try {
      Timeline timeline = Timeline.gather(parts, ranks);
      new TimelineText(timeline).lines(lines).forEach(out::println);
      if (file.getFileName().toString().endsWith(".json")) {
        Files.write(file, ChromeWriter.write(timeline).getBytes(StandardCharsets.UTF_8));
      } else {
        Files.write(file, PerfettoWriter.write(timeline));
      }
      out.println("all events: " + file + ", open it in https://ui.perfetto.dev");
      return true;
    } catch (IOException | UncheckedIOException e) {
      System.err.println(
          "tagfabric: --trace-file: cannot write " + file + ": " + reason(e) + "; it is not whole");
      return false;
    }
  }

  private void remove() {
    try (Stream<Path> files = Files.walk(parts)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("tagfabric: " + parts + " is left: " + e);
    }
  }
}
