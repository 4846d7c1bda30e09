package io.tagfabric.cluster.host;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The ranks of this host whose processes have ended, by the word of the launcher: a file to which
 * it adds a line {@code rank code} for each. Ranks look at its length five times a second, which is
 * far sooner than the cluster misses a rank.
 */
public final class EndedRanks {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Is told of each rank that has ended. */
  @FunctionalInterface
  public interface Listener {
    /** A rank's process has ended with a code. */
    void onEnded(int rank, int code);
  }

  private final Path file;

  EndedRanks(Path file) {
    this.file = file;
  }

  public void add(int rank, int code) {
    try {
      PrivateFiles.write(
          file, rank + " " + code + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (NoSuchFileException jobIsOver) {
      return;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Tells a listener of each, on a thread that lives as long as the process. */
  public void watch(Listener listener) {
    Thread thread = new Thread(() -> follow(listener), "tagfabric-ended-ranks");
    thread.setDaemon(true);
    thread.start();
  }

  private void follow(Listener listener) {
    File growing = file.toFile();
    long seen = 0;
    int told = 0;
    while (true) {
      LockSupport.parkNanos(LOOK_NS);
      long length = growing.length(); // 0 while there is none
      if (length == seen) {
        continue;
      }
      seen = length;
      List<String> lines = lines();
      for (; told < lines.size(); told++) {
        String[] words = lines.get(told).split(" ", -1);
        listener.onEnded(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
      }
    }
  }

  /** The whole lines; the last may be half written. */
  private List<String> lines() {
    try {
      String text = Files.readString(file);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException jobIsOver) {
      return List.of();
    }
  }
}
