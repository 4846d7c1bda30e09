package io.tagfabric.simulation.ranks;

import io.tagfabric.cluster.host.RankFrames;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What the ranks of this JVM print, as {@link RankFrames} for the launcher. A rank that has ended
 * prints no more. Thread: any; a launcher that takes nothing makes those that print wait.
 */
final class RankStreams {
  private static final int BUFFER_BYTES = 8192;

  private final DataOutputStream frames;
  private final OutputStream errors;
  private final Set<Integer> ended = ConcurrentHashMap.newKeySet();

  /**
   * @param out of the JVM
   * @param err of the JVM
   */
  RankStreams(OutputStream out, OutputStream err) {
    frames = new DataOutputStream(new BufferedOutputStream(out, BUFFER_BYTES));
    errors = err;
  }

  /** A stream of a rank, which shows a text at once. */
  PrintStream open(int rank, RankFrames.Kind kind) {
    return new PrintStream(
        new BufferedOutputStream(new FrameStream(rank, kind), BUFFER_BYTES), true, charset());
  }

  /** In which this JVM prints; Java 17 has no name for it but that of the locale. */
  private static Charset charset() {
    String name = System.getProperty("stdout.encoding", System.getProperty("native.encoding", ""));
    return name.isEmpty() || !Charset.isSupported(name)
        ? Charset.defaultCharset()
        : Charset.forName(name);
  }

  /**
   * A stream in the place of one of the JVM's: goes on to the rank whose thread prints.
   *
   * @param ofThread the stream of the calling thread's rank, null of a thread of none
   */
  PrintStream shared(Supplier<PrintStream> ofThread) {
    return new PrintStream(new SharedStream(ofThread), true, charset());
  }

  /** Says how a rank has ended, and that nothing more comes of it. */
  void end(int rank, RankProcess.End how) {
    ended.add(rank);
    try {
      RankFrames.writeCode(errors, rank, how.code(), how.isCut());
    } catch (IOException launcherIsGone) {
      return;
    }
    write(rank, RankFrames.Kind.END, new byte[0], 0, 0);
  }

  private synchronized void write(
      int rank, RankFrames.Kind kind, byte[] bytes, int offset, int length) {
    try {
      for (int at = 0; at < length || at == 0; at += RankFrames.MOST_BYTES) {
        int part = Math.min(RankFrames.MOST_BYTES, length - at);
        RankFrames.write(frames, rank, kind, bytes, offset + at, part);
      }
    } catch (IOException launcherIsGone) {
      // nobody reads it; the rank ends when it notices
      ended.add(rank);
    }
  }

  /** What one rank prints on one of its streams. */
  private final class FrameStream extends OutputStream {
    private final int rank;
    private final RankFrames.Kind kind;

    FrameStream(int rank, RankFrames.Kind kind) {
      this.rank = rank;
      this.kind = kind;
    }

    @Override
    public void write(int each) {
      write(new byte[] {(byte) each}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      if (length > 0 && !ended.contains(rank)) {
        RankStreams.this.write(rank, kind, bytes, offset, length);
      }
    }
  }

  /** For threads of any rank; those of none speak for the JVM. */
  private final class SharedStream extends OutputStream {
    private final Supplier<PrintStream> ofThread;

    SharedStream(Supplier<PrintStream> ofThread) {
      this.ofThread = ofThread;
    }

    @Override
    public void write(int each) throws IOException {
      write(new byte[] {(byte) each}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      PrintStream own = ofThread.get();
      if (own != null) {
        own.write(bytes, offset, length);
      } else {
        errors.write(bytes, offset, length);
      }
    }

    @Override
    public void flush() {
      PrintStream own = ofThread.get();
      if (own != null) {
        own.flush();
      }
    }
  }
}
