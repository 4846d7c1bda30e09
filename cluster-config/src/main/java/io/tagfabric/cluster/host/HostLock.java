package io.tagfabric.cluster.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A lock between processes that survives the removal of its own file.
 *
 * <p>The last holder deletes the directory with the lock in it. A process that then gets the lock
 * of the deleted file holds nothing, so every holder looks whether the file that now has the name
 * is the one it has opened.
 */
public final class HostLock implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Files that threads of this process hold, or try to. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private HostLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Waits for the lock, also on a thread that is interrupted, which it stays: an interrupt would
   * close the channel.
   *
   * @param prepare called before each attempt; whether the directory of the file is there
   * @return empty if it is not
   * @throws LaunchException if another process keeps the lock for 20 s
   */
  static Optional<HostLock> acquire(Path file, BooleanSupplier prepare) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    boolean interrupted = false;
    try {
      while (System.nanoTime() - deadline < 0) {
        interrupted |= Thread.interrupted();
        if (!prepare.getAsBoolean()) {
          return Optional.empty();
        }
        try {
          HostLock lock = attempt(file);
          if (lock != null) {
            return Optional.of(lock);
          }
        } catch (NoSuchFileException | ClosedByInterruptException tryAgain) {
          continue;
        } catch (IOException failure) {
          throw new UncheckedIOException(failure);
        }
        LockSupport.parkNanos(RETRY_NS);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    throw new LaunchException(
        file + " has been locked by another process for 20 s, end that process and try again");
  }

  /**
   * The lock if it is free. That another thread of this process has it must not be found out by
   * opening the file: to close any of its descriptors gives up the process's lock.
   */
  private static HostLock attempt(Path file) throws IOException {
    if (!HELD.add(file)) {
      return null;
    }
    HostLock lock = null;
    try {
      lock = attemptAlone(file);
    } finally {
      if (lock == null) {
        HELD.remove(file);
      }
    }
    return lock;
  }

  private static HostLock attemptAlone(Path file) throws IOException {
    PrivateFiles.makeFile(file);
    Object wanted = keyOf(file);
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    boolean held = false;
    try {
      // a file that its last holder has removed meanwhile locks nothing
      held = channel.tryLock() != null && wanted.equals(keyOf(file));
    } finally {
      if (!held) {
        channel.close();
      }
    }
    return held ? new HostLock(file, channel) : null;
  }

  /** What tells a file from another one of the same name. */
  private static Object keyOf(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return attributes.fileKey() == null ? attributes.creationTime() : attributes.fileKey();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } finally {
      HELD.remove(file);
    }
  }
}
