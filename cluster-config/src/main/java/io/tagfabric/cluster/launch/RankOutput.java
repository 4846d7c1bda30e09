package io.tagfabric.cluster.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where what a rank prints goes: to the screen, with its number in front, or to files. */
final class RankOutput {
  private static final int REMEMBERED_LINES = 20;

  private final OutputStream out;
  private final OutputStream err;
  private final LaunchOptions options;
  private final Object screen;

  /**
   * @param screen lock of both streams, so that lines never mix
   */
  RankOutput(OutputStream out, OutputStream err, LaunchOptions options, Object screen) {
    this.out = out;
    this.err = err;
    this.options = options;
    this.screen = screen;
  }

  /** Makes the directory of the files. */
  void prepare() {
    options
        .outputDirectory()
        .ifPresent(
            directory -> {
              try {
                Files.createDirectories(directory);
              } catch (IOException failure) {
                throw cannotWrite(directory, failure);
              }
            });
  }

  /** For what a rank prints. */
  LineWriter output(int rank) {
    return writer(rank, "out", out);
  }

  /** For its errors. */
  LineWriter errors(int rank) {
    return writer(rank, "err", err);
  }

  private LineWriter writer(int rank, String kind, OutputStream stream) {
    return new LineWriter(
        target(rank, kind).orElse(stream), screen, prefix(rank), REMEMBERED_LINES);
  }

  private String prefix(int rank) {
    return options.tagged() && options.outputDirectory().isEmpty() ? "[" + rank + "] " : "";
  }

  /** Left to the end of the launcher to close: a grandchild may still write. */
  private Optional<OutputStream> target(int rank, String kind) {
    return options
        .outputDirectory()
        .map(
            directory -> {
              Path file = directory.resolve("rank-" + rank + "." + kind);
              try {
                return Files.newOutputStream(file);
              } catch (IOException failure) {
                throw cannotWrite(file, failure);
              }
            });
  }

  private static LaunchException cannotWrite(Path path, IOException failure) {
    return new LaunchException(
        "cannot write " + path + " (" + failure.getMessage() + "), choose another output directory",
        failure);
  }
}
