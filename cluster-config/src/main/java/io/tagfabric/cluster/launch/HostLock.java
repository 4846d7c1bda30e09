package io.tagfabric.cluster.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A lock between processes that survives the removal of its own file.
 *
 * <p>The last holder deletes the directory with the lock in it. Who then gets the lock of the
 * deleted file holds nothing, so every holder writes a token and looks whether it stands in the
 * file that now has the name.
 */
final class HostLock implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final FileChannel channel;

  private HostLock(FileChannel channel) {
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

  private static HostLock attempt(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PrivateFiles.ofFiles());
    boolean held = false;
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        String token = UUID.randomUUID().toString();
        channel.write(ByteBuffer.wrap(token.getBytes(StandardCharsets.US_ASCII)), 0);
        held = token.equals(Files.readString(file));
      }
    } catch (OverlappingFileLockException otherThreadOfThisProcess) {
      held = false;
    } finally {
      if (!held) {
        channel.close();
      }
    }
    return held ? new HostLock(channel) : null;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
