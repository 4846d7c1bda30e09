package io.tagfabric.provider.tcp.line;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;

/**
 * What the bytes of one connection go by, above the socket that the system knows: the socket as it
 * is, or TLS over it. Nothing here waits. Thread: the domain's loop.
 */
public interface Line extends GatheringByteChannel, ReadableByteChannel {
  /** The socket, to be watched and to be connected. */
  SocketChannel socket();

  /**
   * Goes on with what comes before the first byte.
   *
   * @param hears is called when that goes on by itself
   * @return whether it has ended
   */
  boolean shake(Ready hears) throws IOException;

  /** What the socket is to be watched for until a peer has it. */
  int wants();

  /** The other side has proved itself: it may say as much as it likes. */
  void trust();

  /** Whether a read may bring bytes although nothing more has come by the socket. */
  boolean holds();

  /** Whether it has taken bytes that the system has not. */
  boolean owes();

  /** Gives the system what it owes. Returns the bytes, 0 if there is no room. */
  int flush() throws IOException;

  /** Writes a message of the set-up, for which an empty socket always has room. */
  static void write(Line line, byte[] message) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(message);
    line.write(bytes);
    if (bytes.hasRemaining() || line.owes()) {
      throw new IOException("the socket has no room for bytes=" + message.length);
    }
  }
}
