package io.tagfabric.cluster.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The user that new files of this process belong to, by number: names may be missing, and two users
 * without one share the name that Java gives them.
 */
final class FileOwner {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String USER_IDS = "Uid:";

  /** In that line: real, effective, saved, and the one that files get. */
  private static final int OF_FILES = 4;

  private static final int UID = find();

  private FileOwner() {}

  /** Whether files here have owners and modes at all. */
  static boolean isKnown() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
  }

  /** The number of this user, 0 where files have no owners. */
  static int uid() {
    return UID;
  }

  /** The end of a file's name that tells this user from others. */
  static String name() {
    return nameOf(System.getProperty("user.name", ""), UID);
  }

  static String nameOf(String userName, int uid) {
    // Java writes ? for a user without an entry in the list of users
    boolean fits = !userName.isBlank() && userName.chars().noneMatch(c -> "?/\0".indexOf(c) >= 0);
    return fits ? userName : Integer.toString(uid);
  }

  private static int find() {
    if (!isKnown()) {
      return 0;
    }
    try {
      return Files.isReadable(STATUS) ? fromStatus(Files.readAllLines(STATUS)) : fromNewFile();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot tell the number of this user", failure);
    }
  }

  private static int fromStatus(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(USER_IDS))
        .map(line -> Integer.parseUnsignedInt(line.split("\\s+", -1)[OF_FILES]))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(STATUS + " has no line " + USER_IDS));
  }

  private static int fromNewFile() throws IOException {
    Path file = Files.createTempFile("tagfabric", "");
    try {
      return (Integer) Files.getAttribute(file, "unix:uid");
    } finally {
      Files.delete(file);
    }
  }
}
