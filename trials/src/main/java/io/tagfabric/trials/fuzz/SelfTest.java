package io.tagfabric.trials.fuzz;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.JsonLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Proves that the fuzzer finds defects: each mutant is attacked in a small JVM of its own. */
final class SelfTest {
  private static final int SECONDS = 60;

  /** For the JVM to start and to end. */
  private static final int MORE_SECONDS = 60;

  private static final int LINES_KEPT = 5;

  private final FuzzOptions options;
  private final PrintWriter out;
  private final PrintWriter err;

  SelfTest(FuzzOptions options, PrintWriter out, PrintWriter err) {
    this.options = options;
    this.out = out;
    this.err = err;
  }

  /** The exit code of the command. */
  int run() {
    boolean allFound = true;
    JsonLine line = new JsonLine();
    for (Mutant mutant : Mutant.values()) {
      long beginNs = System.nanoTime();
      String trouble = find(mutant);
      double seconds = (System.nanoTime() - beginNs) / 1e9;
      allFound &= trouble.isEmpty();
      line.put(mutant.label() + "_found", trouble.isEmpty());
      line.put(mutant.label() + "_seconds", seconds);
      if (!options.json) {
        out.printf(
            Locale.ROOT,
            "%s: %s%n",
            mutant.label(),
            trouble.isEmpty()
                ? String.format(Locale.ROOT, "found after %.1f s", seconds)
                : "not found, " + trouble);
        out.flush();
      } else if (!trouble.isEmpty()) {
        err.println("fuzz: " + mutant.label() + " not found, " + trouble);
        err.flush();
      }
    }
    if (options.json) {
      out.println(line);
      out.flush();
    }
    return allFound ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Why a mutant was not found for what it is, empty if it was. */
  private String find(Mutant mutant) {
    try {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC",
                  "-Xmx256m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Mutant.class.getName(),
                  mutant.label(),
                  "--provider=" + mutant.provider(options.providers.get(0)),
                  "--profile=" + mutant.profile(),
                  "--seconds=" + SECONDS,
                  "--seed=" + options.seed,
                  "--json")
              .redirectErrorStream(true)
              .start();
      try {
        process.getOutputStream().close();
        CompletableFuture<List<String>> lines = CompletableFuture.supplyAsync(() -> read(process));
        if (!process.waitFor(SECONDS + MORE_SECONDS, TimeUnit.SECONDS)) {
          return "its JVM has not ended";
        }
        return verdict(mutant, process.exitValue(), lines.join());
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return "its JVM cannot be started: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /** The last lines, the report of the fuzz among them. */
  private static List<String> read(Process process) {
    ArrayDeque<String> last = new ArrayDeque<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), Charset.defaultCharset()))) {
      String line;
      while ((line = reader.readLine()) != null) {
        last.addLast(line);
        if (last.size() > LINES_KEPT) {
          last.pollFirst();
        }
      }
    } catch (IOException ended) {
      last.addLast(ended.toString());
    }
    return List.copyOf(last);
  }

  /**
   * Judges how the fuzz of a mutant ended.
   *
   * @return why it did not find the defect, empty if it did
   */
  static String verdict(Mutant mutant, int exitCode, List<String> lines) {
    String report = lines.stream().filter(line -> line.startsWith("{")).findFirst().orElse("{}");
    Config row = ConfigFactory.parseString(report);
    String wanted = mutant.promise().name().toLowerCase(Locale.ROOT);
    if (exitCode != ExitCode.FAILED || !row.hasPath("promise")) {
      return "exit code " + exitCode + ": " + String.join(" | ", lines);
    }
    return row.getString("promise").equals(wanted)
        ? ""
        : "promise="
            + row.getString("promise")
            + " != "
            + wanted
            + ": "
            + row.getString("violation");
  }
}
