package io.tagfabric.launch.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The standard output or error of this process, byte for byte and without a buffer. Tells a reader
 * that has gone away from a disk that is full by what the stream is: only pipes and sockets have
 * readers. The system's own words for it depend on the user's language. Thread: one at a time.
 */
public final class StandardStream extends OutputStream {
  private static final int TYPE_BITS = 0xF000;
  private static final int PIPE = 0x1000;
  private static final int SOCKET = 0xC000;

  private final FileOutputStream stream;
  private final Path self;

  private StandardStream(FileDescriptor descriptor, int number) {
    this(new FileOutputStream(descriptor), Path.of("/proc/self/fd", Integer.toString(number)));
  }

  /**
   * @param self a path that leads to what the stream writes to
   */
  StandardStream(FileOutputStream stream, Path self) {
    this.stream = stream;
    this.self = self;
  }

  /** Standard output. */
  public static OutputStream output() {
    return new StandardStream(FileDescriptor.out, 1);
  }

  /** Standard error. */
  public static OutputStream errors() {
    return new StandardStream(FileDescriptor.err, 2);
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      stream.write(bytes, offset, length);
    } catch (IOException failure) {
      throw hasReader(failure) ? new ReaderGoneException(failure) : failure;
    }
  }

  private boolean hasReader(IOException failure) {
    try {
      int type = (Integer) Files.getAttribute(self, "unix:mode") & TYPE_BITS;
      return type == PIPE || type == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException notLinux) {
      return String.valueOf(failure.getMessage()).contains("pipe");
    }
  }
}
