package io.tagfabric.launch.agent;

import io.tagfabric.cluster.control.ControlCodec;
import io.tagfabric.cluster.host.StartPhase;
import io.tagfabric.cluster.job.Profile;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;

/**
 * What a launcher and the agent of a host tell each other, over the agent's standard input and
 * output: kind (its name, as {@link DataOutputStream#writeUTF}), rank (4 bytes), length (4), body,
 * in network order. A body is a text in UTF-8, bytes of a stream, or a message by a {@link
 * ControlCodec}. Frames carry no proof of the job's key: the connection is the launcher's own
 * child, and the key itself comes through it. Whatever the connection printed before the agent's
 * first frame ends with {@link #MAGIC}.
 */
public final class AgentFrame {
  /** What the agent says first; its version is that of the frames. */
  public static final String MAGIC = "\nTAGFABRIC AGENT 4\n";

  private static final int MOST_BYTES = 64 * 1024 * 1024;
  private static final byte[] NOTHING = new byte[0];

  /** Bodies that are more than a text or bytes. */
  static final ControlCodec BODIES =
      ControlCodec.of("a message between launcher and agent")
          .as(UUID.class, String.class, UUID::toString, UUID::fromString)
          .as(Path.class, String.class, Path::toString, Path::of)
          .as(Profile.class, String.class, Profile::name, Profile::valueOf)
          .message(1, AgentHello.class)
          .message(2, AgentReady.class)
          .message(3, AgentStart.class)
          .build();

  /** What a frame says, and its body. */
  public enum Kind {
    /** To the agent, first: {@link AgentHello}. */
    HELLO,
    /** To the agent: start a rank, {@link AgentStart}. */
    START,
    /** To the agent: bytes of standard input, none at its end. */
    INPUT,
    /** To the agent: SIGTERM to a rank. */
    TERMINATE,
    /** To the agent: SIGKILL to a rank. */
    KILL,
    /** To the agent: a rank of the job has ended; its code as text. */
    NOTE_ENDED,
    /** To the agent: bytes that a rank has printed are shown; their number. */
    OUT_TAKEN,
    /** To the agent: the same of its errors. */
    ERR_TAKEN,
    /** Both ways, now and then: still there. */
    PING,
    /** To the launcher, first: {@link AgentReady}. */
    READY,
    /** To the launcher: the host cannot take part, and why. The agent ends. */
    REFUSED,
    /** To the launcher: the host lacks files of the program, and which. The agent ends. */
    MISSING,
    /** To the launcher: a rank runs; its pid as text. */
    STARTED,
    /** To the launcher: what a rank prints. */
    OUT,
    /** To the launcher: a rank's errors. */
    ERR,
    /** To the launcher: a rank has ended; its code. */
    ENDED,
    /** To the launcher: all is sent that a rank has printed which has ended. */
    SAID,
    /** To the launcher: the ranks here cannot go on, and why. */
    FAILED,
    /** To the launcher: the last bytes of input are with the rank. */
    TAKEN,
    /** To the launcher: how far a rank has come, a {@link StartPhase}. */
    PHASE,
    /** To the launcher: a rank here has met all others. */
    FORMED,
    /** To the launcher: the ranks have agreed to end the job with a code. */
    ENDING
  }

  private final Kind kind;
  private final int rank;
  private final byte[] body;

  /**
   * @param rank the rank it is about, 0 if it is about none
   * @param body the frame's from now on
   */
  public AgentFrame(Kind kind, int rank, byte[] body) {
    this.kind = kind;
    this.rank = rank;
    this.body = body;
  }

  public static AgentFrame of(Kind kind, int rank) {
    return new AgentFrame(kind, rank, NOTHING);
  }

  public static AgentFrame of(Kind kind, int rank, String text) {
    return new AgentFrame(kind, rank, text.getBytes(StandardCharsets.UTF_8));
  }

  public static AgentFrame of(AgentHello hello) {
    return new AgentFrame(Kind.HELLO, 0, BODIES.encode(hello));
  }

  public static AgentFrame of(AgentReady ready) {
    return new AgentFrame(Kind.READY, 0, BODIES.encode(ready));
  }

  public static AgentFrame of(AgentStart start) {
    return new AgentFrame(Kind.START, start.rank(), BODIES.encode(start));
  }

  public Kind kind() {
    return kind;
  }

  public int rank() {
    return rank;
  }

  public byte[] body() {
    return body;
  }

  /** The body as the text it was made of. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /**
   * The body as the number whose text it was made of.
   *
   * @throws IOException if it is none
   */
  public long number() throws IOException {
    try {
      return Long.parseLong(text());
    } catch (NumberFormatException e) {
      throw new IOException(this + " holds no number", e);
    }
  }

  /**
   * The body as the message it was made of.
   *
   * @throws IOException if it is none of this class
   */
  public <T> T body(Class<T> type) throws IOException {
    try {
      return type.cast(BODIES.decode(body, 0));
    } catch (IllegalArgumentException | ClassCastException e) {
      throw new IOException(this + " is garbled: " + e.getMessage(), e);
    }
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(kind.name());
    out.writeInt(rank);
    out.writeInt(body.length);
    out.write(body);
  }

  /** The frame as {@link #read} takes it. */
  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      write(new DataOutputStream(bytes));
    } catch (IOException inMemory) {
      throw new UncheckedIOException(inMemory);
    }
    return bytes.toByteArray();
  }

  /**
   * The next frame.
   *
   * @throws EOFException if there is none
   * @throws IOException if there is something else
   */
  public static AgentFrame read(DataInputStream in) throws IOException {
    String name = in.readUTF();
    int rank = in.readInt();
    int length = in.readInt();
    Kind kind;
    try {
      kind = Kind.valueOf(name);
    } catch (IllegalArgumentException unknown) {
      throw new IOException("a frame of unknown kind " + name, unknown);
    }
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("a frame of length=" + length);
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException();
    }
    return new AgentFrame(kind, rank, body);
  }

  @Override
  public String toString() {
    return kind + " rank=" + rank + " bytes=" + body.length;
  }
}
