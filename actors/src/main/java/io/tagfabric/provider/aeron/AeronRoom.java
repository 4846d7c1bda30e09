package io.tagfabric.provider.aeron;

import io.aeron.driver.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Looks whether the file system of a node's buffers has room before one is made. They are sparse,
 * so who writes where there is no room is ended by a signal, or told so by an internal error of the
 * JVM. Thread: any.
 */
final class AeronRoom {
  /** What a driver's files take: commands, events, counters with their labels, errors, losses. */
  static final long DRIVER_BYTES =
      Configuration.CONDUCTOR_BUFFER_LENGTH_DEFAULT
          + Configuration.TO_CLIENTS_BUFFER_LENGTH_DEFAULT
          + 5L * Configuration.COUNTERS_VALUES_BUFFER_LENGTH_DEFAULT
          + Configuration.ERROR_BUFFER_LENGTH_DEFAULT
          + Configuration.LOSS_REPORT_BUFFER_LENGTH_DEFAULT;

  private static final int TERMS = 3;

  /** With less than this a node that has met an internal error has met it for want of room. */
  private static final long NO_ROOM_BYTES = 64 * 1024;

  private final Path directory;
  private final int termBytes;

  AeronRoom(Path directory, int termBytes) {
    this.directory = directory;
    this.termBytes = termBytes;
  }

  /** Why a driver cannot be started, empty if it can. */
  Optional<String> noneForDriver() {
    return noneFor("a media driver", DRIVER_BYTES);
  }

  /** Why a stream cannot be opened, empty if it can. */
  Optional<String> noneForStream() {
    return noneFor("a stream to a peer", (long) TERMS * termBytes);
  }

  /** Why a stream that was open cannot be used any more; empty if there is room. */
  Optional<String> usedUp() {
    return noneFor("what is written", NO_ROOM_BYTES);
  }

  private Optional<String> noneFor(String what, long neededBytes) {
    long freeBytes;
    try {
      freeBytes = Files.getFileStore(directory).getUsableSpace();
    } catch (IOException unknown) {
      return Optional.empty();
    }
    return freeBytes >= neededBytes
        ? Optional.empty()
        : Optional.of(
            what
                + " needs neededBytes="
                + neededBytes
                + " of shared memory, freeBytes="
                + freeBytes
                + " in "
                + directory
                + "; enlarge it (docker run --shm-size), lower "
                + AeronSettings.TERM_LENGTH.fullKey()
                + ", or set tagfabric.launch.directory");
  }
}
