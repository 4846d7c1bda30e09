package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The zip that the module {@code distribution} has made. */
final class Distribution {
  private Distribution() {}

  /** The root of the project. */
  static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("tagfabric")) ? here : here.getParent();
  }

  private static Path zip() throws IOException {
    try (Stream<Path> files = Files.list(root().resolve("distribution/target"))) {
      List<Path> zips = files.filter(file -> file.toString().endsWith(".zip")).toList();
      assertThat(zips).as("made by `mvn package`").hasSize(1);
      return zips.get(0);
    }
  }

  /** Unpacks it with the permissions that stand in it; the directory with {@code bin}. */
  static Path unpack(Path into) throws IOException {
    try (FileSystem zip =
            FileSystems.newFileSystem(zip(), Map.of("enablePosixFileAttributes", true));
        Stream<Path> files = Files.walk(zip.getPath("/"))) {
      for (Path file : files.toList()) {
        Path target = into.resolve(file.toString().substring(1));
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
          Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(file));
        }
      }
    }
    try (Stream<Path> top = Files.list(into)) {
      List<Path> found = top.toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }
}
