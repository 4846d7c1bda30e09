package io.tagfabric.launch;

import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.launch.output.RankSink;
import io.tagfabric.launch.output.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where what a rank prints goes: to the screen, with its number in front, or to files. */
final class RankOutput {
  private static final int REMEMBERED_LINES = 20;

  private final LaunchOptions options;
  private final Screen screen;

  RankOutput(LaunchOptions options, Screen screen) {
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
  RankSink output(int rank) {
    return file(rank, "out").orElseGet(() -> screen.output(tag(rank), REMEMBERED_LINES));
  }

  /** For its errors. */
  RankSink errors(int rank) {
    return file(rank, "err").orElseGet(() -> screen.errors(tag(rank), REMEMBERED_LINES));
  }

  private String tag(int rank) {
    return options.tagged() ? "[" + rank + "] " : "";
  }

  private Optional<RankSink> file(int rank, String kind) {
    return options
        .outputDirectory()
        .map(
            directory -> {
              Path file = directory.resolve("rank-" + rank + "." + kind);
              try {
                return screen.file(file, Files.newOutputStream(file), REMEMBERED_LINES);
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
