package io.tagfabric.trials.exit;

import java.time.Duration;
import java.util.List;

/**
 * How one run of a case went.
 *
 * @param which case
 * @param size number of ranks
 * @param reverse whether the places of ranks were turned round
 * @param limit how long it was given
 * @param code of the job, {@link #NOT_STARTED} if there was none
 * @param seconds from before its start to after its end
 * @param times how long its end may take
 * @param said all lines, of ranks and of the launcher
 * @param processes that it has left behind, and so on
 */
record ExitRun(
    ExitCase which,
    int size,
    boolean reverse,
    Duration limit,
    int code,
    double seconds,
    Times times,
    List<SaidLine> said,
    List<String> processes,
    List<String> files,
    List<String> ports) {
  /** No exit code of a process. */
  static final int NOT_STARTED = -1;

  /**
   * What the documentation promises.
   *
   * @param hooks from the first act of a rank to the last hook's begin
   * @param end from there to the end of the job
   */
  record Times(Duration hooks, Duration end) {}

  ExitRun {
    said = List.copyOf(said);
    processes = List.copyOf(processes);
    files = List.copyOf(files);
    ports = List.copyOf(ports);
  }

  /** The ranks that have said something with this text. */
  List<Integer> ranksThatSay(String text) {
    return said.stream()
        .filter(line -> line.rank() != SaidLine.LAUNCHER && line.text().contains(text))
        .map(SaidLine::rank)
        .distinct()
        .sorted()
        .toList();
  }
}
