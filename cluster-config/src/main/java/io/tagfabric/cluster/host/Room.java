package io.tagfabric.cluster.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where there is room for the files of a host's jobs; Docker gives 64 MiB of shared memory. */
public final class Room {
  private static final long MIB = 1024 * 1024;

  /**
   * What a media driver is not started below. It takes 9 MiB at once, and up to 12 MiB for each
   * rank that talks to another, as their buffers are used; memory that is not there when they are
   * would end a process by a signal. It is also what Aeron itself calls low.
   */
  public static final long OF_DRIVER_BYTES = 160 * MIB;

  /** With it a job does not come down to what a driver needs before it has begun. */
  private static final long OF_JOBS_BYTES = OF_DRIVER_BYTES + 96 * MIB;

  private Room() {}

  /** The first place if there is room in it, else that of the two which has more. */
  public static Path choose(Path first, Path second) {
    long there = freeBytes(first);
    return there >= OF_JOBS_BYTES || there > freeBytes(second) ? first : second;
  }

  /**
   * Sees that a media driver has room in a directory.
   *
   * @throws LaunchException that says how much is missing and what cures it
   */
  public static void requireForDriver(Path directory) {
    long free = freeBytes(directory);
    if (free < OF_DRIVER_BYTES) {
      throw new LaunchException(
          directory
              + " has room for freeBytes="
              + free
              + " < "
              + OF_DRIVER_BYTES
              + " that the media driver's buffers may take: enlarge it (docker run --shm-size),"
              + " name a place with more room by "
              + LaunchSettings.DIRECTORY.variable()
              + ", or do without a driver by --profile tcp");
    }
  }

  /** 0 where nothing can be written. */
  private static long freeBytes(Path directory) {
    try {
      return Files.isWritable(directory) ? Files.getFileStore(directory).getUsableSpace() : 0;
    } catch (IOException unusable) {
      return 0;
    }
  }
}
