package io.tagfabric.cli;

import io.tagfabric.cluster.job.ExitCode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Notices that ranks have not written their statistics, as on a full disk: each file must be
 * another one than before. What is no regular file, as a pipe, is not looked at.
 */
final class StatsCheck {
  /** What tells a file from the one that takes its place. */
  private record State(Object key, FileTime written) {}

  private static final State NONE = new State("none", FileTime.fromMillis(0));

  private final Map<Path, State> before = new LinkedHashMap<>();

  /**
   * Looks at the files before the job.
   *
   * @param file its name, with a sign where the numbers of ranks go
   */
  StatsCheck(String file, int ranks) {
    IntStream.range(0, ranks)
        .mapToObj(rank -> Path.of(file.replace(ObserveOptions.RANK, Integer.toString(rank))))
        .filter(each -> Files.notExists(each) || Files.isRegularFile(each))
        .forEach(each -> before.put(each, stateOf(each)));
  }

  /** The code of a job that has ended: if it is 0 and a file is missing, one that says so. */
  int code(int ofJob, PrintStream err) {
    if (ofJob != ExitCode.OK) {
      return ofJob;
    }
    for (Map.Entry<Path, State> file : before.entrySet()) {
      if (stateOf(file.getKey()).equals(file.getValue())) {
        err.println(
            "tagfabric: --stats: nothing was written to "
                + file.getKey()
                + ", is the disk full? the warnings of the ranks say why");
        return ExitCode.OUTPUT_LOST;
      }
    }
    return ofJob;
  }

  private static State stateOf(Path file) {
    try {
      BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
      return new State(String.valueOf(is.fileKey()), is.lastModifiedTime());
    } catch (IOException none) {
      return NONE;
    }
  }
}
