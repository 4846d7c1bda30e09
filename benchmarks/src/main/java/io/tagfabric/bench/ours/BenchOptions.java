package io.tagfabric.bench.ours;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.Profile;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.progress.HandOver;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.progress.ThreadUse;
import io.tagfabric.provider.Reach;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What all benchmarks of ours let a person choose. */
public class BenchOptions {
  /** Where messages lie. */
  enum Memory {
    HEAP,
    DIRECT,
    FABRIC
  }

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      defaultValue = Providers.LOCAL,
      completionCandidates = Providers.Names.class,
      description = {
        "Of ${COMPLETION-CANDIDATES}; local is within this JVM, another between two ranks (default:"
            + " ${DEFAULT-VALUE})."
      })
  String provider;

  @Option(
      names = "--progress",
      paramLabel = "MODE",
      defaultValue = "manual",
      converter = EnumNames.OfProgress.class,
      description = "manual or auto (default: manual).")
  ProgressMode progress;

  @Option(
      names = "--hand-over",
      paramLabel = "WAY",
      converter = EnumNames.OfHandOver.class,
      description = {
        "call: the parts of a domain hand over by calls; mailbox: each step is a message to an actor"
            + " (default: the setting tagfabric.progress.hand-over)."
      })
  HandOver handOver;

  @Option(
      names = "--thread-use",
      paramLabel = "WHO",
      converter = EnumNames.OfThreadUse.class,
      description = {
        "one: with manual progress the measuring thread has the domain for itself; any: it has not"
            + " (default: the setting tagfabric.progress.threads)."
      })
  ThreadUse threadUse;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "Runs of each; the one in the middle is shown (default: 5, and 9 of each with --vs).")
  private Integer runs;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      converter = EnumNames.OfProfile.class,
      description = {
        "How Akka's remoting travels between two ranks: aeron or tcp (default: the setting"
            + " tagfabric.job.profile with artery, else tcp, which needs no other process)."
      })
  Profile profile;

  @Option(
      names = "--memory",
      paramLabel = "KIND",
      defaultValue = "heap",
      converter = EnumNames.OfMemory.class,
      description = {
        "heap: messages lie in arrays; direct: outside the heap; fabric: in memory that both ranks"
            + " reach, with shm (default: heap)."
      })
  Memory memory;

  @Option(names = "--json", description = "Print one JSON object a line.")
  boolean json;

  /** What is wrong with the options, in one sentence, null if nothing is. */
  public String complaint() {
    String missing = Providers.complaint(provider);
    if (missing != null) {
      return missing;
    }
    if (memory == Memory.FABRIC && !provider.equals(Providers.SHM)) {
      return "--memory=fabric is for --provider shm, not " + provider;
    }
    if (runs() < 1 || runs() > 1000) {
      return "--runs=" + runs() + " is not within 1 to 1000";
    }
    return null;
  }

  /** How messages are received; {@link StreamOptions} has options for it. */
  Way way() {
    return Way.PLAIN;
  }

  /** Numbers of contexts of scalable endpoints; null if those are not measured. */
  List<Integer> contexts() {
    return null;
  }

  /** Endpoints of each side, where they are many. */
  int peers() {
    return 1;
  }

  /** The provider that is measured. */
  public String provider() {
    return provider;
  }

  /** What drives the domain. */
  public ProgressMode progress() {
    return progress;
  }

  /** How a domain makes progress here. */
  ProgressSettings progress(ProgressSettings defaults) {
    ProgressSettings chosen = defaults.withMode(progress);
    if (threadUse != null) {
      chosen = chosen.withThreads(threadUse);
    }
    return handOver == null ? chosen : chosen.withHandOver(handOver);
  }

  /** Runs of each. */
  public int runs() {
    return runs != null ? runs : usualRuns();
  }

  /** Runs of each unless the user says otherwise. */
  int usualRuns() {
    return 5;
  }

  /** Whether rows are printed as JSON. */
  public boolean isJson() {
    return json;
  }

  /** Whether both ends are in this JVM. */
  public boolean isLocal() {
    return Providers.reaches(provider, Reach.JVM);
  }

  /** Where the ends of a domain keep their messages. */
  Buffers buffers(Domain domain) {
    return switch (memory) {
      case HEAP -> Buffers.HEAP;
      case DIRECT -> Buffers.DIRECT;
      case FABRIC -> Buffers.fabric(domain);
    };
  }

  /**
   * Runs a benchmark where the options say.
   *
   * @param work what {@link RankMain} calls it
   * @param here what it does within this JVM
   * @return the exit code of the command
   * @throws ParameterException if something is wrong with the options
   */
  int start(CommandLine command, String work, Runnable here) {
    if (complaint() != null) {
      throw new ParameterException(command, complaint());
    }
    if (!isLocal()) {
      return RankJob.run(work, this);
    }
    try {
      here.run();
      return ExitCode.OK;
    } catch (FabricException failure) {
      command.getErr().println("bench: " + failure.getMessage());
      return ExitCode.FAILED;
    }
  }

  /** The options as arguments of {@link RankMain}. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("--provider=" + provider);
    arguments.add("--progress=" + EnumNames.of(progress));
    arguments.add("--runs=" + runs());
    if (threadUse != null) {
      arguments.add("--thread-use=" + EnumNames.of(threadUse));
    }
    if (handOver != null) {
      arguments.add("--hand-over=" + EnumNames.of(handOver));
    }
    if (profile != null) {
      arguments.add("--profile=" + EnumNames.of(profile));
    }
    arguments.add("--memory=" + EnumNames.of(memory));
    if (json) {
      arguments.add("--json");
    }
    return arguments;
  }
}
