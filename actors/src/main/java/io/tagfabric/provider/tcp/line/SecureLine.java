package io.tagfabric.provider.tcp.line;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * TLS over another line. One write makes one buffer of records at most, and one read takes one
 * buffer from the system, so nobody waits long for the loop. The buffers are the node's, and lie
 * here only while something is in them.
 *
 * <p>The end of the stream means the same with and without TLS's close_notify: a peer that closes
 * in order says so in a record of the provider, inside the encryption.
 */
public final class SecureLine implements Line {
  /** Bytes that may come before the other side has proved the job's key. */
  static final int MOST_UNPROVED_BYTES = 64 * 1024;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Line under;
  private final Tls tls;
  private final SSLEngine engine;

  /** The host that the session is with, or at. */
  private final String name;

  private final ByteBuffer[] one = new ByteBuffer[1];

  /** What has come and is not decrypted; null for nothing. */
  private ByteBuffer in;

  /** What is decrypted and found no room at the reader; null for nothing. */
  private ByteBuffer plain;

  /** What is encrypted and found no room at the system; null for nothing. */
  private ByteBuffer out;

  /** Whether {@link #in} is a part of a record, for which more must come. */
  private boolean partial;

  private long mayCome = MOST_UNPROVED_BYTES;

  /** Null until there is a connection. */
  private Ready hears;

  private boolean working;
  private boolean secure;
  private boolean ended;
  private boolean closed;

  SecureLine(Line under, Tls tls, SSLEngine engine, String name) throws SSLException {
    this.under = under;
    this.tls = tls;
    this.engine = engine;
    this.name = name;
    engine.beginHandshake();
  }

  @Override
  public SocketChannel socket() {
    return under.socket();
  }

  // ---- the handshake ----

  @Override
  public boolean shake(Ready whenReady) throws IOException {
    hears = whenReady;
    while (!secure && !working) {
      flush();
      if (out != null || !step()) {
        return false;
      }
    }
    return secure;
  }

  /** One step of the handshake; false if something must come before the next. */
  private boolean step() throws IOException {
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> work();
      case NEED_WRAP -> emit();
      case FINISHED, NOT_HANDSHAKING -> {
        tls.verify(engine, name);
        secure = true;
      }
      default -> {
        return hear();
      }
    }
    return true;
  }

  private boolean hear() throws IOException {
    if ((in == null || partial) && fill() <= 0) {
      if (ended) {
        throw new EOFException(
            "the other side has closed the connection in the midst of TLS's handshake");
      }
      return false;
    }
    Status status = decrypt(NOTHING).getStatus();
    partial = status == Status.BUFFER_UNDERFLOW;
    if (status == Status.CLOSED || status == Status.BUFFER_OVERFLOW) {
      throw new SSLException("what comes is no handshake, status=" + status);
    }
    dropEmpty();
    return true;
  }

  /** What takes long is calculated elsewhere: a stranger can ask for it. */
  private void work() throws IOException {
    working = true;
    tls.work(
        () -> {
          Runnable task = engine.getDelegatedTask();
          while (task != null) {
            task.run();
            task = engine.getDelegatedTask();
          }
        },
        this::worked);
  }

  private void worked() {
    working = false;
    if (!closed) {
      hears.onReady();
    }
  }

  @Override
  public int wants() {
    if (working) {
      return 0;
    }
    return out == null ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
  }

  @Override
  public void trust() {
    mayCome = Long.MAX_VALUE;
  }

  // ---- reading ----

  @Override
  public int read(ByteBuffer to) throws IOException {
    int begin = to.position();
    deliver(to);
    unwrap(to);
    if (to.hasRemaining() && !ended) {
      fill();
      unwrap(to);
    }
    int count = to.position() - begin;
    return count == 0 && ended ? -1 : count;
  }

  @Override
  public boolean holds() {
    return secure && (plain != null || (in != null && !partial));
  }

  private void deliver(ByteBuffer to) {
    if (plain != null) {
      int limit = plain.limit();
      plain.limit(plain.position() + Math.min(plain.remaining(), to.remaining()));
      to.put(plain);
      plain.limit(limit);
      if (!plain.hasRemaining()) {
        tls.giveBack(plain);
        plain = null;
      }
    }
  }

  /** Decrypts the records that are here, as far as there is room. */
  private void unwrap(ByteBuffer to) throws IOException {
    while (in != null && !partial && to.hasRemaining()) {
      SSLEngineResult result = decrypt(to);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        plain = tls.take();
        result = decrypt(plain);
        plain.flip();
        deliver(to);
      }
      if (result.getStatus() == Status.CLOSED) {
        ended = true;
        in.position(in.limit());
      } else if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        throw new SSLException("the other side wants another handshake");
      } else if (result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && out == null) {
        emit();
        flush();
      }
      partial = result.getStatus() == Status.BUFFER_UNDERFLOW;
      dropEmpty();
    }
  }

  private SSLEngineResult decrypt(ByteBuffer to) throws SSLException {
    try {
      return engine.unwrap(in, to);
    } catch (RuntimeException e) {
      throw new SSLException("" + e.getMessage(), e); // of what checks certificates, perhaps
    }
  }

  /** Takes from the system what has come. Returns the bytes, negative at the end. */
  private int fill() throws IOException {
    if (in == null) {
      in = tls.take();
    } else {
      in.compact();
    }
    int read = under.read(in);
    in.flip();
    if (read > 0) {
      partial = false;
      mayCome -= read;
      if (mayCome < 0) {
        throw new SSLException("more than bytes=" + MOST_UNPROVED_BYTES + " without a proof");
      }
    }
    ended |= read < 0;
    dropEmpty();
    return read;
  }

  private void dropEmpty() {
    if (in != null && !in.hasRemaining()) {
      tls.giveBack(in);
      in = null;
      partial = false;
    }
  }

  // ---- writing ----

  @Override
  public int write(ByteBuffer from) throws IOException {
    one[0] = from;
    int taken = (int) write(one, 0, 1);
    one[0] = null;
    return taken;
  }

  @Override
  public long write(ByteBuffer[] from) throws IOException {
    return write(from, 0, from.length);
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int count) throws IOException {
    flush();
    if (out != null) {
      return 0;
    }
    long all = 0;
    for (int i = offset; i < offset + count; i++) {
      all += from[i].remaining();
    }
    long taken = 0;
    out = tls.take();
    Status status = Status.OK;
    while (taken < all && status == Status.OK) {
      SSLEngineResult result = encrypt(from, offset, count);
      status = result.getStatus();
      taken += result.bytesConsumed();
      if (status == Status.CLOSED || (status == Status.OK && result.bytesProduced() == 0)) {
        throw new SSLException("TLS takes no more, status=" + result);
      }
    }
    out.flip();
    flush();
    return taken;
  }

  private SSLEngineResult encrypt(ByteBuffer[] from, int offset, int count) throws SSLException {
    boolean done = false;
    try {
      SSLEngineResult result = engine.wrap(from, offset, count, out);
      done = true;
      return result;
    } catch (RuntimeException e) {
      throw new SSLException("" + e.getMessage(), e);
    } finally {
      if (!done) {
        tls.giveBack(out); // with what is whole in it: the connection is broken
        out = null;
      }
    }
  }

  /** Makes a record of what the engine has to say itself. */
  private void emit() throws SSLException {
    out = tls.take();
    one[0] = NOTHING;
    encrypt(one, 0, 1);
    out.flip();
    dropWritten();
  }

  @Override
  public boolean owes() {
    return out != null;
  }

  @Override
  public int flush() throws IOException {
    if (out == null) {
      return 0;
    }
    int written = under.write(out);
    dropWritten();
    return written;
  }

  private void dropWritten() {
    if (!out.hasRemaining()) {
      tls.giveBack(out);
      out = null;
    }
  }

  // ---- the end ----

  @Override
  public boolean isOpen() {
    return under.isOpen();
  }

  /** Closes it; the other side hears why, if there is room and that is told quickly. */
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      try {
        if (hears != null && !working && out == null) {
          engine.closeOutbound();
          emit();
          flush();
        }
      } catch (IOException e) {
        // It is broken, which is why it is closed.
      } finally {
        giveBack(in);
        giveBack(plain);
        giveBack(out);
        in = null;
        plain = null;
        out = null;
      }
    }
    under.close();
  }

  private void giveBack(ByteBuffer buffer) {
    if (buffer != null) {
      tls.giveBack(buffer);
    }
  }
}
