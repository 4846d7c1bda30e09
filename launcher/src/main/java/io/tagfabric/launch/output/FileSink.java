package io.tagfabric.launch.output;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Writes what a rank prints to a file, byte for byte. */
final class FileSink implements RankSink {
  private final OutputStream file;
  private final LongConsumer written;
  private final Consumer<IOException> whenLost;
  private final LastLines last;
  private boolean lost;

  /**
   * @param file closed at the text's end
   * @param written runs with the number of bytes that the file has taken, each time
   * @param whenLost runs once, when the file takes no more
   */
  FileSink(
      OutputStream file, LongConsumer written, Consumer<IOException> whenLost, int remembered) {
    this.file = file;
    this.written = written;
    this.whenLost = whenLost;
    this.last = new LastLines(remembered);
  }

  @Override
  public List<String> lastLines() {
    return last.lastLines();
  }

  @Override
  public void accept(byte[] bytes, int length) {
    last.accept(bytes, length);
    if (!lost) {
      try {
        file.write(bytes, 0, length);
        written.accept(length);
      } catch (IOException failure) {
        lose(failure);
      }
    }
  }

  @Override
  public void end() {
    last.end();
    try {
      file.close();
    } catch (IOException failure) {
      lose(failure);
    }
  }

  private void lose(IOException failure) {
    if (!lost) {
      lost = true;
      whenLost.accept(failure);
    }
  }
}
