package io.tagfabric.provider.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;

/**
 * What the bytes of one connection go by, above the socket that the system knows. Nothing here
 * waits. Thread: the domain's loop.
 */
interface Line extends GatheringByteChannel, ReadableByteChannel {
  /** The socket, to be watched and to be connected. */
  SocketChannel socket();

  /** Writes a message of the set-up, for which an empty socket always has room. */
  static void write(Line line, byte[] message) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(message);
    line.write(bytes);
    if (bytes.hasRemaining()) {
      throw new IOException("the socket has no room for bytes=" + message.length);
    }
  }
}
