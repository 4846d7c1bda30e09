package io.tagfabric.trials.watch;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.timeline.Timeline;
import io.tagfabric.trials.simulate.ProgramOptions;
import io.tagfabric.trials.simulate.RecordedSeed;
import io.tagfabric.trials.simulate.RunOptions;
import io.tagfabric.watch.WatchDirectories;
import io.tagfabric.watch.WatchServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tagfabric watch}. */
@Command(
    name = "watch",
    description = "Show a running job, or the run of a seed, on a page.",
    footer = {
      "",
      "The job must have been started by `tagfabric run --watch`, which serves a page",
      "itself, or by --trace; then it can be seen, but not be told to freeze, to step",
      "or to change who makes progress. The command ends with the job.",
      "",
      "With --seed it simulates PROGRAM first, or random programs if there is none, as",
      "`tagfabric simulate` does, and the page plays that run: on and on, or event by",
      "event. Arguments of the program stand behind --. The command ends by Ctrl-C.",
      "",
      "The page is served on loopback only, below a random path.",
      "",
      "Example: tagfabric watch",
      "Example: tagfabric watch --seed 3 heat --ranks 9",
      "Example: tagfabric watch --seed 3 --faults crash=1@2ms"
    })
public final class WatchCommand implements Callable<Integer> {
  private static final int MOST_PORT = 65_535;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "On loopback (default: any that is free).")
  private int port;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Play the run of this seed; the options below are of that run.")
  private Long seed;

  @Mixin private RunOptions run = new RunOptions();

  @Option(
      names = {"--class-path", "-cp"},
      paramLabel = "PATH",
      description = "Jars and directories of PROGRAM, such as 'app.jar:lib/*'.")
  private String classPath;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "DIR|PROGRAM",
      description =
          "Where the ranks of a job write, as trace.directory says it (default: that of the one job"
              + " that runs). With --seed the program, random ones if there is none: a name that `tagfabric programs` lists, or a"
              + " class with a main method.")
  private String what;

  @Parameters(index = "1..*", paramLabel = "ARG", description = "Arguments of the program.")
  private List<String> arguments = new ArrayList<>();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (port < 0 || port > MOST_PORT) {
      throw mistake("--port=" + port + " is not from 0 to " + MOST_PORT);
    }
    Timeline recorded = seed == null ? null : recorded();
    Path job = seed == null ? job() : null;
    PrintWriter out = spec.commandLine().getOut();
    try (WatchServer server =
        seed == null ? WatchServer.start(job, port) : WatchServer.replay(recorded, port)) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "end-of-watch"));
      out.println(server.uri());
      out.flush();
      server.awaitEnd();
      return ExitCode.OK;
    } catch (IOException e) {
      spec.commandLine().getErr().println("tagfabric watch: port " + port + ": " + e.getMessage());
      return ExitCode.FAILED;
    }
  }

  private Timeline recorded() {
    PrintWriter out = spec.commandLine().getOut();
    try {
      return RecordedSeed.record(
          seed, run, new ProgramOptions(what, arguments, classPath), out::println);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Path job() {
    String ofRuns =
        spec.commandLine().getParseResult().matchedOptions().stream()
            .map(option -> option.longestName())
            .filter(name -> !name.equals("--port"))
            .findFirst()
            .orElse(null);
    if (ofRuns != null || !arguments.isEmpty()) {
      throw mistake((ofRuns == null ? arguments.get(0) : ofRuns) + " is for --seed N");
    }
    if (what != null) {
      if (!Files.isDirectory(Path.of(what))) {
        throw mistake(what + " is not a directory; of a program name the run by --seed N");
      }
      return Path.of(what);
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
