package io.tagfabric.cluster.host;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Output of a rank that is meant for a program: begins every line with the record separator, at
 * which the launcher passes the line on as it is, without the rank's number. Thread: one at a time.
 *
 * @source RFC 7464 (JSON Text Sequences), §2.2
 */
public final class RecordOutput extends FilterOutputStream {
  /** What a line for a program begins with. */
  public static final int RECORD_SEPARATOR = 0x1E;

  private boolean lineStart = true;

  private RecordOutput(OutputStream out) {
    super(new BufferedOutputStream(out));
  }

  /**
   * Marks what is written to {@code out}, if a launcher reads it.
   *
   * @param launcherPid the launcher's process, 0 if there is none
   */
  public static OutputStream of(OutputStream out, long launcherPid) {
    return launcherPid == 0 ? out : new RecordOutput(out);
  }

  @Override
  public void write(int value) throws IOException {
    if (lineStart) {
      out.write(RECORD_SEPARATOR);
    }
    lineStart = value == '\n';
    out.write(value);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      write(bytes[i]);
    }
  }
}
