package io.tagfabric.cluster.host;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * How a JVM with several ranks tells its launcher what they print and how they end.
 *
 * <p>Its standard output is a sequence of frames, in network order: rank (4 bytes), kind (1),
 * length (4), and so many bytes that the rank has printed. Codes take the error stream, which
 * nobody fills: a reader that is slow to take what ranks print does not hide that they have ended.
 * There a code is a byte 0, which no text has, the rank (4), the code (1), and 1 if the rank was
 * halted, else 0; all else is what the JVM itself says.
 */
public final class RankFrames {
  /** The longest frame that is written; a longer one that is read is refused. */
  public static final int MOST_BYTES = 64 * 1024;

  private static final byte CODE_FOLLOWS = 0;

  /** What a frame holds. */
  public enum Kind {
    /** What a rank prints. */
    OUT('o'),
    /** Its errors. */
    ERR('e'),
    /** Nothing: the rank has ended, and this is the last frame of it. */
    END('x');

    private final int written;

    Kind(int written) {
      this.written = written;
    }

    private static Kind of(int read) throws IOException {
      for (Kind kind : values()) {
        if (kind.written == read) {
          return kind;
        }
      }
      throw new IOException("kind=" + read + " of a frame is none");
    }
  }

  /** A frame that was read. */
  public static final class Frame {
    private final int rank;
    private final Kind kind;
    private final byte[] bytes;

    private Frame(int rank, Kind kind, byte[] bytes) {
      this.rank = rank;
      this.kind = kind;
      this.bytes = bytes;
    }

    /** The rank it is of. */
    public int rank() {
      return rank;
    }

    /** What it holds. */
    public Kind kind() {
      return kind;
    }

    /** The bytes; they are the caller's. */
    public byte[] bytes() {
      return bytes;
    }
  }

  /** Gets what the error stream of a JVM with several ranks has. */
  public interface ErrorListener {
    /** The JVM itself has said something. */
    void onText(byte[] bytes, int length);

    /**
     * A rank has ended with a code.
     *
     * @param isCut whether its program has halted it: other ranks do not know yet that it is gone
     */
    void onCode(int rank, int code, boolean isCut);
  }

  private RankFrames() {}

  /** Writes a frame, in one piece. Thread: one at a time for each stream. */
  public static void write(
      DataOutputStream to, int rank, Kind kind, byte[] bytes, int offset, int length)
      throws IOException {
    to.writeInt(rank);
    to.writeByte(kind.written);
    to.writeInt(length);
    to.write(bytes, offset, length);
    to.flush();
  }

  /**
   * Reads the next frame.
   *
   * @throws EOFException at the end of the stream
   * @throws IOException if it is no frame
   */
  public static Frame read(DataInputStream from) throws IOException {
    int rank = from.readInt();
    Kind kind = Kind.of(from.readUnsignedByte());
    int length = from.readInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("length=" + length + " of a frame is not within 0.." + MOST_BYTES);
    }
    byte[] bytes = new byte[length];
    from.readFully(bytes);
    return new Frame(rank, kind, bytes);
  }

  /** Writes how a rank has ended, to the error stream. */
  public static void writeCode(OutputStream errors, int rank, int code, boolean isCut)
      throws IOException {
    errors.write(
        new byte[] {
          CODE_FOLLOWS,
          (byte) (rank >>> 24),
          (byte) (rank >>> 16),
          (byte) (rank >>> 8),
          (byte) rank,
          (byte) code,
          (byte) (isCut ? 1 : 0)
        });
    errors.flush();
  }

  /** Reads an error stream to its end. */
  public static void readErrors(InputStream from, ErrorListener listener) throws IOException {
    DataInputStream codes = new DataInputStream(from);
    byte[] text = new byte[MOST_BYTES];
    int length = 0;
    for (int next = from.read(); next >= 0; next = from.read()) {
      if (next == CODE_FOLLOWS) {
        length = told(listener, text, length);
        int rank = codes.readInt();
        int code = codes.readUnsignedByte();
        listener.onCode(rank, code, codes.readBoolean());
        continue;
      }
      text[length++] = (byte) next;
      if (next == '\n' || length == text.length) {
        length = told(listener, text, length);
      }
    }
    told(listener, text, length);
  }

  private static int told(ErrorListener listener, byte[] text, int length) {
    if (length > 0) {
      listener.onText(text, length);
    }
    return 0;
  }
}
