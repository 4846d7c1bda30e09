package io.tagfabric.trials.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * TLS at the end of one who dials by hand: the handshake, what is said inside, and the records that
 * come of it, which the owner may change before they leave. Thread: one.
 */
final class TlsEnd {
  private static final int BUFFER = 1 << 17;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SSLEngine engine;
  private final ByteBuffer in = ByteBuffer.allocate(BUFFER);
  private final ByteBuffer some = ByteBuffer.allocate(BUFFER);
  private final ByteArrayOutputStream leaving = new ByteArrayOutputStream();
  private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
  private boolean made;

  TlsEnd(SSLEngine engine) throws SSLException {
    this.engine = engine;
    engine.beginHandshake();
    take(NOTHING);
  }

  /** Whether something can be said inside. */
  boolean isMade() {
    return made;
  }

  /**
   * Takes what has come by the wire.
   *
   * @return what was said to it inside
   */
  byte[] take(ByteBuffer bytes) throws SSLException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    in.put(bytes).flip();
    boolean goesOn = true;
    while (goesOn) {
      HandshakeStatus status = engine.getHandshakeStatus();
      if (status == HandshakeStatus.NEED_TASK) {
        engine.getDelegatedTask().run();
      } else if (status == HandshakeStatus.NEED_WRAP) {
        goesOn = wrap(NOTHING) != Status.CLOSED;
      } else {
        goesOn = in.hasRemaining() && unwrap(said);
      }
    }
    in.compact();
    if (!made && engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING) {
      made = true;
      say(waiting.toByteArray());
    }
    return said.toByteArray();
  }

  private boolean unwrap(ByteArrayOutputStream said) throws SSLException {
    some.clear();
    SSLEngineResult result = engine.unwrap(in, some);
    said.write(some.array(), 0, some.position());
    return result.getStatus() == Status.OK;
  }

  private Status wrap(ByteBuffer text) throws SSLException {
    some.clear();
    SSLEngineResult result = engine.wrap(text, some);
    leaving.write(some.array(), 0, some.position());
    return result.getStatus();
  }

  /** Says something inside, once that can be. */
  void say(byte[] text) throws SSLException {
    if (!made) {
      waiting.writeBytes(text);
      return;
    }
    ByteBuffer rest = ByteBuffer.wrap(text);
    while (rest.hasRemaining()) {
      if (wrap(rest) != Status.OK) {
        throw new SSLException("the other side has ended it");
      }
    }
  }

  /** What is to leave by the wire, once. */
  byte[] leaving() {
    byte[] bytes = leaving.toByteArray();
    leaving.reset();
    return bytes;
  }
}
