package io.tagfabric.cluster.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Removes directories with all that is in them. */
final class FileTrees {
  private FileTrees() {}

  /** Deletes a directory; what others delete meanwhile does not matter. */
  static void delete(Path directory) {
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure)
                throws IOException {
              if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path inner, IOException failure)
                throws IOException {
              Files.deleteIfExists(inner);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
