package io.tagfabric.watch;

import io.tagfabric.cluster.job.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tagfabric watch}. */
@Command(
    name = "watch",
    description = "Show a running job on a live page.",
    footer = {
      "",
      "The job must have been started by `tagfabric run --watch`, which serves a page",
      "itself, or by --trace; then it can be seen, but not be told to freeze, to step",
      "or to change who makes progress. The page is served on loopback only, below a",
      "random path. The command ends with the job.",
      "",
      "Example: tagfabric run -n 4 --watch heat"
    })
public final class WatchCommand implements Callable<Integer> {
  private static final int MOST_PORT = 65_535;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "On loopback (default: any that is free).")
  private int port;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "DIR",
      description =
          "Where the ranks write, as trace.directory says it (default: that of the one job that"
              + " runs).")
  private Path directory;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (port < 0 || port > MOST_PORT) {
      throw mistake("--port=" + port + " is not from 0 to " + MOST_PORT);
    }
    PrintWriter out = spec.commandLine().getOut();
    try (WatchServer server = WatchServer.start(job(), port)) {
      Thread hook = new Thread(server::close, "end-of-watch");
      Runtime.getRuntime().addShutdownHook(hook);
      out.println(server.uri());
      out.flush();
      server.awaitEnd();
      return ExitCode.OK;
    } catch (IOException e) {
      spec.commandLine().getErr().println("tagfabric watch: port " + port + ": " + e.getMessage());
      return ExitCode.FAILED;
    }
  }

  private Path job() {
    if (directory != null) {
      if (!Files.isDirectory(directory)) {
        throw mistake(directory + " is not a directory");
      }
      return directory;
    }
    List<Path> jobs = WatchDirectories.running();
    if (jobs.isEmpty()) {
      throw mistake("no job runs here that can be watched, start one by run --watch");
    }
    if (jobs.size() > 1) {
      throw mistake(jobs.size() + " jobs run here, name one: " + jobs);
    }
    return jobs.get(0);
  }

  private ParameterException mistake(String text) {
    return new ParameterException(spec.commandLine(), text);
  }
}
