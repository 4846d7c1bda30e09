package io.tagfabric.cluster.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/**
 * Files and directories that only their user can enter, whatever the process' umask lets through.
 */
public final class PrivateFiles {
  private static final int FOR_OTHERS = 0077;
  private static final int PERMISSIONS = 07777;
  private static final Set<PosixFilePermission> OF_DIRECTORIES =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OF_FILES =
      PosixFilePermissions.fromString("rw-------");

  private PrivateFiles() {}

  /**
   * Makes a directory, or sees that the one that is there is this user's own.
   *
   * @throws LaunchException if it is not
   */
  static void makeDirectory(Path directory) throws IOException {
    try {
      Files.createDirectory(directory, ofDirectories());
    } catch (FileAlreadyExistsException exists) {
      requireOwn(directory);
    }
  }

  /** Makes a directory and those it is to lie in. */
  public static void makeDirectories(Path directory) throws IOException {
    // where a link to a directory stands, createDirectories fails
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory, ofDirectories());
    }
  }

  /**
   * Sees that a directory is one, belongs to this user and lets nobody else in. A link is none,
   * wherever it leads: others may have put it there. What is gone is let pass.
   *
   * @throws LaunchException that says what is wrong and what cures it
   */
  static void requireOwn(Path directory) throws IOException {
    try {
      String wrong = complaint(directory);
      if (!wrong.isEmpty()) {
        throw new LaunchException(
            directory
                + " "
                + wrong
                + ", or name another place by "
                + LaunchSettings.DIRECTORY.variable());
      }
    } catch (NoSuchFileException gone) {
      return;
    }
  }

  private static String complaint(Path directory) throws IOException {
    if (!FileOwner.isKnown()) {
      return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
          ? ""
          : "is not a directory, remove it";
    }
    Map<String, Object> seen =
        Files.readAttributes(
            directory, "unix:uid,mode,isDirectory,isSymbolicLink", LinkOption.NOFOLLOW_LINKS);
    int uid = (Integer) seen.get("uid");
    int mode = (Integer) seen.get("mode") & PERMISSIONS;
    if ((Boolean) seen.get("isSymbolicLink")) {
      return "is a link, which may lead to files of others: remove it";
    }
    if (!(Boolean) seen.get("isDirectory")) {
      return "is not a directory: remove it";
    }
    if (uid != FileOwner.uid()) {
      return "belongs to user " + uid + " and not to this user " + FileOwner.uid() + ": remove it";
    }
    return (mode & FOR_OTHERS) == 0
        ? ""
        : "has mode "
            + Integer.toOctalString(mode)
            + ", which lets other users in: chmod it to 700, remove it";
  }

  /** Writes a file; the options are those of {@link Files#writeString}, and have to be given. */
  static void write(Path file, String text, OpenOption... options) throws IOException {
    write(file, text.getBytes(StandardCharsets.UTF_8), options);
  }

  static void write(Path file, byte[] bytes, OpenOption... options) throws IOException {
    try (FileChannel channel = FileChannel.open(file, Set.of(options), ofFiles())) {
      ByteBuffer rest = ByteBuffer.wrap(bytes);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    }
  }

  /** Makes an empty file unless it is there. */
  static void makeFile(Path file) throws IOException {
    try {
      Files.createFile(file, ofFiles());
    } catch (FileAlreadyExistsException exists) {
      return;
    }
  }

  /** Takes from a directory and all that is in it what other users may do with it. */
  static void restrict(Path directory) throws IOException {
    if (FileOwner.isKnown()) {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes)
                throws IOException {
              Files.setPosixFilePermissions(inner, OF_DIRECTORIES);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              if (attributes.isRegularFile()) {
                Files.setPosixFilePermissions(file, OF_FILES);
              }
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
          });
    }
  }

  /** What a new file of this user has. */
  static FileAttribute<?>[] ofFiles() {
    return attributes(OF_FILES);
  }

  private static FileAttribute<?>[] ofDirectories() {
    return attributes(OF_DIRECTORIES);
  }

  private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
    return FileOwner.isKnown()
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }
}
