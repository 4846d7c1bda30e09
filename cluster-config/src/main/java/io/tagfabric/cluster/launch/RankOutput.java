package io.tagfabric.cluster.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where what a rank prints goes: to the screen, with its number in front, or to files. */
final class RankOutput {
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

  LineCopier copyOutput(int rank, Process process, int remembered) {
    return LineCopier.start(
        process.getInputStream(),
        target(rank, "out").orElse(out),
        screen,
        prefix(rank),
        remembered,
        "rank-" + rank + "-output");
  }

  LineCopier copyErrors(int rank, Process process, int remembered) {
    return LineCopier.start(
        process.getErrorStream(),
        target(rank, "err").orElse(err),
        screen,
        prefix(rank),
        remembered,
        "rank-" + rank + "-errors");
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
