package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.bench.ours.RankJob;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.Profile;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Two JVMs that our launcher starts: ranks of ours, or processes of a peer that is on the class
 * path.
 *
 * @param profile decides whether a media driver runs beside
 * @param arguments before the workload; asked for at every run
 * @param plays what it can do
 * @param leastBytes its shortest message of interest
 * @param mostBytes its longest message
 * @param namespaces where its processes run; empty for this host as it is
 */
record JobContender(
    String name,
    String description,
    Optional<String> missingBecause,
    Plays plays,
    int leastBytes,
    int mostBytes,
    int startMs,
    Profile profile,
    String mainClass,
    Supplier<List<String>> arguments,
    Optional<Namespaces> namespaces)
    implements Contender {
  /** What a contender can do. */
  enum Plays {
    /** It sends messages. */
    MESSAGES,
    /** It sends messages and matches them by tags. */
    TAGGED_MESSAGES,
    /** It sends messages, also to one that sleeps. */
    MESSAGES_AND_WAKES,
    /** It sends messages to one that sleeps, and there is no more to it. */
    WAKES,
    /** It accesses memory of the other side. */
    ACCESSES;

    boolean include(Metric metric) {
      if (metric.isAccess()) {
        return this == ACCESSES;
      }
      if (metric == Metric.WAKE) {
        return this == MESSAGES_AND_WAKES || this == WAKES;
      }
      return this == TAGGED_MESSAGES
          || (this == MESSAGES || this == MESSAGES_AND_WAKES) && !metric.isMatching();
    }
  }

  /** On this host as it is. */
  JobContender(
      String name,
      String description,
      Optional<String> missingBecause,
      Plays plays,
      int leastBytes,
      int mostBytes,
      int startMs,
      Profile profile,
      String mainClass,
      Supplier<List<String>> arguments) {
    this(
        name,
        description,
        missingBecause,
        plays,
        leastBytes,
        mostBytes,
        startMs,
        profile,
        mainClass,
        arguments,
        Optional.empty());
  }

  @Override
  public boolean measures(Cell cell) {
    return plays.include(cell.metric()) && cell.size() >= leastBytes && cell.size() <= mostBytes;
  }

  @Override
  public List<Sample> run(Workload workload) throws ContenderException {
    return play(JobMain.Call.of(this, workload, ContenderOutput.patience(this, workload)));
  }

  /** Runs a job of a contender, with this process's Java. */
  static List<Sample> play(JobMain.Call call) throws ContenderException {
    List<String> words = new ArrayList<>(call.arguments());
    words.addAll(call.workload().toWords());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try {
      int code =
          RankJob.run(
              call.mainClass(),
              words,
              call.profile(),
              Optional.of(call.patience()),
              call.namespaces().map(Namespaces::plan),
              out,
              err);
      if (code != ExitCode.OK) {
        String reason =
            ContenderOutput.reason(err.toByteArray(), "a process " + ExitCode.describe(code));
        return withReason(ContenderOutput.samples(out.toByteArray()), call.workload(), reason);
      }
    } catch (LaunchException failure) {
      throw new ContenderException(failure.getMessage(), failure);
    }
    return ContenderOutput.samples(out.toByteArray());
  }

  /** What was measured before the failure counts; the other cells say why they are left out. */
  private static List<Sample> withReason(List<Sample> measured, Workload workload, String reason)
      throws ContenderException {
    if (measured.isEmpty()) {
      throw new ContenderException(reason);
    }
    List<Sample> all = new ArrayList<>(measured);
    for (Cell cell : workload.cells()) {
      if (measured.stream().noneMatch(sample -> sample.isOf(cell))) {
        all.add(Sample.leftOut(cell, reason));
      }
    }
    return all;
  }
}
