package io.tagfabric.bench.guard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * A directory with a command {@code tagfabric} of the shell, which prints canned rows. It writes
 * its begin and its end into {@code calls} of the directory above.
 */
final class FakeBuild {
  private static final String HEAD =
      """
      #!/bin/sh
      top=%1$s
      if [ "$1" = --version ]; then
        echo "Tagfabric fake"
        exit %2$d
      fi
      echo begin %3$s >>"$top/calls"
      trap 'echo end %3$s >>"$top/calls"' EXIT
      n=0
      [ ! -f "$top/count" ] || read -r n <"$top/count"
      n=$((n + 1))
      echo $n >"$top/count"
      # a row of a latency: size, nanoseconds; calls differ from each other by up to 4 %%
      row() {
        value=$(($2 * (200 + n * 7919 %% 9 - 4) * 5))
        printf '{"bytes": %%d, "p50_us": %%d.%%06d, "cpu_usec": 0.5}\\n' \\
          "$1" $((value / 1000000)) $((value %% 1000000))
      }
      """;

  private final Path directory;

  private FakeBuild(Path directory) {
    this.directory = directory;
  }

  /** Makes one whose command does what lines of the shell say. */
  static FakeBuild in(Path top, String name, String lines) {
    return in(top, name, 0, lines);
  }

  /** The same, whose {@code --version} ends with a code. */
  static FakeBuild in(Path top, String name, int code, String lines) {
    try {
      Path directory = Files.createDirectories(top.resolve(name));
      Path command =
          Files.writeString(
              directory.resolve("tagfabric"), HEAD.formatted(top, code, name) + lines);
      Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
      return new FakeBuild(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path directory() {
    return directory;
  }

  /** As the guard's own. */
  Build build() {
    return new Build("this build", directory.resolve("tagfabric"));
  }

  /** When measurements of which build began and ended. */
  static List<String> calls(Path top) throws IOException {
    return Files.readAllLines(top.resolve("calls"));
  }
}
