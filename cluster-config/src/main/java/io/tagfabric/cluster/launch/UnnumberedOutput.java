package io.tagfabric.cluster.launch;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Takes the numbers away that a {@link JobLauncher} puts in front of what its ranks print: for jobs
 * of which one rank reports, to people or to a program that reads JSON. Thread: one at a time.
 */
public final class UnnumberedOutput extends FilterOutputStream {
  private enum At {
    LINE_START,
    NUMBER,
    BLANK,
    TEXT
  }

  private At at = At.LINE_START;

  /**
   * @param out gets the lines as the ranks wrote them
   */
  public UnnumberedOutput(OutputStream out) {
    super(new BufferedOutputStream(out));
  }

  @Override
  public void write(int value) throws IOException {
    switch (at) {
      case LINE_START -> at = value == '[' ? At.NUMBER : pass(value);
      case NUMBER -> at = value == ']' ? At.BLANK : At.NUMBER;
      case BLANK -> at = At.TEXT;
      case TEXT -> at = pass(value);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      write(bytes[i]);
    }
  }

  private At pass(int value) throws IOException {
    out.write(value);
    return value == '\n' ? At.LINE_START : At.TEXT;
  }
}
