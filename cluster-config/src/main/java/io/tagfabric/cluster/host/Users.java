package io.tagfabric.cluster.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The processes that use something, each an empty file named by its {@link ProcessId}. */
final class Users {
  private final Path directory;

  Users(Path directory) {
    this.directory = directory;
  }

  void add(ProcessId process) {
    try {
      PrivateFiles.makeDirectories(directory);
      PrivateFiles.makeFile(directory.resolve(process.toString()));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  void remove(ProcessId process) {
    try {
      Files.deleteIfExists(directory.resolve(process.toString()));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Removes the directory with those files in it that are named by a process. */
  void clear() throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (ProcessId.parse(file.getFileName().toString()).isPresent()) {
          Files.deleteIfExists(file);
        }
      }
    }
    Files.deleteIfExists(directory);
  }

  /** The users that still live; the files of dead ones are removed. */
  List<ProcessId> living() {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    List<ProcessId> living = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        ProcessId process = ProcessId.parse(file.getFileName().toString()).orElse(null);
        if (process == null) {
          continue;
        }
        if (process.isAlive()) {
          living.add(process);
        } else {
          Files.deleteIfExists(file);
        }
      }
    } catch (NoSuchFileException none) {
      return List.of();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return living;
  }
}
