package io.tagfabric.cluster.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Removes directories with all that is in them. */
public final class FileTrees {
  private static final int ATTEMPTS = 10;

  private FileTrees() {}

  /** Deletes a directory, with what others may put into it meanwhile; they may delete, too. */
  public static void delete(Path directory) {
    for (int attempt = 1; !deleted(directory, attempt == ATTEMPTS); attempt++) {
      Thread.onSpinWait();
    }
  }

  private static boolean deleted(Path directory, boolean last) {
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
      return true;
    } catch (DirectoryNotEmptyException grows) {
      if (last) {
        throw new UncheckedIOException(grows);
      }
      return false;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
